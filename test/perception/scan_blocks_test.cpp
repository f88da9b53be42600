// SPDX-License-Identifier: Apache-2.0
#include "perception/scan_blocks.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>

#include "cloud_bytes.hpp"
#include "fake_recogniser.hpp"
#include "pointtree/geometry/random.hpp"
#include "pointtree/perception/pipeline.hpp"
#include "pointtree/perception/pipeline_config.hpp"

namespace pointtree::perception {
namespace {

constexpr float kSensorHeight = 1.7F;

/// A level street: ground denser near the sensor, a wall, a post and a box of a car's size.
PointBuffer street(std::uint64_t seed) {
  geometry::Random random(seed);
  const auto between = [&random](double low, double high) {
    return static_cast<float>(random.uniform(low, high));
  };
  PointBuffer points;
  for (int i = 0; i < 12000; ++i) {
    const float range = between(2.5, 40.0);
    const float angle = between(0.0, 6.2831853);
    points.emplace_back(range * std::cos(angle), range * std::sin(angle), -kSensorHeight);
  }
  // Drawn before the call: compilers differ in which argument they evaluate first.
  for (int i = 0; i < 3000; ++i) {
    const float z = between(0.0, 6.0) - kSensorHeight;
    points.emplace_back(between(-20, 20), 15.0F, z);
  }
  for (int i = 0; i < 300; ++i)
    points.emplace_back(6.25F, -5.25F, between(0.0, 4.0) - kSensorHeight);
  for (int i = 0; i < 800; ++i) {
    const float z = between(0.0, 1.5) - kSensorHeight;
    points.emplace_back(between(8.0, 12.0), 4.0F, z);
  }
  return points;
}

std::vector<float> channels_of(const ScanFeatures& features, std::size_t point) {
  std::vector<float> row(scan_channels().size());
  features.write(point, row.data());
  return row;
}

std::size_t channel(const std::string& name) {
  const auto& names = scan_channels();
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

class TreeCut : public ::testing::TestWithParam<int> {};

TEST_P(TreeCut, blocks_hold_every_point_once_and_none_too_many) {
  const PointBuffer points = street(1);
  const int most = GetParam();
  const auto blocks = cut_tree_blocks(points, most);
  const std::size_t fewest = (points.size() + most - 1) / static_cast<std::size_t>(most);
  EXPECT_EQ(blocks.size(), fewest);
  std::set<std::uint32_t> seen;
  for (const Block& block : blocks) {
    EXPECT_LE(block.size(), static_cast<std::size_t>(most));
    EXPECT_GE(block.size() + fewest, points.size() / fewest);
    for (const std::uint32_t point : block) EXPECT_TRUE(seen.insert(point).second);
  }
  EXPECT_EQ(seen.size(), points.size());
}

TEST(ScanBlocks, two_cuts_show_every_representing_point_in_two_surroundings) {
  const PointBuffer points = street(2);
  ScanBlocks scan;
  scan.assign(points, {}, -kSensorHeight, 0.2F, 1000, 2);
  std::map<std::uint32_t, std::vector<const Block*>> blocks_of;
  for (const Block& block : scan.blocks()) {
    for (const std::uint32_t point : block) blocks_of[point].push_back(&block);
  }
  std::size_t moved = 0;
  for (const auto& [point, blocks] : blocks_of) {
    ASSERT_EQ(blocks.size(), 2U);
    moved += *blocks[0] != *blocks[1] ? 1U : 0U;
  }
  EXPECT_GT(moved, blocks_of.size() / 2);
}

INSTANTIATE_TEST_SUITE_P(sizes, TreeCut, ::testing::Values(1, 7, 1000, 4096, 100000));

TEST(ScanBlocks, every_point_has_a_representative_in_one_block_and_in_its_voxel) {
  const PointBuffer points = street(2);
  ScanBlocks scan;
  scan.assign(points, {}, -kSensorHeight, 0.2F, 512);
  std::set<std::uint32_t> sampled;
  for (const Block& block : scan.blocks()) {
    EXPECT_LE(block.size(), 512U);
    for (const std::uint32_t point : block) EXPECT_TRUE(sampled.insert(point).second);
  }
  EXPECT_LT(sampled.size(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::uint32_t other = scan.representatives()[i];
    ASSERT_EQ(sampled.count(other), 1U);
    EXPECT_EQ(scan.representatives()[other], other);
    EXPECT_LT((points[i] - points[other]).cwiseAbs().maxCoeff(), 0.2001F);
  }
}

TEST(ScanFeatures, know_the_ground_the_post_and_the_car) {
  const PointBuffer points = street(3);
  ScanFeatures features;
  features.assign(points, std::vector<float>(points.size(), 0.4F), -kSensorHeight);
  const std::size_t height = channel("height");
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto row = channels_of(features, i);
    EXPECT_NEAR(2.0F * row[height], points[i].z() + kSensorHeight, 0.15F) << points[i].transpose();
    EXPECT_NEAR(20.0F * row[channel("range")], points[i].norm(), 1e-3F);
    EXPECT_NEAR(row[channel("intensity")], 0.5F, 1e-6F);
  }
  const auto post = channels_of(features, 15010);
  const auto car = channels_of(features, 15310);
  const auto road = channels_of(features, 10);
  EXPECT_GT(post[channel("column_height")], 1.5F);
  EXPECT_LT(post[channel("tall_near")], 0.2F);
  EXPECT_GT(car[channel("middle_near")], road[channel("middle_near")]);
}

TEST(ScanFeatures, do_not_depend_on_the_unit_of_intensity_and_work_without) {
  const PointBuffer points = street(4);
  geometry::Random random(5);
  std::vector<float> intensity(points.size());
  for (float& value : intensity) value = static_cast<float>(random.uniform(0.01, 1.0));
  std::vector<float> other = intensity;
  for (float& value : other) value *= 255.0F;
  ScanFeatures in_ones;
  ScanFeatures in_bytes;
  ScanFeatures without;
  in_ones.assign(points, intensity, -kSensorHeight);
  in_bytes.assign(points, other, -kSensorHeight);
  without.assign(points, {}, -kSensorHeight);
  for (std::size_t i = 0; i < points.size(); i += 17) {
    const auto a = channels_of(in_ones, i);
    const auto b = channels_of(in_bytes, i);
    const auto c = channels_of(without, i);
    for (std::size_t k = 0; k < a.size(); ++k) {
      EXPECT_NEAR(a[k], b[k], 1e-3F) << scan_channels()[k];
      if (scan_channels()[k].rfind("intensity", 0) == 0) {
        EXPECT_EQ(c[k], 0.0F) << scan_channels()[k];
      } else {
        EXPECT_EQ(c[k], a[k]) << scan_channels()[k];
      }
    }
  }
}

TEST(ScanFeatures, are_not_lowered_by_a_single_reflection_below_the_ground) {
  PointBuffer points = street(6);
  points.emplace_back(points[10].x(), points[10].y(), -6.0F);
  points.emplace_back(points[10].x(), points[10].y(), -kSensorHeight);
  ScanFeatures features;
  features.assign(points, {}, -kSensorHeight);
  EXPECT_NEAR(channels_of(features, 10)[channel("height")], 0.0F, 0.05F);
}

/// Keeps what the pipeline gave to the network.
class Listener final : public Recogniser {
 public:
  Listener() : fake_(true) { fake_.ask_for(scan_channels()); }
  const inference::EngineInfo& info() const override { return fake_.info(); }
  inference::Answers<inference::Classification> classify(
      const std::vector<inference::CloudInput>& clouds) const override {
    return fake_.classify(clouds);
  }
  inference::Answers<inference::Segmentation> segment(
      const std::vector<inference::CloudInput>& clouds) const override {
    for (const inference::CloudInput& cloud : clouds) {
      points.emplace_back(cloud.points);
      channels.emplace_back(cloud.channels);
    }
    return fake_.segment(clouds);
  }
  mutable std::vector<geometry::Points> points;
  mutable std::vector<Eigen::MatrixXf> channels;

 private:
  FakeRecogniser fake_;
};

PipelineConfig scene_config(const std::string& things) {
  PipelineConfig config = default_config(Mode::scene);
  config.classes.things = things;
  return config;
}

TEST(ScanPipeline, labels_every_point_and_gives_the_channels_of_scan_features) {
  const PointBuffer points = street(7);
  PipelineConfig config = scene_config("");
  config.up = UpDirection::z;
  const auto listener = std::make_shared<Listener>();
  Pipeline pipeline(config, listener);
  CloudBytes cloud = to_cloud(points);
  const auto result = pipeline.process(cloud.raw(), 0);
  ASSERT_TRUE(result) << result.error().message;
  for (std::size_t i = 0; i < points.size(); ++i) {
    // A voxel may straddle the height at which the stand-in changes its mind.
    if (std::abs(points[i].z() + 1.0F) < 0.2F) continue;
    EXPECT_EQ(result->labels[i].class_id, points[i].z() > -1.0F ? 1 : 0) << i;
  }
  ScanBlocks expected;
  expected.assign(points, {}, -result->ground.sensor_height, 0.2F, 256, config.blocks.cuts);
  ASSERT_EQ(listener->points.size(), expected.blocks().size());
  for (std::size_t k = 0; k < expected.blocks().size(); ++k) {
    const Block& block = expected.blocks()[k];
    for (const std::uint32_t point : block) {
      bool found = false;
      for (Eigen::Index row = 0; row < listener->points[k].rows() && !found; ++row) {
        if (listener->points[k].row(row) != points[point].transpose()) continue;
        found = true;
        const auto channels = channels_of(expected.features(), point);
        for (std::size_t c = 0; c < channels.size(); ++c)
          EXPECT_EQ(listener->channels[k](row, static_cast<Eigen::Index>(c)), channels[c]);
      }
      ASSERT_TRUE(found);
    }
  }
}

TEST(ScanPipeline, labels_do_not_change_when_the_sensor_hangs_upside_down) {
  const PointBuffer points = street(8);
  const Eigen::Matrix3f turn = (Eigen::AngleAxisf(3.1F, Eigen::Vector3f::UnitX()) *
                                Eigen::AngleAxisf(0.7F, Eigen::Vector3f::UnitZ()))
                                   .toRotationMatrix();
  PointBuffer turned;
  for (const Eigen::Vector3f& p : points) turned.emplace_back(turn * p);
  Pipeline pipeline(scene_config(""), std::make_shared<Listener>());
  CloudBytes cloud = to_cloud(points);
  CloudBytes other = to_cloud(turned);
  const auto a = pipeline.process(cloud.raw(), 0);
  const auto b = pipeline.process(other.raw(), 0);
  ASSERT_TRUE(a && b);
  std::size_t changed = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    changed += a->labels[i].class_id != b->labels[i].class_id ? 1U : 0U;
  EXPECT_LT(changed, points.size() / 100);
}

TEST(ScanPipeline, joins_labelled_points_to_objects_that_keep_their_numbers) {
  CloudBytes cloud = to_cloud(street(9));
  Pipeline pipeline(scene_config("high"), std::make_shared<Listener>());
  const auto first = pipeline.process(cloud.raw(), 0);
  const auto second = pipeline.process(cloud.raw(), 100'000'000);
  ASSERT_TRUE(first && second);
  // The post and the box; the wall is longer than an object may be.
  ASSERT_EQ(first->objects.size(), 2U);
  for (std::size_t k = 0; k < first->objects.size(); ++k) {
    const LabeledObject& object = first->objects[k];
    EXPECT_EQ(object.class_id, 1);
    EXPECT_NEAR(object.confidence, 0.9F, 1e-3F);
    EXPECT_EQ(object.id, second->objects[k].id);
    std::size_t members = 0;
    for (const PointLabel& label : first->labels)
      members += label.object == static_cast<std::int32_t>(k) ? 1U : 0U;
    EXPECT_EQ(members, object.point_count);
  }
  EXPECT_LT(first->objects[0].box.size.x(), 0.5F) << "the post is nearer than the box";
  EXPECT_NEAR(first->objects[1].box.size.x(), 4.0F, 0.3F);
}

TEST(ScanPipeline, an_object_settles_the_class_of_its_points) {
  PointBuffer points = street(10);
  const std::size_t bottom = points.size();
  // A hanging pillar of which the stand-in takes the lowest part for another class.
  for (int i = 0; i < 400; ++i)
    points.emplace_back(5.0F, 5.0F, -1.2F + 3.0F * static_cast<float>(i) / 400.0F);
  CloudBytes cloud = to_cloud(points);
  const auto class_of_bottom = [&](const std::string& things) {
    Pipeline pipeline(scene_config(things), std::make_shared<Listener>());
    return pipeline.process(cloud.raw(), 0).value().labels[bottom].class_id;
  };
  EXPECT_EQ(class_of_bottom("high"), 0);
  EXPECT_EQ(class_of_bottom("low, high"), 0);
  EXPECT_EQ(class_of_bottom("low/high"), 1);
}

TEST(ScanPipeline, refuses_things_that_are_no_class_of_the_model) {
  try {
    Pipeline pipeline(scene_config("high/hihg"), std::make_shared<Listener>());
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("classes.things: 'hihg'"), std::string::npos);
  }
}

}  // namespace
}  // namespace pointtree::perception
