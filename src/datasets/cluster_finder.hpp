// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "pointtree/datasets/dataset.hpp"

namespace pointtree::datasets {

/// How clusters are found in a scan.
struct ClusterSearch {
  double tolerance = 0.4;  ///< m; as in perception::ClusterConfig
  int classes = 0;
  std::int32_t mixed = kNoLabel;  ///< class of a cluster without a majority
};

/// The clusters that the pipeline finds in a scan in the sensor's frame, exactly as it would hand
/// them to a model: level, in metres, with the channel `height`. labels[i] is the class of point i.
std::vector<Example> find_clusters(const geometry::Points& points,
                                   const std::vector<std::int32_t>& labels,
                                   const ClusterSearch& search);

}  // namespace pointtree::datasets
