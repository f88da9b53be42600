// SPDX-License-Identifier: Apache-2.0
#include "warm_up.hpp"

#include <cmath>

namespace pointtree::inference::engine {

WarmUpCloud::WarmUpCloud(const EngineInfo& info) : points_(info.points, 3) {
  for (std::int32_t i = 0; i < info.points; ++i) {
    const float t = static_cast<float>(i) / static_cast<float>(info.points);
    points_.row(i) << std::cos(20.0F * t), 0.7F * std::sin(20.0F * t) + 0.2F * t, 0.4F * t * t;
  }
  channels_.setZero(info.points, static_cast<Eigen::Index>(info.channels.size()));
}

CloudInput WarmUpCloud::input() const {
  return {points_, ChannelsView(channels_.data(), channels_.cols() == 0 ? 0 : channels_.rows(),
                                channels_.cols(), Eigen::OuterStride<>(channels_.cols()))};
}

}  // namespace pointtree::inference::engine
