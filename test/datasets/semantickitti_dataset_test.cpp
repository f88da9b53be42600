// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <stdexcept>

#include "datasets/readers.hpp"
#include "datasets/scan_augmentation.hpp"
#include "datasets/semantickitti_splits.hpp"
#include "perception/scan_blocks.hpp"
#include "pointtree/perception/ground_plane.hpp"
#include "temporary_folder.hpp"

namespace pointtree::datasets {
namespace {

namespace fs = std::filesystem;

constexpr float kGround = -1.7F;
constexpr std::int32_t kCar = 0;
constexpr std::int32_t kRoad = 8;
constexpr std::int32_t kBuilding = 12;
const std::vector<std::uint8_t> kIsGround = [] {
  std::vector<std::uint8_t> ground(19, 0);
  ground[kRoad] = 1;
  return ground;
}();

/// Road all around, a wall to one side, a car.
Scan make_scan(std::uint64_t seed) {
  geometry::Random random(seed);
  Scan scan;
  scan.ground_height = kGround;
  const auto add = [&](double x, double y, double z, std::int32_t label, std::uint32_t instance) {
    scan.points.emplace_back(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z));
    scan.labels.push_back(label);
    scan.instance.push_back(instance);
    scan.intensity.push_back(0.3F);
  };
  for (int i = 0; i < 9000; ++i) {
    const double range = random.uniform(3.0, 30.0);
    const double angle = random.uniform(0.0, 6.2831853);
    add(range * std::cos(angle), range * std::sin(angle), kGround, kRoad, 0);
  }
  for (int i = 0; i < 2000; ++i)
    add(random.uniform(-20, 20), 14.0, random.uniform(kGround, 4.0), kBuilding, 0);
  for (int i = 0; i < 300; ++i)
    add(random.uniform(8.0, 12.0), random.uniform(-1.0, 1.0), random.uniform(kGround + 0.2, -0.2),
        kCar, 5);
  return scan;
}

void write_scan(const fs::path& sequence, const Scan& scan) {
  fs::create_directories(sequence / "velodyne");
  fs::create_directories(sequence / "labels");
  std::ofstream points(sequence / "velodyne/000000.bin", std::ios::binary);
  std::ofstream labels(sequence / "labels/000000.label", std::ios::binary);
  for (std::size_t i = 0; i < scan.points.size(); ++i) {
    points.write(reinterpret_cast<const char*>(scan.points[i].data()), 12);
    points.write(reinterpret_cast<const char*>(&scan.intensity[i]), 4);
    const std::uint32_t numbers[] = {10, 0, 0, 0, 0, 0, 0, 0, 40, 0, 0, 0, 50};
    const std::uint32_t label = numbers[scan.labels[i]] | (scan.instance[i] << 16);
    labels.write(reinterpret_cast<const char*>(&label), 4);
  }
}

TEST(ScanAugmentation, a_pasted_thing_stands_on_free_ground_and_hides_what_is_behind) {
  const Scan source = make_scan(1);
  const auto things = find_things(source, 8, 40, kIsGround);
  ASSERT_EQ(things.size(), 1U);
  EXPECT_NEAR(things[0].ground, kGround, 1e-4F);
  EXPECT_EQ(things[0].scan.points.size(), 300U);
  Scan scan = make_scan(2);
  for (Eigen::Vector3f& p : scan.points) p.z() += 0.4F;
  const std::size_t before = scan.points.size();
  geometry::Random random(3);
  ASSERT_TRUE(paste(scan, things[0], kIsGround, random));
  EXPECT_LT(scan.points.size(), before + 300);  // something was hidden
  EXPECT_GT(scan.points.size(), before / 2);
  // The pasted points are the last ones: at their own range, lifted to the new ground.
  for (std::size_t i = scan.points.size() - 300; i < scan.points.size(); ++i) {
    EXPECT_EQ(scan.labels[i], kCar);
    EXPECT_GT(scan.points[i].z(), kGround + 0.4F + 0.1F);
    EXPECT_GT(scan.points[i].head<2>().norm(), 7.9F);
    EXPECT_LT(scan.points[i].head<2>().norm(), 12.1F);
  }
}

TEST(ScanAugmentation, dropped_rings_leave_a_share_and_the_labels_stay_with_their_points) {
  for (const int keep : {2, 4}) {
    Scan scan = make_scan(4);
    const auto before = static_cast<double>(scan.points.size());
    geometry::Random random(5);
    drop_rings(scan, keep, random);
    EXPECT_NEAR(static_cast<double>(scan.points.size()) / before, 1.0 / keep, 0.35 / keep);
    for (std::size_t i = 0; i < scan.points.size(); ++i) {
      const bool wall =
          std::abs(scan.points[i].y() - 14.0F) < 1e-4F && scan.points[i].z() > kGround;
      EXPECT_EQ(scan.labels[i] == kBuilding, wall);
    }
  }
}

TEST(ScanAugmentation, a_lowered_top_loses_the_highest_beams_and_no_other) {
  const auto slope = [](const Eigen::Vector3f& p) { return p.z() / p.head<2>().norm(); };
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const Scan whole = make_scan(4);
    Scan scan = whole;
    geometry::Random random(seed);
    lower_top(scan, -4.0, random);
    ASSERT_LT(scan.points.size(), whole.points.size());
    float highest = -10.0F;
    for (const Eigen::Vector3f& p : scan.points) highest = std::max(highest, slope(p));
    EXPECT_GE(highest, std::tan(-4.5F * 3.14159F / 180.0F));
    std::size_t below = 0;
    for (const Eigen::Vector3f& p : whole.points) below += slope(p) <= highest ? 1 : 0;
    EXPECT_EQ(scan.points.size(), below);
  }
}

