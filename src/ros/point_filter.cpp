// SPDX-License-Identifier: Apache-2.0
#include "ros/point_filter.hpp"

#include <algorithm>
#include <array>

#include "perception/allowed_classes.hpp"

namespace pointtree::ros {

using perception::PointRole;

PointFilter::PointFilter(const std::string& names, std::vector<std::string> classes) {
  classes.insert(classes.end(), {"unknown", "ground"});
  const std::vector<std::size_t> wanted = perception::classes_in(names, "filter.classes", classes);
  kept_.assign(classes.size(), wanted.empty());
  for (const std::size_t number : wanted) kept_[number] = true;
  if (!wanted.empty()) return;
  // Models that segment have classes for the ground, named as the data sets do.
  constexpr std::array kGround = {"ground",   "floor",        "road",   "parking",
                                  "sidewalk", "other-ground", "terrain"};
  for (std::size_t i = 0; i < classes.size(); ++i)
    kept_[i] = std::find(kGround.begin(), kGround.end(), classes[i]) == kGround.end();
}

bool PointFilter::keeps(const perception::PointLabel& label) const {
  if (label.role == PointRole::dropped) return false;
  if (label.class_id + 2U < kept_.size()) return kept_[label.class_id];
  return kept_[kept_.size() - (label.role == PointRole::ground ? 1 : 2)];
}

}  // namespace pointtree::ros
