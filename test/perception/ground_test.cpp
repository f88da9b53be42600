// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "perception/ground_segmenter.hpp"
#include "perception/synthetic_scene.hpp"
#include "pointtree/perception/ground_plane.hpp"

namespace pointtree::perception {
namespace {

struct Score {
  double precision = 0.0;
  double recall = 0.0;
};

/// Object points lower than the clearance count as ground: nothing else is asked for.
Score score_ground(const SyntheticScene& scene, const SyntheticScene::Height& ground) {
  const GroundConfig config;
  GroundSegmenter segmenter(config);
  segmenter.assign(scene.points, ground(0.0F, 0.0F));
  int hits = 0;
  int found = 0;
  int truth = 0;
  for (std::size_t i = 0; i < scene.points.size(); ++i) {
    const Eigen::Vector3f& p = scene.points[i];
    const bool low = p.z() - ground(p.x(), p.y()) < static_cast<float>(config.clearance) + 0.15F;
    const bool is_ground = segmenter.is_ground(segmenter.heights()[i]);
    const bool should = scene.object[i] < 0;
    hits += static_cast<int>(is_ground && (should || low));
    found += static_cast<int>(is_ground);
    truth += static_cast<int>(should);
  }
  int missed = 0;
  for (std::size_t i = 0; i < scene.points.size(); ++i) {
    missed += static_cast<int>(scene.object[i] < 0 && !segmenter.is_ground(segmenter.heights()[i]));
  }
  return {static_cast<double>(hits) / found, 1.0 - static_cast<double>(missed) / truth};
}

void expect_good(const SyntheticScene::Height& ground, double recall = 0.99) {
  const Score score = score_ground(street(ground, 3), ground);
  EXPECT_GT(score.precision, 0.99);
  EXPECT_GT(score.recall, recall);
}

TEST(ground_segmenter, finds_flat_ground) { expect_good(flat_ground); }

TEST(ground_segmenter, follows_a_slope) {
  expect_good([](float x, float y) { return -1.7F + 0.15F * x - 0.05F * y; });
}

TEST(ground_segmenter, follows_hills_and_hollows) {
  expect_good(
      [](float x, float y) { return -1.7F + 1.2F * std::sin(0.12F * x) * std::cos(0.1F * y); });
}

TEST(ground_segmenter, climbs_kerbs) {
  expect_good([](float /*x*/, float y) { return std::abs(y) > 5.0F ? -1.58F : -1.7F; });
}

TEST(ground_segmenter, takes_a_wide_terrace_as_ground) {
  // The cells over the edge hold both levels, and the upper one stands above the lower.
  expect_good([](float x, float /*y*/) { return x > 6.0F ? -0.9F : -1.7F; }, 0.98);
}

TEST(ground_segmenter, keeps_a_small_platform_as_an_object) {
  SyntheticScene scene(flat_ground, 11);
  scene.add_ground(30'000, 30.0F);
  scene.add_box(8.0F, 0.0F, {3.0F, 3.0F, 0.8F}, 0.0F, 2000);
  GroundSegmenter segmenter{GroundConfig{}};
  segmenter.assign(scene.points, -1.7F);
  for (std::size_t i = 0; i < scene.points.size(); ++i) {
    if (scene.object[i] < 0 || scene.points[i].z() < -0.95F) continue;
    EXPECT_FALSE(segmenter.is_ground(segmenter.heights()[i])) << scene.points[i].transpose();
  }
}

TEST(ground_segmenter, ignores_points_far_beneath_the_ground) {
  SyntheticScene scene = street(flat_ground, 4);
  const std::size_t clean = scene.points.size();
  for (int i = 0; i < 40; ++i) {  // reflections in puddles and windows
    scene.points.emplace_back(3.0F + 0.5F * static_cast<float>(i), 2.0F, -6.0F);
    scene.object.push_back(-1);
  }
  GroundSegmenter segmenter{GroundConfig{}};
  segmenter.assign(scene.points, -1.7F);
  int lost = 0;
  for (std::size_t i = 0; i < clean; ++i) {
    lost += static_cast<int>(scene.object[i] < 0 && !segmenter.is_ground(segmenter.heights()[i]));
  }
  EXPECT_LT(lost, 40);
}

TEST(ground_segmenter, takes_empty_and_single_points) {
  GroundSegmenter segmenter{GroundConfig{}};
  segmenter.assign({}, -1.7F);
  EXPECT_TRUE(segmenter.heights().empty());
  segmenter.assign({{1.0F, 2.0F, -1.7F}}, -1.7F);
  EXPECT_TRUE(segmenter.is_ground(segmenter.heights()[0]));
}

TEST(ground_segmenter, knows_the_ground_up_to_its_very_edge) {
  GroundSegmenter segmenter(GroundConfig{});
  for (float edge = 3.0F; edge < 30.0F; edge += 0.37F) {
    PointBuffer points;
    for (const float x : {0.0F, 0.1F, 0.2F}) {
      for (const float y : {0.0F, 0.1F, 0.2F}) points.emplace_back(edge + x, -edge - y, -1.7F);
    }
    segmenter.assign(points, -1.7F);
    for (const float height : segmenter.heights()) EXPECT_NEAR(height, 0.0F, 1e-4F) << edge;
  }
}

TEST(ground_plane, is_found_however_the_sensor_hangs) {
  const SyntheticScene scene = street(flat_ground, 8);
  for (const float angle : {0.0F, 0.3F, 0.7F, 2.5F, 3.14159265F}) {
    for (const Eigen::Vector3f& axis : {Eigen::Vector3f(1, 0, 0), Eigen::Vector3f(0.6F, 0.8F, 0)}) {
      SCOPED_TRACE(angle);
      const Eigen::Matrix3f mount = Eigen::AngleAxisf(angle, axis).toRotationMatrix();
      PointBuffer turned;
      for (const Eigen::Vector3f& point : scene.points) turned.emplace_back(mount * point);
      const auto plane = find_ground_plane(turned, UpDirection::from_ground, 1);
      ASSERT_TRUE(plane);
      EXPECT_GT(plane->up.dot(mount.col(2)), 0.9998F);
      EXPECT_NEAR(plane->sensor_height, 1.7F, 0.05F);
      const Eigen::Vector3f level = level_rotation(plane->up) * plane->up;
      EXPECT_GT(level.z(), 0.99999F);
    }
  }
}

TEST(scene_axes, put_turned_and_mirrored_scenes_in_the_same_place) {
  SyntheticScene scene = street(flat_ground, 10);
  // Something on one side: a scene that is the same all around has no axes of its own.
  scene.add_box(32.0F, 9.0F, {12.0F, 3.0F, 3.0F}, 0.4F, 12'000);
  const auto place = [](const PointBuffer& points) {
    const auto plane = find_ground_plane(points, UpDirection::from_ground, 1);
    const Eigen::Matrix3f axes = scene_axes(points, plane->up);
    EXPECT_LT((axes * axes.transpose() - Eigen::Matrix3f::Identity()).norm(), 1e-5F);
    PointBuffer placed;
    for (const Eigen::Vector3f& point : points) placed.emplace_back(axes * point);
    return placed;
  };
  const PointBuffer upright = place(scene.points);
  for (const Eigen::Matrix3f& map :
       {Eigen::AngleAxisf(2.0F, Eigen::Vector3f(0.6F, 0.0F, 0.8F)).toRotationMatrix(),
        Eigen::AngleAxisf(3.1F, Eigen::Vector3f::UnitX()).toRotationMatrix(),
        Eigen::Matrix3f(Eigen::Vector3f(1, -1, 1).asDiagonal())}) {
    PointBuffer turned;
    for (const Eigen::Vector3f& point : scene.points) turned.emplace_back(map * point);
    const PointBuffer placed = place(turned);
    float worst = 0.0F;
    for (std::size_t i = 0; i < placed.size(); ++i) {
      worst = std::max(worst, (placed[i] - upright[i]).norm());
    }
    EXPECT_LT(worst, 0.01F);
  }
}

TEST(ground_plane, does_not_depend_on_the_unit) {
  const SyntheticScene scene = street(flat_ground, 9);
  PointBuffer millimetres;
  for (const Eigen::Vector3f& point : scene.points) millimetres.emplace_back(1000.0F * point);
  const auto plane = find_ground_plane(millimetres, UpDirection::from_ground, 1);
  ASSERT_TRUE(plane);
  EXPECT_NEAR(plane->sensor_height, 1700.0F, 50.0F);
}

TEST(ground_plane, is_not_invented_where_there_is_none) {
  EXPECT_FALSE(find_ground_plane({}, UpDirection::z, 1));
  EXPECT_FALSE(find_ground_plane({{1, 2, 3}, {2, 3, 4}}, UpDirection::z, 1));
  PointBuffer line;
  for (int i = 0; i < 100; ++i) line.emplace_back(static_cast<float>(i), 0.0F, 0.0F);
  EXPECT_FALSE(find_ground_plane(line, UpDirection::from_ground, 1));
}

}  // namespace
}  // namespace pointtree::perception
