// SPDX-License-Identifier: Apache-2.0
#include "simulation/objects.hpp"

#include <map>
#include <stdexcept>

#include "object_makers.hpp"

namespace pointtree::simulation {
namespace {

using Makers = std::map<std::string, TriangleMesh (*)(Draw&), std::less<>>;

const Makers& makers() {
  static const Makers kMakers = [] {
    Makers all;
    for (const auto& kinds :
         {seats(), cases(), vessels(), devices(), structures(), movers(), street_furniture()}) {
      for (const ObjectKind& kind : kinds) all.emplace(kind.name, kind.make);
    }
    return all;
  }();
  return kMakers;
}

}  // namespace

const std::vector<std::string>& object_classes() {
  static const std::vector<std::string> kNames = {
      "airplane", "bathtub", "bed",      "bench",       "bookshelf",    "bottle",
      "bowl",     "car",     "chair",    "cone",        "cup",          "curtain",
      "desk",     "door",    "dresser",  "flower_pot",  "glass_box",    "guitar",
      "keyboard", "lamp",    "laptop",   "mantel",      "monitor",      "night_stand",
      "person",   "piano",   "plant",    "radio",       "range_hood",   "sink",
      "sofa",     "stairs",  "stool",    "table",       "tent",         "toilet",
      "tv_stand", "vase",    "wardrobe", "xbox",        "bicycle",      "bollard",
      "bush",     "fence",   "pole",     "street_lamp", "traffic_sign", "trash_bin",
      "tree",     "truck",   "building"};
  return kNames;
}

const std::vector<std::string>& modelnet40_classes() {
  static const std::vector<std::string> kNames(object_classes().begin(),
                                               object_classes().begin() + 40);
  return kNames;
}

TriangleMesh make_object(std::string_view kind, geometry::Random& random) {
  const auto found = makers().find(kind);
  if (found == makers().end())
    throw std::invalid_argument("unknown kind of object '" + std::string(kind) + "'");
  Draw draw(random);
  const TriangleMesh mesh = found->second(draw);
  const Eigen::AlignedBox3f box = bounds(mesh);
  return moved(mesh, -Vec3(box.center().x(), box.center().y(), box.min().z()));
}

}  // namespace pointtree::simulation
