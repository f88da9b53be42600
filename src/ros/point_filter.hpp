// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "pointtree/perception/frame_result.hpp"

namespace pointtree::ros {

/// Chooses the points of `~/output/filtered` by their classes.
class PointFilter {
 public:
  /// Names with commas between them: classes of the model, `unknown` and `ground`; empty:
  /// everything but the ground. Throws std::invalid_argument where a name is none of these.
  PointFilter(const std::string& names, std::vector<std::string> classes);

  /// Points that are not finite or outside the crop are never kept.
  bool keeps(const perception::PointLabel& label) const;

 private:
  std::vector<bool> kept_;  ///< per class of the model, then unknown, then ground
};

}  // namespace pointtree::ros
