// SPDX-License-Identifier: Apache-2.0
#include "simulation/objects.hpp"

#include <algorithm>
#include <stdexcept>

#include "object_makers.hpp"

namespace pointtree::simulation {

const std::vector<ObjectKind>& object_kinds() {
  static const std::vector<ObjectKind> kKinds = {
      {"airplane", make_airplane},
      {"bathtub", make_bathtub},
      {"bed", make_bed},
      {"bench", make_bench},
      {"bookshelf", make_bookshelf},
      {"bottle", make_bottle},
      {"bowl", make_bowl},
      {"car", make_car},
      {"chair", make_chair},
      {"cone", make_cone},
      {"cup", make_cup},
      {"curtain", make_curtain},
      {"desk", make_desk},
      {"door", make_door},
      {"dresser", make_dresser},
      {"flower_pot", make_flower_pot},
      {"glass_box", make_glass_box},
      {"guitar", make_guitar},
      {"keyboard", make_keyboard},
      {"lamp", make_lamp},
      {"laptop", make_laptop},
      {"mantel", make_mantel},
      {"monitor", make_monitor},
      {"night_stand", make_night_stand},
      {"person", make_person},
      {"piano", make_piano},
      {"plant", make_plant},
      {"radio", make_radio},
      {"range_hood", make_range_hood},
      {"sink", make_sink},
      {"sofa", make_sofa},
      {"stairs", make_stairs},
      {"stool", make_stool},
      {"table", make_table},
      {"tent", make_tent},
      {"toilet", make_toilet},
      {"tv_stand", make_tv_stand},
      {"vase", make_vase},
      {"wardrobe", make_wardrobe},
      {"xbox", make_xbox},
      {"bicycle", make_bicycle},
      {"bollard", make_bollard},
      {"bush", make_bush},
      {"fence", make_fence},
      {"pole", make_pole},
      {"street_lamp", make_street_lamp},
      {"traffic_sign", make_traffic_sign},
      {"trash_bin", make_trash_bin},
      {"tree", make_tree},
      {"truck", make_truck},
      {"building", make_building},
  };
  return kKinds;
}

const std::vector<std::string>& modelnet40_classes() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    names.reserve(40);
    for (std::size_t i = 0; i < 40; ++i) names.push_back(object_kinds()[i].name);
    return names;
  }();
  return kNames;
}

const std::vector<std::string>& object_classes() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const ObjectKind& kind : object_kinds()) names.push_back(kind.name);
    return names;
  }();
  return kNames;
}

TriangleMesh make_object(std::string_view kind, geometry::Random& random) {
  const auto& kinds = object_kinds();
  const auto found =
      std::find_if(kinds.begin(), kinds.end(), [&](const ObjectKind& k) { return k.name == kind; });
  if (found == kinds.end())
    throw std::invalid_argument("unknown kind of object '" + std::string(kind) + "'");
  const TriangleMesh mesh = found->make(random);
  const Eigen::AlignedBox3f box = bounds(mesh);
  return moved(mesh, -Vec3(box.center().x(), box.center().y(), box.min().z()));
}

}  // namespace pointtree::simulation
