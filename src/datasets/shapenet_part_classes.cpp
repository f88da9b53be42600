// SPDX-License-Identifier: Apache-2.0
#include "shapenet_part_classes.hpp"

#include <utility>

namespace pointtree::datasets {

DatasetInfo shapenet_part_info(const std::string& kind, const std::string& split) {
  static const std::vector<std::pair<const char*, int>> kPartCounts = {
      {"Airplane", 4}, {"Bag", 2},      {"Cap", 2},        {"Car", 4},
      {"Chair", 4},    {"Earphone", 3}, {"Guitar", 3},     {"Knife", 2},
      {"Lamp", 4},     {"Laptop", 2},   {"Motorbike", 6},  {"Mug", 2},
      {"Pistol", 3},   {"Rocket", 3},   {"Skateboard", 3}, {"Table", 3}};
  DatasetInfo info;
  info.kind = kind;
  info.split = split;
  for (const auto& [name, count] : kPartCounts) {
    info.classes.emplace_back(name);
    std::vector<std::int32_t>& parts = info.parts_of_class.emplace_back();
    for (int i = 0; i < count; ++i) {
      parts.push_back(static_cast<std::int32_t>(info.point_classes.size()));
      info.point_classes.push_back(std::string(name) + "/" + std::to_string(i));
    }
  }
  return info;
}

}  // namespace pointtree::datasets
