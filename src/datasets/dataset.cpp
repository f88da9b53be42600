// SPDX-License-Identifier: Apache-2.0
#include "pointtree/datasets/dataset.hpp"

#include <functional>
#include <stdexcept>

#include "datasets/readers.hpp"
#include "datasets/transformed_copy.hpp"
#include "io/name_list.hpp"

namespace pointtree::datasets {
namespace {

namespace fs = std::filesystem;

// One kind of data set: how to open it and the files that give it away.
struct Kind {
  std::string name;
  std::function<std::unique_ptr<Dataset>(const fs::path&, const std::string&)> open;
  std::vector<std::string> signature;  // all of these exist in the folder; empty: never detected
  std::function<bool(const fs::path&)> recognises = {};  // looks closer
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> kAll = {
      {"kitti_clusters", open_kitti_clusters, {"shape_names.txt", "val_set.h5"}},
      {"shapenet_part", open_shapenet_part_hdf5, {"all_object_categories.txt"}},
      {"shapenet_part", open_shapenet_part_hdf5, {"shape_names.txt"}, holds_parts},
      {"modelnet40", open_modelnet_hdf5, {"shape_names.txt"}},
      {"modelnet40_off", open_modelnet_off, {"airplane/train", "xbox/train"}},
      {"modelnet40_text", open_modelnet_text, {"modelnet40_shape_names.txt"}},
      {"shapenet_part_text",
       open_shapenet_part_text,
       {"synsetoffset2category.txt", "train_test_split"}},
      {"s3dis", open_s3dis_hdf5, {"all_files.txt", "room_filelist.txt"}},
      {"s3dis_rooms", open_s3dis_rooms, {}},
      {"semantickitti", open_semantickitti, {"sequences"}},
      {"blocks", open_blocks, {"point_class_names.txt"}},
      {"labelled_clouds", open_labelled_clouds, {"classes.txt"}},
      {"labelled_folder", open_labelled_folder, {}},
      {"procedural_objects", datasets::open_procedural_objects, {}},
      {"procedural_rooms", datasets::open_procedural_rooms, {}},
      {"procedural_streets", datasets::open_procedural_streets, {}},
      {"sydney_urban_objects", open_sydney_urban_objects, {"folds/fold0.txt", "objects"}},
      {"street_clusters", open_street_clusters, {}},
      {"simulated_clusters", open_simulated_clusters, {}},
      {"scanned_objects", datasets::open_scanned_objects, {}},
  };
  return kAll;
}

std::vector<std::string> dataset_kinds() {
  std::vector<std::string> names;
  for (const Kind& kind : kinds()) {
    if (names.empty() || names.back() != kind.name) names.push_back(kind.name);
  }
  return names;
}

std::string known_kinds() { return io::joined(dataset_kinds()); }

}  // namespace

std::string detect_kind(const fs::path& dir) {
  if (!fs::exists(dir)) throw std::runtime_error(dir.string() + ": no such folder");
  for (const Kind& kind : kinds()) {
    bool fits = !kind.signature.empty();
    for (const std::string& file : kind.signature) fits = fits && fs::exists(dir / file);
    if (fits && (!kind.recognises || kind.recognises(dir))) return kind.name;
  }
  throw std::runtime_error(dir.string() + ": not a known data set; name its kind, one of " +
                           known_kinds());
}

std::unique_ptr<Dataset> open_dataset(const fs::path& dir, const std::string& kind,
                                      const std::string& split) {
  if (kind.find('+') != std::string::npos) return open_mixed(dir, kind, split);
  const std::string wanted = kind == "auto" ? detect_kind(dir) : kind;
  for (const Kind& candidate : kinds()) {
    if (candidate.name != wanted) continue;
    auto dataset = candidate.open(dir, split);
    if (dataset->size() == 0)
      throw std::runtime_error(dir.string() + ": split '" + split + "' is empty");
    return dataset;
  }
  throw std::runtime_error("unknown kind of data set '" + kind + "', expected auto or one of " +
                           known_kinds() + io::did_you_mean(kind, dataset_kinds()));
}

}  // namespace pointtree::datasets