TEST(ScanAugmentation, a_mixed_scan_is_made_of_both_on_one_ground) {
  Scan scan = make_scan(6);
  Scan other = make_scan(7);
  for (Eigen::Vector3f& p : other.points) p.z() -= 1.0F;
  other.ground_height -= 1.0F;
  for (float& value : other.intensity) value = 0.9F;
  geometry::Random random(8);
  mix_sectors(scan, other, random);
  int of_other = 0;
  for (std::size_t i = 0; i < scan.points.size(); ++i) {
    of_other += scan.intensity[i] > 0.5F ? 1 : 0;
    if (scan.labels[i] == kRoad) {
      EXPECT_NEAR(scan.points[i].z(), kGround, 1e-4F);
    }
  }
  EXPECT_GT(of_other, 1000);
  EXPECT_LT(of_other, static_cast<int>(scan.points.size()) - 1000);
}

TEST(ScanAugmentation, variation_keeps_sizes_within_the_scale_and_the_ground_below) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Scan scan = make_scan(9);
    geometry::Random random(seed);
    vary(scan, {}, random);
    ASSERT_EQ(scan.labels.size(), scan.points.size());
    double ground = 0.0;
    int count = 0;
    for (std::size_t i = 0; i < scan.points.size(); ++i) {
      if (scan.labels[i] != kRoad || scan.points[i].norm() > 10.0F) continue;
      ground += scan.points[i].z();
      ++count;
    }
    ASSERT_GT(count, 50);
    EXPECT_NEAR(ground / count, scan.ground_height, 0.3);
    EXPECT_NEAR(scan.ground_height, kGround, 0.8);
  }
}

TEST(SemanticKittiDataset, blocks_have_the_channels_that_the_pipeline_computes) {
  const test::TemporaryFolder folder;
  const Scan scan = make_scan(10);
  write_scan(folder.path() / "sequences/07", scan);
  const auto data = open_dataset(folder.path(), "auto", "validation");
  EXPECT_EQ(data->info().kind, "semantickitti");
  EXPECT_EQ(data->info().extra_channels, perception::scan_channels());
  const auto plane = perception::find_ground_plane(scan.points, perception::UpDirection::z, 1);
  ASSERT_TRUE(plane);
  perception::PointBuffer level;
  for (const Eigen::Vector3f& p : scan.points)
    level.emplace_back(perception::level_rotation(plane->up) * p);
  perception::ScanBlocks expected;
  expected.assign(level, scan.intensity, -plane->sensor_height, 0.2F, 4096);
  ASSERT_EQ(data->size(), expected.blocks().size());
  for (std::size_t k = 0; k < data->size(); ++k) {
    const Example example = data->at(k);
    const perception::Block& block = expected.blocks()[k];
    ASSERT_EQ(static_cast<std::size_t>(example.points.rows()), block.size());
    EXPECT_LE(block.size(), 4096U);
    for (std::size_t row = 0; row < block.size(); ++row) {
      std::vector<float> channels(perception::scan_channels().size());
      expected.features().write(block[row], channels.data());
      for (std::size_t c = 0; c < channels.size(); ++c) {
        EXPECT_EQ(example.extra(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(c)),
                  channels[c]);
      }
      EXPECT_EQ(example.point_labels[row], scan.labels[block[row]]);
    }
  }
}

TEST(SemanticKittiDataset, training_blocks_are_the_same_at_every_call_and_varied_between_scans) {
  const test::TemporaryFolder folder;
  write_scan(folder.path() / "sequences/00", make_scan(11));
  write_scan(folder.path() / "sequences/01", make_scan(12));
  const auto data = open_semantickitti(folder.path(), "train");
  const auto again = open_semantickitti(folder.path(), "train");
  EXPECT_TRUE(data->in_random_order());
  for (const std::size_t index : {0U, 1U, 8U, 95U, 96U, 5000U}) {
    const Example example = data->at(index);
    EXPECT_EQ(example.points, again->at(index).points);
    EXPECT_LE(example.points.rows(), 4096);
    EXPECT_EQ(static_cast<std::size_t>(example.points.rows()), example.point_labels.size());
    EXPECT_EQ(example.extra.rows(), example.points.rows());
    EXPECT_TRUE(example.extra.allFinite());
  }
  EXPECT_NE(data->at(0).points.rows(), data->at(1).points.rows());
}

TEST(SemanticKittiDataset, a_sequence_is_learned_from_or_held_out_never_both) {
  for (const std::string sequence : {"00", "07", "08", "09", "10", "pandaset_001"}) {
    const bool validation = sequence_in_split(sequence, "validation");
    const bool test = sequence_in_split(sequence, "test_public");
    EXPECT_EQ(sequence_in_split(sequence, "train"), !validation && !test) << sequence;
    EXPECT_EQ(sequence_in_split(sequence, "train_all"), !test) << sequence;
    EXPECT_TRUE(sequence_in_split(sequence, "05," + sequence)) << sequence;
  }
  EXPECT_TRUE(sequence_in_split("10", "test"));
  EXPECT_FALSE(sequence_in_split("11", "train_all")) << "it has no labels";
}

TEST(SemanticKittiDataset, errors_name_the_folder_and_the_split) {
  const test::TemporaryFolder folder;
  EXPECT_THROW(open_semantickitti(folder.path(), "train"), std::runtime_error);
  write_scan(folder.path() / "sequences/00", make_scan(13));
  try {
    open_semantickitti(folder.path(), "validation");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("split 'validation'"), std::string::npos);
  }
}

}  // namespace
}  // namespace pointtree::datasets
