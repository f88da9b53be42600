// SPDX-License-Identifier: Apache-2.0
#include "hdf5_dataset.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "hdf5_file.hpp"

namespace pointtree::datasets {
namespace {

constexpr std::size_t kBytesHeldInMemory = std::size_t{1} << 30;

std::string to_text(const std::vector<std::size_t>& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

void expect_shape(const Hdf5File& file, const std::string& array, bool fits,
                  const std::string& expected) {
  if (fits) return;
  throw std::runtime_error(file.path().string() + ": array '" + array + "' should be " + expected +
                           ", found " + to_text(file.shape(array)));
}

std::vector<std::int32_t> labels_of_file(const Hdf5File& file, const std::string& array,
                                         std::size_t classes) {
  const std::vector<std::size_t> shape = file.shape(array);
  expect_shape(file, array, shape.size() == 1 || (shape.size() == 2 && shape[1] == 1),
               "[clouds] or [clouds, 1]");
  std::vector<std::int32_t> labels = file.read_ints(array, 0, shape[0]);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] >= 0 && static_cast<std::size_t>(labels[i]) < classes) continue;
    throw std::runtime_error(file.path().string() + ": label " + std::to_string(labels[i]) +
                             " of cloud " + std::to_string(i) + " is outside of 0 to " +
                             std::to_string(classes - 1));
  }
  return labels;
}

// One HDF5 file whose arrays fit together.
class CloudFile {
 public:
  CloudFile(const std::filesystem::path& path, const Hdf5Layout& layout, const DatasetInfo& info)
      : file_(Hdf5File::open(path)), layout_(layout), point_classes_(info.point_classes.size()) {
    const auto shape = file_.shape(layout.coordinates);
    expect_shape(file_, layout.coordinates,
                 shape.size() == 3 && shape[1] > 0 && shape[2] >= layout.columns,
                 "[clouds, points, " + std::to_string(layout.columns) + " or more]");
    clouds_ = shape[0];
    points_ = shape[1];
    stored_columns_ = shape[2];
    if (!layout.label.empty()) {
      labels_ = labels_of_file(file_, layout.label, info.classes.size());
      expect_shape(file_, layout.label, labels_.size() == clouds_,
                   std::to_string(clouds_) + " rows");
    }
    if (!layout.point_labels.empty()) {
      expect_shape(file_, layout.point_labels,
                   file_.shape(layout.point_labels) == std::vector<std::size_t>{clouds_, points_},
                   to_text({clouds_, points_}));
    }
  }

  std::size_t clouds() const { return clouds_; }
  std::int32_t label(std::size_t row) const { return labels_.empty() ? kNoLabel : labels_[row]; }
  std::size_t bytes() const {
    const std::size_t numbers = layout_.columns + (layout_.point_labels.empty() ? 0 : 1);
    return clouds_ * points_ * numbers * sizeof(float);
  }

  std::vector<Example> read(std::size_t first, std::size_t count) const {
    std::vector<Example> examples(count);
    const auto values = file_.read_floats(layout_.coordinates, first, count);
    const std::vector<std::int32_t> parts =
        layout_.point_labels.empty() ? std::vector<std::int32_t>{}
                                     : file_.read_ints(layout_.point_labels, first, count);
    for (std::size_t i = 0; i < count; ++i) {
      Example& example = examples[i];
      example.label = label(first + i);
      fill_channels(values.data() + i * points_ * stored_columns_, example);
      if (!example.points.allFinite()) fail(first + i, "has coordinates that are not finite");
      if (!parts.empty()) {
        const auto begin = parts.begin() + static_cast<std::ptrdiff_t>(i * points_);
        example.point_labels.assign(begin, begin + static_cast<std::ptrdiff_t>(points_));
        check_point_labels(first + i, example.point_labels);
      }
    }
    return examples;
  }

 private:
  [[noreturn]] void fail(std::size_t row, const std::string& what) const {
    throw std::runtime_error(file_.path().string() + ": cloud " + std::to_string(row) + " " + what);
  }

