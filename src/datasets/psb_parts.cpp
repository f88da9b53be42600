#include "pointtree/datasets/psb_parts.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "hdf5_dataset.hpp"
#include "hdf5_file.hpp"
#include "pointtree/datasets/dataset_split.hpp"
#include "split_files.hpp"

namespace pointtree::datasets {
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
  DatasetInfo info;
  info.kind = "psb_parts";
  info.split = split;
  info.classes = read_names(dir, {"class_names.txt"});
  info.point_classes = read_names(dir, {"part_names.txt"});
  info.parts_of_class = parts_by_class(dir, info);

  Hdf5Layout layout;
  layout.label = "label";
  layout.point_labels = "pid";
  const fs::path own_file = dir / ("psb_parts_" + split + ".h5");
  const fs::path whole = dir / "psb_parts_dev.h5";
  std::vector<fs::path> files;
  std::optional<std::vector<std::size_t>> selection;
  if (fs::exists(own_file)) {
    files = {own_file};
  } else if (!fs::exists(whole)) {
    files = require_split_files(dir, split);
  } else {
    files = {whole};
    if (split != "all") {
      selection = standard_cut(read_labels(files, layout.label, info.classes.size()), split);
      if (!selection) {
        throw std::runtime_error(dir.string() + ": has no split '" + split +
                                 "', expected train, validation, test or all");
      }
    }
  }
  if (Hdf5File::open(files.front()).has("normal")) {
    layout.normals = "normal";
    info.extra_channels = {"normal_x", "normal_y", "normal_z"};
  }
  return open_hdf5_dataset(files, layout, std::move(info), std::move(selection));
}

}  // namespace pointtree::datasets
