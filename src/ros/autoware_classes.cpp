// SPDX-License-Identifier: Apache-2.0
#include "ros/autoware_classes.hpp"

#include <spdlog/fmt/fmt.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace pointtree::ros {
namespace {

constexpr std::uint8_t kUnknownObject = 0;
constexpr std::uint8_t kInvalidPoint = 255;
constexpr std::uint8_t kFlatSurface = 8;

struct AutowareClass {
  const char* name;
  std::uint8_t object;
  std::uint8_t point;
};

/// Objects and points are numbered apart, and have not all names in common.
constexpr std::array kAutowareClasses = {
    AutowareClass{"CAR", 1, 0},
    AutowareClass{"TRUCK", 2, 1},
    AutowareClass{"BUS", 3, 2},
    AutowareClass{"TRAILER", 4, 1},
    AutowareClass{"MOTORCYCLE", 5, 3},
    AutowareClass{"BICYCLE", 6, 4},
    AutowareClass{"PEDESTRIAN", 7, 5},
    AutowareClass{"ANIMAL", 8, 6},
    AutowareClass{"HAZARD", 9, 7},
    AutowareClass{"FLAT_SURFACE", kUnknownObject, kFlatSurface},
    AutowareClass{"STRUCTURE", kUnknownObject, 9},
    AutowareClass{"VEGETATION", kUnknownObject, 10},
    AutowareClass{"NOISE", kUnknownObject, 11}};

std::string known_names() {
  std::string names;
  for (const AutowareClass& known : kAutowareClasses)
    names += (names.empty() ? "" : ", ") + std::string(known.name);
  return names;
}

}  // namespace

AutowareClasses::AutowareClasses(const std::filesystem::path& bundle,
                                 const std::vector<std::string>& classes)
    : objects_(classes.size(), kUnknownObject), points_(classes.size(), kInvalidPoint) {
  const std::filesystem::path file = bundle / "autoware.yaml";
  mapped_ = std::filesystem::exists(file);
  if (!mapped_) return;
  try {
    for (const auto& entry : YAML::LoadFile(file.string())) {
      const auto name = entry.first.as<std::string>();
      const auto wanted = entry.second.as<std::string>();
      const auto label = std::find(classes.begin(), classes.end(), name);
      if (label == classes.end())
        throw std::runtime_error(fmt::format("'{}' is no class of the model", name));
      const auto known = std::find_if(kAutowareClasses.begin(), kAutowareClasses.end(),
                                      [&](const auto& one) { return wanted == one.name; });
      if (known == kAutowareClasses.end())
        throw std::runtime_error(
            fmt::format("{}: expected {}, found '{}'", name, known_names(), wanted));
      const auto index = static_cast<std::size_t>(label - classes.begin());
      objects_[index] = known->object;
      points_[index] = known->point;
    }
  } catch (const std::exception& error) {
    throw std::runtime_error(fmt::format("{}: {}", file.string(), error.what()));
  }
}

std::uint8_t AutowareClasses::point_class(const perception::PointLabel& label) const {
  if (label.class_id < points_.size()) return points_[label.class_id];
  return label.role == perception::PointRole::ground ? kFlatSurface : kInvalidPoint;
}

}  // namespace pointtree::ros