  void fill_channels(const float* values, Example& example) const {
    const auto n = static_cast<Eigen::Index>(points_);
    const auto own = static_cast<Eigen::Index>(layout_.columns - 3);
    const Eigen::Map<const Channels> stored(values, n, static_cast<Eigen::Index>(stored_columns_));
    example.points = stored.leftCols<3>();
    example.extra = stored.middleCols(3, own);
  }

  void check_point_labels(std::size_t row, const std::vector<std::int32_t>& labels) const {
    for (const std::int32_t label : labels) {
      if (label >= 0 && static_cast<std::size_t>(label) < point_classes_) continue;
      fail(row, "has point label " + std::to_string(label) + ", outside of 0 to " +
                    std::to_string(point_classes_ - 1));
    }
  }

  Hdf5File file_;
  Hdf5Layout layout_;
  std::size_t point_classes_;
  std::size_t clouds_ = 0;
  std::size_t points_ = 0;
  std::size_t stored_columns_ = 0;
  std::vector<std::int32_t> labels_;
};

class Hdf5Dataset : public Dataset {
 public:
  Hdf5Dataset(const std::vector<std::filesystem::path>& files, const Hdf5Layout& layout,
              DatasetInfo info, std::optional<std::vector<std::size_t>> selection)
      : info_(std::move(info)) {
    std::size_t bytes = 0;
    for (const auto& path : files) {
      files_.emplace_back(path, layout, info_);
      bytes += files_.back().bytes();
      first_of_file_.push_back(first_of_file_.back() + files_.back().clouds());
    }
    if (selection) {
      selection_ = std::move(*selection);
    } else {
      selection_.resize(first_of_file_.back());
      std::iota(selection_.begin(), selection_.end(), std::size_t{0});
    }
    if (bytes <= kBytesHeldInMemory) hold_selected();
  }

  const DatasetInfo& info() const override { return info_; }
  std::size_t size() const override { return selection_.size(); }

  Example at(std::size_t index) const override {
    const std::size_t cloud = selection_.at(index);
    if (!held_.empty()) return held_[index];
    const auto [file, row] = place(cloud);
    return std::move(files_[file].read(row, 1).front());
  }

  std::int32_t label(std::size_t index) const override {
    const auto [file, row] = place(selection_.at(index));
    return files_[file].label(row);
  }

 private:
  void hold_selected() {
    std::vector<Example> all;
    for (const CloudFile& file : files_) {
      for (Example& example : file.read(0, file.clouds())) all.push_back(std::move(example));
    }
    for (const std::size_t cloud : selection_) held_.push_back(std::move(all.at(cloud)));
  }

  std::pair<std::size_t, std::size_t> place(std::size_t cloud) const {
    const auto after = std::upper_bound(first_of_file_.begin(), first_of_file_.end(), cloud);
    const auto file = static_cast<std::size_t>(after - first_of_file_.begin()) - 1;
    return {file, cloud - first_of_file_[file]};
  }

  DatasetInfo info_;
  std::vector<std::size_t> selection_;
  std::vector<CloudFile> files_;
  std::vector<std::size_t> first_of_file_{0};  // one more than files
  std::vector<Example> held_;
};

}  // namespace

std::vector<std::int32_t> read_labels(const std::vector<std::filesystem::path>& files,
                                      const std::string& array, std::size_t classes) {
  std::vector<std::int32_t> labels;
  for (const auto& path : files) {
    const auto more = labels_of_file(Hdf5File::open(path), array, classes);
    labels.insert(labels.end(), more.begin(), more.end());
  }
  return labels;
}

std::unique_ptr<Dataset> open_hdf5_dataset(const std::vector<std::filesystem::path>& files,
                                           const Hdf5Layout& layout, DatasetInfo info,
                                           std::optional<std::vector<std::size_t>> selection) {
  return std::make_unique<Hdf5Dataset>(files, layout, std::move(info), std::move(selection));
}

}  // namespace pointtree::datasets
