// SPDX-License-Identifier: Apache-2.0
#include "cli/replay.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/ground_truth.hpp"
#include "cli/replay_report.hpp"
#include "perception/fake_recogniser.hpp"
#include "perception/synthetic_scene.hpp"
#include "pointtree/io/bag.hpp"
#include "pointtree/io/bag_writer.hpp"
#include "temporary_folder.hpp"

namespace pointtree::cli {
namespace {

namespace fs = std::filesystem;
using perception::FakeRecogniser;
using test::content_of;

constexpr std::int64_t kTenthSecond = 100'000'000;

class ReplayTest : public ::testing::Test {
 protected:
  /// A street whose points are labelled 0 (car) and 1 (post), 7 for the ground.
  static io::Cloud labelled_street(std::uint32_t seed) {
    const auto scene = perception::street(perception::flat_ground, seed);
    io::Cloud cloud;
    cloud.points = Eigen::Map<const geometry::Points>(
        scene.points.front().data(), static_cast<Eigen::Index>(scene.points.size()), 3);
    cloud.width = static_cast<std::uint32_t>(scene.points.size());
    for (const std::int32_t object : scene.object)
      cloud.labels.push_back(object < 0 ? 7 : object % 2);
    return cloud;
  }

  fs::path write_bag(int frames) const {
    const fs::path path = folder_ / "street.mcap";
    io::BagWriter writer(path);
    io::BagTopic topic;
    topic.name = "/lidar";
    topic.type = io::kPointCloud2Type;
    const std::size_t number = writer.add_topic(topic);
    const io::Cloud cloud = labelled_street(1);
    for (int k = 0; k < frames; ++k) {
      const auto message =
          io::make_point_cloud2(cloud, io::make_header(kTenthSecond * (k + 1), "lidar"));
      writer.write(number, kTenthSecond * (k + 1), io::encode_point_cloud2(message));
    }
    writer.close();
    std::ofstream(folder_ / "street.labels.yaml") << "- car\n- post\n";
    return path;
  }

