// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "pointtree/inference/engine.hpp"

namespace pointtree::inference::engine {

/// A cloud that any model takes and that has no ties: points on a stretched spiral, extra channels
/// zero.
class WarmUpCloud {
 public:
  explicit WarmUpCloud(const EngineInfo& info);

  /// A view of the cloud, valid as long as this object.
  CloudInput input() const;

 private:
  geometry::Points points_;
  Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> channels_;
};

}  // namespace pointtree::inference::engine
