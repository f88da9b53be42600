// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "pointtree/inference/engine.hpp"
#include "pointtree/perception/frame_result.hpp"

namespace pointtree::perception {

/// A box around an object, or its name above the box, to be drawn.
struct ObjectMarker {
  enum class Shape { box, name };

  Shape shape = Shape::box;
  std::string name_space;  ///< boxes or names; of unknown objects unknown_boxes, unknown_names
  std::int32_t id = 0;     ///< the object's
  Eigen::Vector3f position = Eigen::Vector3f::Zero();
  Eigen::Quaternionf orientation = Eigen::Quaternionf::Identity();
  Eigen::Vector3f scale = Eigen::Vector3f::Zero();  ///< metres; of a name only its height, in z
  std::array<float, 4> colour = {};                 ///< red, green, blue, opacity, 0 to 1
  std::string text;
};

/// A box for every object and a name for those that were classified.
std::vector<ObjectMarker> object_markers(const FrameResult& result,
                                         const inference::EngineInfo& model);

/// The name of a class, or "unknown" where the model has none of that number.
std::string class_name(std::size_t class_id, const inference::EngineInfo& model);

}  // namespace pointtree::perception