  test::TemporaryFolder folder_;
};

TEST_F(ReplayTest, plays_every_frame_and_evaluates_it_by_the_labels) {
  ReplayOptions options;
  options.recordings = {write_bag(3)};
  options.report = folder_ / "report.json";
  options.output = folder_ / "out.mcap";
  const std::string text = replay(options, std::make_shared<FakeRecogniser>()).text;
  EXPECT_NE(text.find("3 frames, 0 rejected"), std::string::npos) << text;
  const auto report = nlohmann::json::parse(content_of(options.report));
  EXPECT_EQ(report["frames"], 3);
  EXPECT_EQ(report["objects"], 48);
  EXPECT_EQ(report["ground_truth"]["objects"]["overall_accuracy"], 1.0);
  EXPECT_EQ(report["ground_truth"]["objects"]["count"], 48);
  EXPECT_GT(report["ground_truth"]["points"]["overall_accuracy"], 0.8);
  EXPECT_GT(report["latency_ms"]["total"]["p99"], 0.0);
  EXPECT_EQ(report["frame_list"][0]["objects"][0]["truth"],
            report["frame_list"][0]["objects"][0]["class"]);
}

TEST_F(ReplayTest, writes_the_labelled_clouds_in_the_24_byte_layout) {
  ReplayOptions options;
  options.recordings = {write_bag(2)};
  options.output = folder_ / "out.mcap";
  replay(options, std::make_shared<FakeRecogniser>());
  const auto bag = io::open_bag(options.output);
  ASSERT_EQ(bag->topics().size(), 4U);
  for (const io::BagTopic& topic : bag->topics()) {
    EXPECT_EQ(topic.message_count, 2U) << topic.name;
    EXPECT_FALSE(topic.definition.empty()) << topic.name;
  }
  io::BagSelection selection;
  selection.topics = {"/pointtree/output/segmentation"};
  bag->select(selection);
  const io::Cloud input = labelled_street(1);
  int messages = 0;
  while (const auto message = bag->next()) {
    ++messages;
    EXPECT_EQ(message->log_time, kTenthSecond * messages);
    const auto cloud = io::decode_point_cloud2(message->data);
    EXPECT_EQ(cloud.header.nanoseconds(), kTenthSecond * messages);
    EXPECT_EQ(cloud.header.frame_id, "lidar");
    EXPECT_EQ(cloud.point_step, 24U);
    ASSERT_EQ(cloud.width, input.width);
    const auto view = perception::CloudView::make(cloud, 1'000'000);
    ASSERT_TRUE(view);
    for (std::size_t i = 0; i < view->size(); ++i) {
      const Eigen::RowVector3f position = view->position(i).cast<float>().transpose();
      ASSERT_EQ(position, input.points.row(static_cast<Eigen::Index>(i)));
      const double class_id = view->field("class_id")->read(view->address(i));
      if (class_id == perception::kUnknownClass) {
        ASSERT_EQ(view->field("probability")->read(view->address(i)), 0.0);
        ASSERT_TRUE(std::isnan(view->field("entropy")->read(view->address(i))));
      } else {
        ASSERT_EQ(class_id, input.labels[i]);
      }
    }
  }
  EXPECT_EQ(messages, 2);
}

TEST_F(ReplayTest, gives_the_same_bytes_twice) {
  ReplayOptions options;
  options.recordings = {write_bag(2)};
  options.output = folder_ / "a.mcap";
  replay(options, std::make_shared<FakeRecogniser>());
  options.output = folder_ / "b.mcap";
  replay(options, std::make_shared<FakeRecogniser>());
  EXPECT_EQ(content_of(folder_ / "a.mcap"), content_of(folder_ / "b.mcap"));
}

TEST_F(ReplayTest, plays_the_part_that_was_chosen) {
  ReplayOptions options;
  options.recordings = {write_bag(6)};
  options.selection.start = 0.15;
  options.selection.duration = 0.2;
  EXPECT_NE(replay(options, std::make_shared<FakeRecogniser>()).text.find("2 frames"),
            std::string::npos);
  options.selection.start = 100.0;
  EXPECT_THROW(replay(options, std::make_shared<FakeRecogniser>()), std::runtime_error);
}

TEST_F(ReplayTest, plays_folders_of_scans_with_semantic_kitti_labels) {
  const io::Cloud street = labelled_street(2);
  std::ofstream scan(folder_ / "000000.bin", std::ios::binary);
  std::ofstream labels(folder_ / "000000.label", std::ios::binary);
  for (Eigen::Index i = 0; i < street.points.rows(); ++i) {
    const float zero = 0.0F;
    scan.write(reinterpret_cast<const char*>(street.points.row(i).data()), 12);
    scan.write(reinterpret_cast<const char*>(&zero), 4);
    const std::uint32_t label =
        0x50000U + static_cast<std::uint32_t>(street.labels[static_cast<std::size_t>(i)]) + 10U;
    labels.write(reinterpret_cast<const char*>(&label), 4);
  }
  scan.close();
  labels.close();
  std::ofstream(folder_ / "names.yaml") << "10: car\n11: post\n17: road\n";
  ReplayOptions options;
  options.recordings = {folder_.path()};
  options.labels = folder_ / "names.yaml";
  options.report = folder_ / "report.json";
  replay(options, std::make_shared<FakeRecogniser>());
  const auto report = nlohmann::json::parse(content_of(options.report));
  EXPECT_EQ(report["ground_truth"]["objects"]["overall_accuracy"], 1.0);
}

TEST(semantickitti_label_map, asks_for_the_wider_class_where_the_model_has_no_finer_one) {
  constexpr int kBicycle = 11, kBus = 13, kTruck = 18, kRoad = 40;
  const LabelMap wide = semantickitti_label_map({"car", "truck", "two-wheeler"});
  EXPECT_EQ(wide.at(kBicycle), 2);
  EXPECT_EQ(wide.at(kBus), 1);
  EXPECT_EQ(wide.at(kTruck), 1);
  EXPECT_EQ(wide.at(kRoad), kForeignClass);
  EXPECT_EQ(wide.count(0), 0U) << "unlabelled points are not evaluated";
  const LabelMap fine =
      semantickitti_label_map({"bicycle", "two-wheeler", "truck", "other-vehicle"});
  EXPECT_EQ(fine.at(kBicycle), 0);
  EXPECT_EQ(fine.at(kBus), 3);
}

TEST_F(ReplayTest, reports_rejected_frames_and_goes_on) {
  const fs::path path = folder_ / "bad.mcap";
  io::BagWriter writer(path);
  io::BagTopic topic;
  topic.name = "/lidar";
  topic.type = io::kPointCloud2Type;
  const std::size_t number = writer.add_topic(topic);
  auto message = io::make_point_cloud2(labelled_street(1), io::make_header(0, "lidar"));
  writer.write(number, 1, io::encode_point_cloud2(message));
  message.width += 1000;
  writer.write(number, 2, io::encode_point_cloud2(message));
  writer.write(number, 3, io::encode_point_cloud2({}));
  writer.close();
  ReplayOptions options;
  options.labels = "none";
  options.recordings = {path};
  const std::string text = replay(options, std::make_shared<FakeRecogniser>()).text;
  EXPECT_NE(text.find("1 frames, 2 rejected"), std::string::npos) << text;
  EXPECT_NE(text.find("rejected for short_data: 1"), std::string::npos) << text;
  EXPECT_NE(text.find("rejected for no_points: 1"), std::string::npos) << text;
}

TEST_F(ReplayTest, names_recordings_that_cannot_be_played) {
  ReplayOptions options;
  options.recordings = {folder_ / "nothing.mcap"};
  EXPECT_THROW(replay(options, std::make_shared<FakeRecogniser>()), std::runtime_error);
  options.recordings = {folder_.path()};
  try {
    replay(options, std::make_shared<FakeRecogniser>());
    FAIL() << "an empty folder was played";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find(folder_.path().string()), std::string::npos);
  }
}

TEST(percentile, is_the_nearest_rank) {
  EXPECT_EQ(percentile({}, 0.5), 0.0);
  EXPECT_EQ(percentile({3, 1, 2}, 0.5), 2.0);
  EXPECT_EQ(percentile({3, 1, 2}, 0.99), 3.0);
  EXPECT_EQ(percentile({5}, 0.01), 5.0);
}

}  // namespace
}  // namespace pointtree::cli
