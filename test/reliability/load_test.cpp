// SPDX-License-Identifier: Apache-2.0

// The pipeline at the edges of what may be asked of it.
#include <gtest/gtest.h>
#include <malloc.h>

#include <memory>
#include <random>
#include <set>

#include "perception/cloud_bytes.hpp"
#include "perception/fake_recogniser.hpp"
#include "perception/synthetic_scene.hpp"
#include "pointtree/perception/pipeline.hpp"

namespace pointtree::perception {
namespace {

constexpr std::int64_t kPeriod = 100'000'000;

Pipeline make_pipeline(PipelineConfig config = {}) {
  return Pipeline(config, std::make_shared<FakeRecogniser>(config.mode == Mode::blocks));
}

/// Posts on a square grid on level ground.
PointBuffer grid_of_posts(int count) {
  SyntheticScene scene([](float, float) { return -2.0F; }, 5);
  scene.add_ground(20'000, 70.0F);
  const int side = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(count + 1))));
  for (int k = 0, cell = 0; k < count; ++cell) {
    const int column = cell % side - side / 2;
    const int row = cell / side - side / 2;
    const float x = 3.0F * static_cast<float>(column);
    const float y = 3.0F * static_cast<float>(row);
    if (x == 0.0F && y == 0.0F) continue;
    scene.add_box(x, y, {0.5F, 0.5F, 1.8F}, 0.0F, 120);
    ++k;
  }
  return scene.points;
}

class Crowd : public ::testing::TestWithParam<int> {};

TEST_P(Crowd, is_found_and_the_nearest_are_classified) {
  PipelineConfig config;
  config.max_objects = 64;
  auto pipeline = make_pipeline(config);
  auto cloud = to_cloud(grid_of_posts(GetParam()));
  const auto result = pipeline.process(cloud.raw(), kPeriod);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(static_cast<std::size_t>(GetParam()), result->objects.size());
  int classified = 0;
  for (const auto& object : result->objects) classified += object.classified ? 1 : 0;
  EXPECT_EQ(std::min(GetParam(), config.max_objects), classified);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Crowd, ::testing::Values(0, 1, 500));

TEST(Load, a_million_points_are_answered) {
  std::mt19937 random(6);
  std::uniform_real_distribution<float> place(-70.0F, 70.0F);
  PointBuffer points;
  for (int i = 0; i < 1'000'000; ++i) {
    points.emplace_back(place(random), place(random), -1.8F + 1e-6F * static_cast<float>(i));
  }
  for (const Mode mode : {Mode::objects, Mode::blocks}) {
    auto pipeline = make_pipeline(default_config(mode));
    auto cloud = to_cloud(points);
    const auto result = pipeline.process(cloud.raw(), kPeriod);
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(points.size(), result->labels.size());
  }
}

TEST(Load, a_header_that_promises_too_much_costs_nothing) {
  auto pipeline = make_pipeline();
  auto cloud = to_cloud(PointBuffer(8, Eigen::Vector3f(1, 2, 3)));
  const std::size_t before = mallinfo2().uordblks;
  for (const std::uint32_t width : {65'536U, 0xFFFFFFFFU}) {
    cloud.raw().width = width;
    cloud.raw().height = 65'536;
    const auto result = pipeline.process(cloud.raw(), kPeriod);
    ASSERT_FALSE(result);
    EXPECT_EQ(RejectKind::too_many_points, result.error().kind);
  }
  cloud.raw().width = 4'000'000;
  cloud.raw().height = 1;
  const auto result = pipeline.process(cloud.raw(), kPeriod);
  ASSERT_FALSE(result);
  EXPECT_EQ(RejectKind::short_data, result.error().kind);
  EXPECT_LT(mallinfo2().uordblks, before + 4096);
}

TEST(Load, ten_thousand_frames_leave_the_heap_as_it_was) {
  const auto recogniser = std::make_shared<FakeRecogniser>();
  Pipeline pipeline({}, recogniser);
  std::vector<CloudBytes> clouds;
  std::mt19937 random(7);
  for (int k = 0; k < 8; ++k) {
    SyntheticScene scene([](float, float) { return -1.8F; }, random());
    scene.add_ground(400, 12.0F);
    for (int box = 0; box < k % 4; ++box)
      scene.add_box(4.0F, 3.0F * static_cast<float>(box - 1), {0.6F, 0.6F, 1.5F}, 0.3F, 50);
    clouds.push_back(to_cloud(scene.points));
  }
  // Every third frame is one that is rejected.
  auto broken = clouds.front();
  broken.raw().width += 1;
  std::size_t after_warm_up = 0;
  std::size_t most = 0;
  for (int frame = 0; frame < 10'000; ++frame) {
    auto& cloud = frame % 3 == 2 ? broken : clouds[static_cast<std::size_t>(frame) % clouds.size()];
    EXPECT_EQ(frame % 3 != 2, pipeline.process(cloud.raw(), frame * kPeriod).has_value());
    recogniser->batches.clear();
    if (frame < 100) {
      after_warm_up = std::max(after_warm_up, std::size_t{mallinfo2().uordblks});
    } else {
      most = std::max(most, std::size_t{mallinfo2().uordblks});
    }
  }
  EXPECT_LT(most, after_warm_up + 10'000) << "one byte per frame";
}

TEST(Load, a_clock_that_jumps_back_starts_new_objects) {
  auto pipeline = make_pipeline();
  auto cloud = to_cloud(grid_of_posts(5));
  std::set<std::uint32_t> seen;
  std::set<std::uint32_t> last;
  for (const std::int64_t stamp : {10 * kPeriod, 11 * kPeriod, 2 * kPeriod, 3 * kPeriod,
                                   std::int64_t{-5}, std::int64_t{0}, 11 * kPeriod}) {
    const auto result = pipeline.process(cloud.raw(), stamp);
    ASSERT_TRUE(result);
    EXPECT_EQ(stamp, result->stamp);
    std::set<std::uint32_t> ids;
    for (const auto& object : result->objects) ids.insert(object.id);
    EXPECT_EQ(5U, ids.size());
    const bool jumped = stamp == 2 * kPeriod || stamp == -5;
    if (jumped) {
      for (const auto id : ids) EXPECT_EQ(0U, seen.count(id)) << "number used twice";
    } else if (!last.empty()) {
      EXPECT_EQ(last, ids);
    }
    seen.insert(ids.begin(), ids.end());
    last = ids;
  }
}

}  // namespace
}  // namespace pointtree::perception
