// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace pointtree::geometry::cuda {

/// How a cloud came to its standard pose, as the device hands it out; see PreAlignment.
struct PoseRecord {
  double linear[9];  ///< aligned = point · linear + translation, row-major
  double translation[3];
  std::int32_t rank;
  std::int32_t tied;
  std::int32_t finite;  ///< 0 where the cloud had a point that is not: its points are then zeros
};

}  // namespace pointtree::geometry::cuda
