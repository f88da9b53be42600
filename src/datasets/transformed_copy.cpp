// SPDX-License-Identifier: Apache-2.0
#include "datasets/transformed_copy.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include "datasets/readers.hpp"
#include "geometry/seed.hpp"
#include "hdf5_dataset.hpp"
#include "hdf5_file.hpp"
#include "io/file_bytes.hpp"
#include "io/text_lines.hpp"
#include "pointtree/geometry/sampling.hpp"
#include "split_files.hpp"

namespace pointtree::datasets {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kCloudsPerFile = 2048;

void write_lines(const fs::path& path, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  io::write_file(path, text);
}

// One cloud as it is stored.
struct StoredCloud {
  Channels values;
  std::vector<std::int32_t> point_labels;
};

StoredCloud transform(const Example& example, const CopyConfig& config, std::int32_t points,
                      bool keep_extra, std::uint64_t seed) {
  geometry::Random random(seed);
  const Observation seen = observe(example.points, config.observation, random);
  const auto chosen = geometry::resample(seen.points, points, random.below(~std::uint64_t{0}));
  geometry::Points cloud = seen.points(chosen, Eigen::all);
  const geometry::TransformationSampler sampler(config.transformation, config.form);
  cloud = sampler.draw(cloud, random).apply(cloud);
  StoredCloud stored;
  const Eigen::Index extra = keep_extra ? example.extra.cols() : 0;
  stored.values.resize(points, 3 + extra);
  stored.values.leftCols<3>() = cloud;
  for (Eigen::Index i = 0; i < points; ++i) {
    const std::int32_t source =
        seen.source[static_cast<std::size_t>(chosen[static_cast<std::size_t>(i)])];
    if (extra > 0) stored.values.row(i).tail(extra) = example.extra.row(source);
    if (!example.point_labels.empty()) {
      stored.point_labels.push_back(example.point_labels[static_cast<std::size_t>(source)]);
    }
  }
  return stored;
}

// Collects clouds and stores them as numbered files of a split.
class SplitWriter {
 public:
  SplitWriter(const DatasetInfo& info, const fs::path& dir, std::size_t points)
      : dir_(dir), split_(info.split), points_(points), blocks_(info.classes.empty()) {
    fs::create_directories(dir);
    if (info.classes.empty() && info.point_classes.empty()) {
      throw std::runtime_error("data set '" + info.kind +
                               "' has neither classes nor point classes to store");
    }
    if (blocks_) {
      write_lines(dir / "point_class_names.txt", info.point_classes);
      if (!info.extra_channels.empty()) write_lines(dir / "channel_names.txt", info.extra_channels);
    } else if (info.point_classes.empty()) {
      write_lines(dir / "shape_names.txt", info.classes);
    } else if (info.point_classes == shapenet_part_info("", "").point_classes) {
      write_lines(dir / "all_object_categories.txt", info.classes);
    } else {
      throw std::runtime_error("data set '" + info.kind +
                               "': expected the parts of ShapeNetPart, found others");
    }
    // Copies of one shape must never fall on both sides of a cut: this tells the readers that train
    // is cut already.
    if (split_ == "train" && !fs::exists(dir / "validation_files.txt"))
      write_lines(dir / "validation_files.txt", {});
  }

  void add(const StoredCloud& cloud, std::int32_t label) {
    columns_ = static_cast<std::size_t>(cloud.values.cols());
    values_.insert(values_.end(), cloud.values.data(), cloud.values.data() + cloud.values.size());
    point_labels_.insert(point_labels_.end(), cloud.point_labels.begin(), cloud.point_labels.end());
    labels_.push_back(label);
    if (labels_.size() == kCloudsPerFile) store();
  }

  void finish() {
    if (!labels_.empty()) store();
    write_lines(dir_ / (split_ + "_files.txt"), files_);
  }

 private:
  void store() {
    const std::string name = "ply_data_" + split_ + std::to_string(files_.size()) + ".h5";
    Hdf5File file = Hdf5File::create(dir_ / name);
    const std::size_t clouds = labels_.size();
    file.write_floats("data", {clouds, points_, columns_}, values_.data());
    if (!blocks_) file.write_ints("label", {clouds, 1}, labels_.data());
    if (!point_labels_.empty())
      file.write_ints(blocks_ ? "label" : "pid", {clouds, points_}, point_labels_.data());
    files_.push_back(name);
    values_.clear();
    labels_.clear();
    point_labels_.clear();
  }

  fs::path dir_;
  std::string split_;
  std::size_t points_;
  bool blocks_;
  std::size_t columns_ = 3;
  std::vector<float> values_;
  std::vector<std::int32_t> labels_;
  std::vector<std::int32_t> point_labels_;
  std::vector<std::string> files_;
};

}  // namespace

void write_transformed_copy(const Dataset& dataset, const CopyConfig& config, const fs::path& dir,
                            const std::function<void(std::size_t)>& progress) {
  validate(config.observation);
  if (config.copies == 0 || config.points < 0) {
    throw std::invalid_argument("copies should be at least 1 and points not negative");
  }
  if (dataset.size() == 0) throw std::invalid_argument("an empty data set has no copies");
  const auto points =
      config.points > 0 ? config.points : static_cast<std::int32_t>(dataset.at(0).points.rows());
  SplitWriter writer(dataset.info(), dir, static_cast<std::size_t>(points));
  std::size_t stored = 0;
  for (std::size_t index = 0; index < dataset.size(); ++index) {
    const Example example = dataset.at(index);
    for (std::size_t copy = 0; copy < config.copies; ++copy) {
      const std::uint64_t seed =
          geometry::mix_seed({config.seed, geometry::hash_name(dataset.info().split), index, copy});
      writer.add(transform(example, config, points, dataset.info().classes.empty(), seed),
                 example.label);
      if (progress) progress(++stored);
    }
  }
  writer.finish();
}

std::unique_ptr<Dataset> open_blocks(const fs::path& dir, const std::string& split) {
  DatasetInfo info{"blocks", split};
  info.point_classes = read_names(dir, {"point_class_names.txt"});
  if (fs::exists(dir / "channel_names.txt"))
    info.extra_channels = io::read_lines(dir / "channel_names.txt");
  Hdf5Layout layout;
  layout.columns = 3 + info.extra_channels.size();
  layout.point_labels = "label";
  return open_hdf5_dataset(require_split_files(dir, split), layout, std::move(info), std::nullopt);
}

}  // namespace pointtree::datasets
