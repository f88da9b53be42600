// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "perception/object_tracker.hpp"
#include "pointtree/perception/oriented_box.hpp"

namespace pointtree::perception {
namespace {

constexpr std::int64_t kTenthSecond = 100'000'000;

PointBuffer box_points(const Eigen::Vector3f& center, const Eigen::Vector3f& size, float yaw,
                       std::uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> inside(-0.5F, 0.5F);
  const Eigen::AngleAxisf turn(yaw, Eigen::Vector3f::UnitZ());
  PointBuffer points;
  for (int corner = 0; corner < 8; ++corner) {
    const Eigen::Vector3f sign((corner & 1) - 0.5F, ((corner >> 1) & 1) - 0.5F,
                               ((corner >> 2) & 1) - 0.5F);
    points.emplace_back(center + turn * sign.cwiseProduct(size));
  }
  for (int i = 0; i < 200; ++i) {
    const Eigen::Vector3f place(inside(random), inside(random), inside(random));
    points.emplace_back(center + turn * place.cwiseProduct(size));
  }
  return points;
}

TEST(bounding_box, recovers_a_turned_box) {
  for (const float yaw : {-1.2F, -0.4F, 0.0F, 0.5F, 1.3F}) {
    SCOPED_TRACE(yaw);
    const OrientedBox box =
        bounding_box(box_points({30.0F, -12.0F, 0.5F}, {4.2F, 1.8F, 1.5F}, yaw, 7));
    EXPECT_LT((box.center - Eigen::Vector3f(30.0F, -12.0F, 0.5F)).norm(), 1e-3F);
    EXPECT_LT((box.size - Eigen::Vector3f(4.2F, 1.8F, 1.5F)).norm(), 1e-3F);
    const Eigen::Vector3f length = box.orientation * Eigen::Vector3f::UnitX();
    EXPECT_GT(std::abs(length.dot(Eigen::Vector3f(std::cos(yaw), std::sin(yaw), 0))), 0.9999F);
  }
}

TEST(bounding_box, holds_every_point_and_is_no_larger_than_the_upright_rectangle) {
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  for (int trial = 0; trial < 50; ++trial) {
    SCOPED_TRACE(trial);
    PointBuffer points;
    for (int i = 0; i < 30; ++i)
      points.emplace_back(3 * normal(random), normal(random), normal(random));
    const OrientedBox box = bounding_box(points);
    Eigen::Vector3f low = points.front();
    Eigen::Vector3f high = low;
    for (const Eigen::Vector3f& point : points) {
      const Eigen::Vector3f local = box.orientation.conjugate() * (point - box.center);
      EXPECT_TRUE((local.cwiseAbs().array() <= 0.5F * box.size.array() + 1e-4F).all());
      low = low.cwiseMin(point);
      high = high.cwiseMax(point);
    }
    EXPECT_LE(box.size.x() * box.size.y(), (high - low).head<2>().prod() + 1e-4F);
    EXPECT_GE(box.size.x(), box.size.y());
  }
}

TEST(bounding_box, takes_degenerate_objects) {
  const OrientedBox point = bounding_box({{1, 2, 3}});
  EXPECT_EQ(point.size, Eigen::Vector3f::Zero());
  EXPECT_EQ(point.center, Eigen::Vector3f(1, 2, 3));
  const OrientedBox line = bounding_box({{0, 0, 0}, {1, 1, 0}, {2, 2, 0}});
  EXPECT_NEAR(line.size.x(), std::sqrt(8.0F), 1e-5F);
  EXPECT_NEAR(line.size.y(), 0.0F, 1e-5F);
}

TEST(bounding_box, stays_quick_for_a_round_object_of_many_points) {
  PointBuffer circle;
  for (int i = 0; i < 40'000; ++i) {
    const float angle = 6.2831853F * static_cast<float>(i) / 40'000.0F;
    circle.emplace_back(5.0F * std::cos(angle), 5.0F * std::sin(angle), 0.0F);
  }
  const OrientedBox box = bounding_box(circle);
  EXPECT_NEAR(box.size.x(), 10.0F, 0.01F);
}

std::vector<std::uint32_t> update(ObjectTracker& tracker, const PointBuffer& centroids,
                                  std::int64_t stamp) {
  std::vector<LabeledObject> objects(centroids.size());
  for (std::size_t k = 0; k < objects.size(); ++k) objects[k].centroid = centroids[k];
  tracker.update(objects, stamp);
  std::vector<std::uint32_t> ids;
  for (const LabeledObject& object : objects) ids.push_back(object.id);
  return ids;
}

/// One object at one place over the frames: its id and its scores as they come out.
LabeledObject seen(ObjectTracker& tracker, std::int64_t stamp, std::uint32_t points,
                   std::vector<float> scores = {}) {
  std::vector<LabeledObject> objects(1);
  objects[0].point_count = points;
  objects[0].scores = std::move(scores);
  tracker.update(objects, stamp);
  return objects[0];
}

TEST(object_tracker, does_not_take_a_cluster_of_another_size_for_the_same_object) {
  ObjectTracker tracker{TrackConfig{}};
  EXPECT_EQ(seen(tracker, 0, 15'265).id, 1U);
  EXPECT_EQ(seen(tracker, kTenthSecond, 39'212).id, 2U);
  EXPECT_EQ(seen(tracker, 2 * kTenthSecond, 16'000).id, 1U);
  EXPECT_EQ(seen(tracker, 3 * kTenthSecond, 9'000).id, 1U);
}

TEST(object_tracker, gives_scores_over_time) {
  ObjectTracker tracker{TrackConfig{}};
  EXPECT_EQ(seen(tracker, 0, 50, {0.9F, 0.1F}).scores, (std::vector<float>{0.9F, 0.1F}));
  for (int frame = 1; frame < 10; ++frame) seen(tracker, frame * kTenthSecond, 50, {0.9F, 0.1F});
  const LabeledObject odd = seen(tracker, 10 * kTenthSecond, 50, {0.2F, 0.8F});
  EXPECT_NEAR(odd.scores[0], 0.7F * 0.9F + 0.3F * 0.2F, 1e-5F) << "one odd frame changes no class";
  LabeledObject changed;
  for (int frame = 11; frame < 20; ++frame)
    changed = seen(tracker, frame * kTenthSecond, 50, {0.2F, 0.8F});
  EXPECT_GT(changed.scores[1], 0.75F) << "but many do";
  TrackConfig forgetful;
  forgetful.class_memory = 0.0;
  ObjectTracker alone(forgetful);
  seen(alone, 0, 50, {0.9F, 0.1F});
  EXPECT_EQ(seen(alone, kTenthSecond, 50, {0.2F, 0.8F}).scores, (std::vector<float>{0.2F, 0.8F}));
}

TEST(object_tracker, keeps_ids_of_moving_objects) {
  ObjectTracker tracker{TrackConfig{}};
  std::vector<std::uint32_t> first;
  for (int frame = 0; frame < 20; ++frame) {
    const auto step = static_cast<float>(frame);
    // Two objects that move as fast as the gate allows, and one at rest; listed in another order
    // each time.
    PointBuffer centroids{
        {10.0F - 1.5F * step, 3.0F, 0}, {40.0F - 1.5F * step, -3.0F, 0}, {60.0F, 0, 0}};
    const bool reversed = frame % 2 == 1;
    if (reversed) std::swap(centroids[0], centroids[2]);
    auto ids = update(tracker, centroids, frame * kTenthSecond);
    if (reversed) std::swap(ids[0], ids[2]);
    if (frame == 0) first = ids;
    EXPECT_EQ(ids, first) << "frame " << frame;
  }
}

TEST(object_tracker, remembers_an_object_for_some_frames_only) {
  TrackConfig config;
  config.max_missed = 3;
  ObjectTracker tracker(config);
  const auto id = update(tracker, {{5, 0, 0}}, 0).front();
  for (int frame = 1; frame <= 3; ++frame) update(tracker, {}, frame * kTenthSecond);
  EXPECT_EQ(update(tracker, {{5, 0, 0}}, 4 * kTenthSecond).front(), id);
  for (int frame = 5; frame <= 8; ++frame) update(tracker, {}, frame * kTenthSecond);
  EXPECT_NE(update(tracker, {{5, 0, 0}}, 9 * kTenthSecond).front(), id);
}

TEST(object_tracker, starts_anew_when_time_jumps_back) {
  ObjectTracker tracker{TrackConfig{}};
  const auto id = update(tracker, {{5, 0, 0}}, 10 * kTenthSecond).front();
  EXPECT_NE(update(tracker, {{5, 0, 0}}, kTenthSecond).front(), id);
}

TEST(object_tracker, gives_one_id_to_one_object) {
  ObjectTracker tracker{TrackConfig{}};
  update(tracker, {{5, 0, 0}}, 0);
  const auto ids = update(tracker, {{5.1F, 0, 0}, {5.2F, 0, 0}, {50, 0, 0}}, kTenthSecond);
  EXPECT_EQ(ids[0], 1U);
  EXPECT_NE(ids[1], 1U);
  EXPECT_NE(ids[2], ids[1]);
}

}  // namespace
}  // namespace pointtree::perception
