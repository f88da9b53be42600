// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "geometry/detail/subtree_shape.hpp"

// The features of one subtree in write_subtree_shapes(), on the host and on the device.
namespace pointtree::geometry::detail {

constexpr int kChannelsBesideSibling = 26;

/// Turns axes that point towards the cloud's centroid around.
POINTTREE_HOST_DEVICE inline void point_outwards(SubtreeShape& shape) {
  for (auto& axis : shape.axes.vectors) {
    if (SubtreeShape::dot(axis, shape.centroid) >= 0.0) continue;
    for (double& component : axis) component = -component;
  }
}

/// Gives put(channel, value) the channels of a subtree; axes of both point outwards.
template <typename Put>
POINTTREE_HOST_DEVICE void write_siblings(const SubtreeShape& own, const SubtreeShape& sibling,
                                          const Put& put) {
  const auto dot = SubtreeShape::dot;
  const auto& longest = own.axes.vectors[0];
  const auto& normal = own.axes.vectors[2];
  double direction[3];
  for (int c = 0; c < 3; ++c) direction[c] = sibling.centroid[c] - own.centroid[c];
  const double distance = sqrt(dot(direction, direction));
  for (double& component : direction) component /= distance > 0.0 ? distance : 1.0;
  for (int k = 0; k < 3; ++k) {
    put(k, static_cast<float>(own.deviation(k)));
    put(4 + k, static_cast<float>(dot(own.axes.vectors[k], own.centroid)));
    put(7 + k, static_cast<float>(fabs(normal[k])));
    put(10 + k, static_cast<float>(fabs(longest[k])));
    put(13 + k, static_cast<float>(own.centroid[k]));
    put(17 + k, static_cast<float>(dot(own.axes.vectors[k], direction)));
    put(23 + k, static_cast<float>(sibling.deviation(k)));
  }
  put(3, static_cast<float>(sqrt(dot(own.centroid, own.centroid))));
  put(16, static_cast<float>(distance / own.unit));
  put(20, static_cast<float>(-dot(sibling.axes.vectors[2], direction)));
  put(21, static_cast<float>(dot(normal, sibling.axes.vectors[2])));
  put(22, static_cast<float>(fabs(dot(longest, sibling.axes.vectors[0]))));
}

}  // namespace pointtree::geometry::detail
