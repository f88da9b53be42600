// SPDX-License-Identifier: Apache-2.0
#include "perception/ingest.hpp"

namespace pointtree::perception {

void ingest(const CloudView& cloud, double min_range, double max_range, FramePoints& frame) {
  frame.points.clear();
  frame.source.clear();
  frame.points.reserve(cloud.size());
  frame.source.reserve(cloud.size());
  const double least = min_range * min_range;
  const double most = max_range * max_range;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    const Eigen::Vector3d position = cloud.position(i);
    // False for NaN, and infinite coordinates are out of any range.
    const double squared_range = position.squaredNorm();
    if (!(squared_range >= least && squared_range <= most)) continue;
    frame.points.emplace_back(position.cast<float>());
    frame.source.push_back(static_cast<std::uint32_t>(i));
  }
}

}  // namespace pointtree::perception
