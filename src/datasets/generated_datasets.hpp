// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "pointtree/datasets/dataset.hpp"

/// Data sets that need no download. Each is described by `key=value` pairs, separated by commas;
/// splits are different seeds, so that nothing of one split is seen in another.
///
/// | key | meaning | default |
/// |---|---|---|
/// | size | number of examples, or of scans for scanned_objects | 4000 objects, 4000 blocks, 100 |
/// | held_out | the same for all splits but `train` | size |
/// | seed | another seed, another data set | 0 |
/// | points | per example, where complete surfaces are sampled | 2048, 4096 |
/// | view | `full` surfaces, `scan` (what a lidar sees), or `mixed` | mixed |
/// | block | edge of a column of a room in metres | 1 |
/// | kinds | of objects: `modelnet40`, or `all` with those that stand in streets | modelnet40 |
namespace pointtree::datasets {

/// Single objects in life size.
std::unique_ptr<Dataset> open_procedural_objects(const std::filesystem::path& parameters,
                                                 const std::string& split);

/// Upright square columns, turned anyhow, cut out of furnished rooms; points are labelled with
/// S3DIS' classes and given in metres from the middle of the column, z from the floor, with S3DIS'
/// channels: `height`, and colours that are 0, since surfaces have none.
std::unique_ptr<Dataset> open_procedural_rooms(const std::filesystem::path& parameters,
                                               const std::string& split);

/// Single turns of a spinning lidar in streets, in the sensor's frame, with labelled points.
std::unique_ptr<Dataset> open_procedural_streets(const std::filesystem::path& parameters,
                                                 const std::string& split);

/// The objects and pieces of building fronts that one turn of a lidar shows in streets and rooms,
/// cut out of the scan by what they truly are; of the classes object_classes(). Made when opened,
/// about thirty per scan.
std::unique_ptr<Dataset> open_scanned_objects(const std::filesystem::path& parameters,
                                              const std::string& split);

}  // namespace pointtree::datasets
