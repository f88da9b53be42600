// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "pointtree/datasets/dataset.hpp"

/// Objects of streets as a robot's lidar finds them.
namespace pointtree::datasets {

/// What stands in streets: car, truck (and bus, trailer), two-wheeler (with or without rider),
/// person, trunk, vegetation, pole, traffic-sign, building, fence, bin, other.
const std::vector<std::string>& street_object_classes();

/// The class of points with this semantic number of SemanticKITTI; "other" for whatever has none.
std::int32_t street_object_class(std::uint32_t semantic);

/// The class of a simulated kind of object or surface; "other" for whatever has none.
std::int32_t street_object_class(const std::string& simulated_kind);

/// The clusters that the pipeline finds in labelled scans, each with the class of most of its
/// points, or "other" where no class has half of them. Channels: `height` above the ground.
///
/// `place` is a folder of SemanticKITTI's layout, `sequences/<name>/velodyne/*.bin` with `labels`,
/// or several, separated by colons.
/// Splits: `validation` is sequence 07, `test_public` 10, `train` all others but 08 and 11 to 21;
/// a sequence's name is a split too. In `train` scans are also clustered with other tolerances,
/// with half of the beams and mirrored.
std::unique_ptr<Dataset> open_street_clusters(const std::filesystem::path& place,
                                              const std::string& split);

/// The same from simulated streets; `size` scans, see generated_datasets.hpp.
std::unique_ptr<Dataset> open_simulated_clusters(const std::filesystem::path& parameters,
                                                 const std::string& split);

/// Sydney Urban Objects: `objects/<class>.<instance>.<scan>.bin` with rows of 34 bytes, and
/// `folds/fold<k>.txt`, k from 0 to 3, which list the objects of the 14 classes of the published
/// protocol. Splits: `fold<k>`, `without_fold<k>`, `all`. In metres, with the
/// channel `height` above the object's lowest point.
std::unique_ptr<Dataset> open_sydney_urban_objects(const std::filesystem::path& dir,
                                                   const std::string& split);

/// Clusters of KITTI, likewise: `train_set_<n>.h5` and `val_set.h5` with `data` [N, n, 3] in metres
/// and `label`, and `shape_names.txt`. Splits: `train`, `validation`.
std::unique_ptr<Dataset> open_kitti_clusters(const std::filesystem::path& dir,
                                             const std::string& split);

}  // namespace pointtree::datasets
