// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "pointtree/perception/frame_result.hpp"

namespace pointtree::ros {

/// Autoware's numbers of a model's classes, after the map `autoware.yaml` in the model's bundle:
/// a line `class: NAME` for each class that has a name in Autoware. Without a map, and for classes
/// it leaves out, the numbers are those of the unknown.
class AutowareClasses {
 public:
  /// Throws std::runtime_error naming the file and what is wrong with it.
  AutowareClasses(const std::filesystem::path& bundle, const std::vector<std::string>& classes);

  /// Whether the bundle has a map.
  bool mapped() const { return mapped_; }

  /// Per class, as in autoware_perception_msgs/ObjectClassification.
  const std::vector<std::uint8_t>& object_labels() const { return objects_; }

  /// As in PointCloudClassification of autoware_point_types, which points of 24 bytes carry.
  std::uint8_t point_class(const perception::PointLabel& label) const;

 private:
  bool mapped_ = false;
  std::vector<std::uint8_t> objects_;
  std::vector<std::uint8_t> points_;
};

}  // namespace pointtree::ros
