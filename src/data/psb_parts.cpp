#include "pointtree/data/psb_parts.hpp"

#include <algorithm>
#include <stdexcept>

#include "hdf5_dataset.hpp"
#include "pointtree/data/dataset_split.hpp"
#include "split_files.hpp"

namespace pointtree::data {
namespace {

namespace fs = std::filesystem;

std::vector<std::vector<std::int32_t>> parts_by_class(const fs::path& dir,
                                                      const DatasetInfo& info) {
  std::vector<std::vector<std::int32_t>> parts(info.classes.size());
  for (std::size_t part = 0; part < info.point_classes.size(); ++part) {
    const std::string& name = info.point_classes[part];
    const auto owner =
        std::find(info.classes.begin(), info.classes.end(), name.substr(0, name.find('/')));
    if (owner == info.classes.end()) {
      throw std::runtime_error((dir / "part_names.txt").string() + ": part '" + name +
                               "' belongs to no class of class_names.txt");
    }
    parts[static_cast<std::size_t>(owner - info.classes.begin())].push_back(
        static_cast<std::int32_t>(part));
  }
  return parts;
}

}  // namespace

std::unique_ptr<Dataset> open_psb_parts(const fs::path& dir, const std::string& split) {
  Hdf5Layout layout;
  layout.normals = "normal";
  layout.label = "label";
  layout.point_labels = "pid";
  DatasetInfo info;
  info.kind = "psb_parts";
  info.split = split;
  info.classes = read_names(dir, {"class_names.txt"});
  info.point_classes = read_names(dir, {"part_names.txt"});
  info.parts_of_class = parts_by_class(dir, info);
  info.extra_channels = {"normal_x", "normal_y", "normal_z"};

  const fs::path own_file = dir / ("psb_parts_" + split + ".h5");
  if (fs::exists(own_file))
    return open_hdf5_dataset({own_file}, layout, std::move(info), std::nullopt);
  const fs::path whole = dir / "psb_parts_dev.h5";
  if (split == "all") return open_hdf5_dataset({whole}, layout, std::move(info), std::nullopt);
  if (!fs::exists(whole)) {
    throw std::runtime_error(dir.string() + ": expected psb_parts_dev.h5 or " +
                             own_file.filename().string());
  }
  auto cut = standard_cut(read_labels({whole}, layout.label, info.classes.size()), split);
  if (!cut) {
    throw std::runtime_error(dir.string() + ": has no split '" + split +
                             "', expected train, validation, test or all");
  }
  return open_hdf5_dataset({whole}, layout, std::move(info), std::move(cut));
}

}  // namespace pointtree::data
