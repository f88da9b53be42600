// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "pointtree/perception/point_buffer.hpp"

namespace pointtree::perception {

/// A street made of formulas: ground of a given height and boxes standing on it, seen by a sensor
/// at the origin.
class SyntheticScene {
 public:
  using Height = std::function<float(float x, float y)>;

  SyntheticScene(Height ground, std::uint32_t seed) : ground_(std::move(ground)), random_(seed) {}

  /// Ground points of a disc, denser near the sensor as in a lidar scan.
  void add_ground(int count, float radius) {
    for (int i = 0; i < count; ++i) {
      const float range = 1.5F + (radius - 1.5F) * uniform() * uniform();
      const float angle = 6.2831853F * uniform();
      const float x = range * std::cos(angle);
      const float y = range * std::sin(angle);
      points.emplace_back(x, y, ground_(x, y) + noise());
      object.push_back(-1);
    }
  }

  /// A box standing on the ground, points on its four sides and its top; no ground shows under it.
  void add_box(float x, float y, const Eigen::Vector3f& size, float yaw, int count) {
    remove_ground_under(x, y, 0.5F * size.head<2>().norm());
    const float foot = ground_(x, y);
    const float c = std::cos(yaw);
    const float s = std::sin(yaw);
    for (int i = 0; i < count; ++i) {
      Eigen::Vector3f local((uniform() - 0.5F) * size.x(), (uniform() - 0.5F) * size.y(),
                            uniform() * size.z());
      const float side = uniform();
      if (side < 0.3F) {
        local.x() = std::copysign(0.5F * size.x(), local.x());
      } else if (side < 0.8F) {
        local.y() = std::copysign(0.5F * size.y(), local.y());
      } else {
        local.z() = size.z();
      }
      points.emplace_back(x + c * local.x() - s * local.y(), y + s * local.x() + c * local.y(),
                          foot + local.z());
      object.push_back(objects_);
    }
    ++objects_;
  }

  int objects() const { return objects_; }

  PointBuffer points;
  std::vector<std::int32_t> object;  ///< number of the box a point is on; −1: ground

 private:
  void remove_ground_under(float x, float y, float radius) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const bool hidden =
          object[i] < 0 && std::hypot(points[i].x() - x, points[i].y() - y) < radius;
      if (hidden) continue;
      points[kept] = points[i];
      object[kept++] = object[i];
    }
    points.resize(kept);
    object.resize(kept);
  }

  float uniform() { return static_cast<float>(random_()) * 0x1p-32F; }
  float noise() { return 0.02F * (uniform() + uniform() - 1.0F); }

  Height ground_;
  std::mt19937 random_;
  int objects_ = 0;
};

/// Flat ground 1.7 m below the sensor with a ring of car-sized boxes and one of posts.
inline SyntheticScene street(SyntheticScene::Height ground, std::uint32_t seed) {
  SyntheticScene scene(std::move(ground), seed);
  scene.add_ground(40'000, 45.0F);
  for (int k = 0; k < 8; ++k) {
    const float angle = 0.785398F * static_cast<float>(k);
    scene.add_box(12.0F * std::cos(angle), 12.0F * std::sin(angle), {4.2F, 1.8F, 1.5F},
                  0.3F * static_cast<float>(k), 800);
    scene.add_box(22.0F * std::cos(angle + 0.3F), 22.0F * std::sin(angle + 0.3F),
                  {0.4F, 0.4F, 3.0F}, 0.0F, 200);
  }
  return scene;
}

inline float flat_ground(float /*x*/, float /*y*/) { return -1.7F; }

}  // namespace pointtree::perception
