// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "perception/block_cutter.hpp"
#include "perception/cloud_bytes.hpp"
#include "perception/fake_recogniser.hpp"
#include "perception/synthetic_scene.hpp"
#include "pointtree/perception/pipeline.hpp"

namespace pointtree::perception {
namespace {

PointBuffer room(std::uint32_t seed) {
  SyntheticScene scene([](float, float) { return -1.5F; }, seed);
  scene.add_ground(30'000, 6.0F);
  scene.add_box(3.0F, 1.0F, {1.5F, 0.8F, 1.2F}, 0.2F, 4000);
  scene.add_box(-2.0F, -3.0F, {0.6F, 0.6F, 1.8F}, 0.0F, 3000);
  return scene.points;
}

TEST(cut_blocks, leaves_no_narrow_column_at_the_end) {
  PointBuffer floor;
  for (float x = -1.0F; x < 3.1F; x += 0.05F) {
    for (float y = 5.0F; y < 7.5F; y += 0.05F) floor.emplace_back(x, y, 0.0F);
  }
  BlockConfig config;
  config.size = config.stride = 1.0;
  // 4.1 m in four columns, 2.5 m in three.
  const auto blocks = cut_blocks(floor, config);
  ASSERT_EQ(blocks.size(), 12U);
  for (const Block& block : blocks)
    EXPECT_NEAR(static_cast<double>(block.size()), static_cast<double>(floor.size()) / 12.0, 50.0);
}

TEST(cut_blocks, puts_every_point_in_one_square) {
  const PointBuffer points = room(1);
  BlockConfig config;
  config.size = config.stride = 1.0;
  config.min_points = 1;
  config.max_count = 65536;
  std::vector<int> times(points.size(), 0);
  double last = 0.0;
  for (const Block& block : cut_blocks(points, config)) {
    Eigen::Array2f low = points[block.front()].head<2>();
    Eigen::Array2f high = low;
    for (const std::uint32_t index : block) {
      low = low.min(points[index].head<2>().array());
      high = high.max(points[index].head<2>().array());
      ++times[index];
    }
    EXPECT_LT((high - low).maxCoeff(), 1.15F);
    const double distance = (0.5F * (low + high)).matrix().norm();
    EXPECT_GE(distance, last - 0.2) << "nearest first";
    last = distance;
  }
  for (const int count : times) EXPECT_EQ(count, 1);
}

TEST(cut_blocks, overlaps_by_size_over_stride) {
  const PointBuffer points = room(2);
  BlockConfig config;
  config.size = 1.0;
  config.stride = 0.5;
  config.min_points = 1;
  config.max_count = 65536;
  std::vector<int> times(points.size(), 0);
  for (const Block& block : cut_blocks(points, config)) {
    for (const std::uint32_t index : block) ++times[index];
  }
  for (const int count : times) EXPECT_EQ(count, 4);
}

TEST(cut_blocks, leaves_out_sparse_and_surplus_columns) {
  BlockConfig config;
  config.min_points = 3;
  config.max_count = 1;
  const PointBuffer points{{0.1F, 0.1F, 0}, {0.2F, 0.1F, 0}, {0.3F, 0.1F, 0}, {5.1F, 0, 0},
                           {5.2F, 0, 0},    {9.1F, 0, 0},    {9.2F, 0, 0},    {9.3F, 0, 0}};
  const auto blocks = cut_blocks(points, config);
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_EQ(blocks[0], (Block{0, 1, 2}));
}

class BlocksMode : public ::testing::TestWithParam<double> {};

TEST_P(BlocksMode, labels_sampled_and_unsampled_points_alike) {
  const PointBuffer points = room(3);
  PipelineConfig config = default_config(Mode::blocks);
  config.blocks.stride = GetParam();
  config.blocks.min_points = 16;
  Pipeline pipeline(config, std::make_shared<FakeRecogniser>(true));
  CloudBytes cloud = to_cloud(points);
  const auto result = pipeline.process(cloud.raw(), 0);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_GT(result->blocks, 50U);
  int labelled = 0;
  int wrong = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const PointLabel& label = result->labels[i];
    if (label.class_id == kUnknownClass) continue;
    ++labelled;
    // Leaves straddle the boundary between the classes, so points close to it may go either way.
    if (std::abs(points[i].z() + 1.0F) < 0.15F) continue;
    wrong += static_cast<int>(label.class_id != (points[i].z() > -1.0F ? 1 : 0));
    EXPECT_LE(label.probability, 0.9F + 1e-6F);
    EXPECT_NEAR(label.entropy, 0.3F / std::log(2.0F), 1e-5F);
  }
  EXPECT_GT(labelled, static_cast<int>(points.size() * 0.95));
  EXPECT_LT(wrong, labelled / 50);
}

INSTANTIATE_TEST_SUITE_P(strides, BlocksMode, ::testing::Values(1.0, 0.5));

TEST(blocks_pipeline, leaves_points_outside_all_columns_unknown) {
  PipelineConfig config = default_config(Mode::blocks);
  config.blocks.min_points = 1'000'000;
  Pipeline pipeline(config, std::make_shared<FakeRecogniser>(true));
  CloudBytes cloud = to_cloud(room(4));
  const auto result = pipeline.process(cloud.raw(), 0);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->blocks, 0U);
  for (const PointLabel& label : result->labels) {
    EXPECT_EQ(label.class_id, kUnknownClass);
    EXPECT_EQ(label.probability, 0.0F);
    EXPECT_TRUE(std::isnan(label.entropy));
  }
}

// Colours lie in the bits of what is declared a float; with the highest byte set that is no number.
TEST(blocks, give_the_model_each_points_colour_and_black_where_there_is_none) {
  constexpr std::uint32_t kCount = 600;
  const auto recogniser = std::make_shared<FakeRecogniser>(true);
  recogniser->ask_for({"blue", "height", "red"});
  PipelineConfig config;
  config.mode = Mode::blocks;
  config.up = UpDirection::z;
  Pipeline pipeline(config, recogniser);
  for (const bool coloured : {true, false}) {
    CloudBytes cloud(kCount, 1, 16);
    cloud.add_field("x", 0, io::ScalarType::float32);
    cloud.add_field("y", 4, io::ScalarType::float32);
    cloud.add_field("z", 8, io::ScalarType::float32);
    if (coloured) cloud.add_field("rgb", 12, io::ScalarType::float32);
    for (std::uint32_t i = 0; i < kCount; ++i) {
      const float z = i % 2 == 0 ? 0.0F : 1.0F;
      cloud.put(0, i, 0, 0.001F * static_cast<float>(i));
      cloud.put(0, i, 4, 0.002F * static_cast<float>(i % 37));
      cloud.put(0, i, 8, z);
      cloud.put(0, i, 12, i % 2 == 0 ? std::uint32_t{0xFFFF8033} : std::uint32_t{0x00330080});
    }
    recogniser->heights_and_channels.clear();
    ASSERT_TRUE(pipeline.process(*CloudView::make(cloud.raw(), kCount), 0).has_value());
    ASSERT_FALSE(recogniser->heights_and_channels.empty());
    for (const auto& [z, channels] : recogniser->heights_and_channels) {
      ASSERT_EQ(channels.cols(), 3);
      for (Eigen::Index row = 0; row < z.size(); ++row) {
        const bool low = z[row] < 0.5F;
        EXPECT_FLOAT_EQ(channels(row, 0), coloured ? (low ? 0.2F : 128.0F / 255.0F) : 0.0F);
        EXPECT_FLOAT_EQ(channels(row, 2), coloured ? (low ? 1.0F : 0.2F) : 0.0F);
      }
    }
  }
}

}  // namespace
}  // namespace pointtree::perception
