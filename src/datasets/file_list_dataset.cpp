// SPDX-License-Identifier: Apache-2.0
#include "file_list_dataset.hpp"

#include <algorithm>
#include <stdexcept>

namespace pointtree::datasets {
namespace {

class FileListDataset : public Dataset {
 public:
  FileListDataset(DatasetInfo info, std::vector<ListedCloud> clouds,
                  std::function<Example(const std::filesystem::path&)> read)
      : info_(std::move(info)), clouds_(std::move(clouds)), read_(std::move(read)) {}

  const DatasetInfo& info() const override { return info_; }
  std::size_t size() const override { return clouds_.size(); }

  Example at(std::size_t index) const override {
    const ListedCloud& cloud = clouds_.at(index);
    Example example = read_(cloud.path);
    if (example.points.rows() == 0)
      throw std::runtime_error(cloud.path.string() + ": has no points");
    if (!example.points.allFinite()) {
      throw std::runtime_error(cloud.path.string() + ": has coordinates that are not finite");
    }
    example.label = cloud.label;
    return example;
  }

  std::int32_t label(std::size_t index) const override { return clouds_.at(index).label; }

 private:
  DatasetInfo info_;
  std::vector<ListedCloud> clouds_;
  std::function<Example(const std::filesystem::path&)> read_;
};

}  // namespace

std::unique_ptr<Dataset> open_file_list(DatasetInfo info, std::vector<ListedCloud> clouds,
                                        std::function<Example(const std::filesystem::path&)> read) {
  return std::make_unique<FileListDataset>(std::move(info), std::move(clouds), std::move(read));
}

std::vector<std::filesystem::path> sorted_entries(const std::filesystem::path& dir) {
  if (!std::filesystem::is_directory(dir))
    throw std::runtime_error(dir.string() + ": no such folder");
  std::vector<std::filesystem::path> entries;
  for (const auto& entry : std::filesystem::directory_iterator(dir)) {
    if (entry.path().filename().string().front() != '.') entries.push_back(entry.path());
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

std::vector<std::int32_t> labels_of(const std::vector<ListedCloud>& clouds) {
  std::vector<std::int32_t> labels;
  labels.reserve(clouds.size());
  for (const ListedCloud& cloud : clouds) labels.push_back(cloud.label);
  return labels;
}

std::vector<ListedCloud> select(const std::vector<ListedCloud>& clouds,
                                const std::vector<std::size_t>& indices) {
  std::vector<ListedCloud> chosen;
  chosen.reserve(indices.size());
  for (const std::size_t index : indices) chosen.push_back(clouds.at(index));
  return chosen;
}

}  // namespace pointtree::datasets
