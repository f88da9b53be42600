// SPDX-License-Identifier: Apache-2.0
#include "pointtree/ros/conversions.hpp"

#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include "pointtree/ros/pcl_clouds.hpp"
#include "ros/autoware_classes.hpp"
#include "ros/point_filter.hpp"

namespace pointtree::ros {
namespace {

using perception::CloudView;

/// Three points of float64 coordinates with four bytes of something else before them.
PointCloud2 padded_cloud() {
  const double points[3][3] = {{1.0, 2.0, 3.0}, {-4.0, 5.5, 0.25}, {NAN, 0.0, 0.0}};
  PointCloud2 cloud;
  cloud.header.frame_id = "lidar";
  cloud.header.stamp.sec = 12;
  cloud.header.stamp.nanosec = 34;
  cloud.height = 1;
  cloud.width = 3;
  cloud.point_step = 28;
  cloud.row_step = 84;
  cloud.data.assign(84, 0xAB);
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    sensor_msgs::msg::PointField field;
    field.name = std::string(1, static_cast<char>('x' + axis));
    field.offset = 4 + 8 * axis;
    field.datatype = sensor_msgs::msg::PointField::FLOAT64;
    field.count = 1;
    cloud.fields.push_back(field);
    for (std::size_t i = 0; i < 3; ++i) {
      std::memcpy(cloud.data.data() + 28 * i + field.offset, &points[i][axis], 8);
    }
  }
  return cloud;
}

/// The first point is of class 1, the second belongs to the ground.
perception::FrameResult some_result() {
  perception::FrameResult result;
  result.labels.resize(3);
  result.labels[0].class_id = 1;
  result.labels[0].role = perception::PointRole::object;
  result.labels[0].probability = 0.75F;
  result.labels[0].entropy = 0.5F;
  result.labels[1].role = perception::PointRole::ground;
  perception::LabeledObject object;
  object.id = 7;
  object.class_id = 1;
  object.classified = true;
  object.confidence = 0.75F;
  object.scores = {0.25F, 0.75F};
  object.point_count = 1;
  object.centroid = {1.0F, 2.0F, 3.0F};
  object.box.center = {1.0F, 2.0F, 3.5F};
  object.box.size = {4.0F, 2.0F, 1.5F};
  result.objects.push_back(object);
  object.id = 8;
  object.class_id = perception::kUnknownClass;
  object.classified = false;
  object.scores.clear();
  result.objects.push_back(object);
  return result;
}

inference::EngineInfo two_classes() {
  inference::EngineInfo model;
  model.classes = {"car", "post"};
  model.colours = {{255, 0, 0}, {1, 2, 3}};
  return model;
}

template <typename T>
T read(const PointCloud2& cloud, std::size_t point, std::size_t offset) {
  T value{};
  std::memcpy(&value, cloud.data.data() + point * cloud.point_step + offset, sizeof(T));
  return value;
}

TEST(conversions, view_a_message_without_copying_it) {
  const PointCloud2 cloud = padded_cloud();
  const auto raw = raw_cloud(cloud);
  EXPECT_EQ(raw.data.data, cloud.data.data());
  const auto view = CloudView::make(raw, 10);
  ASSERT_TRUE(view) << view.error().message;
  EXPECT_EQ(view->position(1), Eigen::Vector3d(-4.0, 5.5, 0.25));
  EXPECT_EQ(nanoseconds(cloud.header.stamp), 12'000'000'034);
  EXPECT_EQ(to_time(12'000'000'034), cloud.header.stamp);
}

TEST(conversions, put_labels_into_the_24_byte_layout) {
  const PointCloud2 cloud = padded_cloud();
  const auto view = CloudView::make(raw_cloud(cloud), 10);
  const auto out = to_segmentation(cloud.header, cloud, *view, some_result());
  EXPECT_EQ(out->header, cloud.header);
  ASSERT_EQ(out->point_step, 24U);
  ASSERT_EQ(out->data.size(), 72U);
  EXPECT_EQ(read<float>(*out, 1, 4), 5.5F);
  EXPECT_EQ(read<std::uint8_t>(*out, 0, 12), 1);
  EXPECT_EQ(read<float>(*out, 0, 16), 0.75F);
  EXPECT_EQ(read<float>(*out, 0, 20), 0.5F);
  EXPECT_EQ(read<std::uint8_t>(*out, 1, 12), perception::kUnknownClass);
  EXPECT_TRUE(std::isnan(read<float>(*out, 1, 20)));
}

TEST(conversions, colour_points_by_class) {
  const PointCloud2 cloud = padded_cloud();
  const auto view = CloudView::make(raw_cloud(cloud), 10);
  const auto out = to_visualization(cloud.header, cloud, *view, some_result(), two_classes());
  EXPECT_EQ(out->fields[3].name, "rgb");
  EXPECT_EQ(read<std::uint32_t>(*out, 0, 12), 0x010203U);
  EXPECT_NE(read<std::uint32_t>(*out, 1, 12), read<std::uint32_t>(*out, 2, 12));
  EXPECT_TRUE(std::isnan(read<float>(*out, 2, 0)));
}

TEST(conversions, keep_the_points_of_chosen_classes_with_all_their_bytes) {
  const PointCloud2 cloud = padded_cloud();
  const auto view = CloudView::make(raw_cloud(cloud), 10);
  const auto kept = [&](const std::string& names) {
    const PointFilter filter(names, two_classes().classes);
    return to_filtered(cloud.header, cloud, *view, some_result(),
                       [&](const perception::PointLabel& label) { return filter.keeps(label); });
  };
  const auto standing = kept("");
  EXPECT_EQ(standing->header, cloud.header);
  EXPECT_EQ(standing->fields, cloud.fields);
  ASSERT_EQ(standing->width, 1U) << "neither the ground nor the point that is not finite";
  EXPECT_TRUE(std::equal(standing->data.begin(), standing->data.end(), cloud.data.begin(),
                         cloud.data.begin() + static_cast<std::ptrdiff_t>(cloud.point_step)));
  EXPECT_EQ(kept("post, ground")->width, 2U);
  EXPECT_EQ(kept("car,unknown")->width, 0U);
  EXPECT_THROW(kept("lorry"), std::invalid_argument);
  perception::PointLabel road;
  road.role = perception::PointRole::object;
  road.class_id = 0;
  EXPECT_FALSE(PointFilter("", {"road"}).keeps(road));
}

TEST(conversions, describe_objects_and_draw_them) {
  const PointCloud2 cloud = padded_cloud();
  const auto objects = to_objects(cloud.header, some_result(), two_classes());
  ASSERT_EQ(objects->objects.size(), 2U);
  EXPECT_EQ(objects->objects[0].class_name, "post");
  EXPECT_EQ(objects->objects[0].size.x, 4.0);
  EXPECT_EQ(objects->objects[0].pose.position.z, 3.5);
  EXPECT_EQ(objects->objects[1].class_name, "unknown");
  const auto markers = to_markers(cloud.header, some_result(), two_classes());
  ASSERT_EQ(markers->markers.size(), 4U) << "clear, box, name, box";
  EXPECT_EQ(markers->markers[0].action, visualization_msgs::msg::Marker::DELETEALL);
  EXPECT_EQ(markers->markers[2].text, "post:75%");
  EXPECT_EQ(markers->markers[2].ns, "names");
  EXPECT_EQ(markers->markers[3].ns, "unknown_boxes");
}

TEST(conversions, give_moved_coordinates_in_the_other_frame) {
  const PointCloud2 cloud = padded_cloud();
  auto view = CloudView::make(raw_cloud(cloud), 10);
  Eigen::Isometry3d transform = Eigen::Isometry3d::Identity();
  transform.translate(Eigen::Vector3d(0.0, 0.0, 1.0));
  transform.rotate(Eigen::AngleAxisd(M_PI / 2.0, Eigen::Vector3d::UnitZ()));
  view->move(transform);
  EXPECT_TRUE(view->position(0).isApprox(Eigen::Vector3d(-2.0, 1.0, 4.0), 1e-12));
  auto header = cloud.header;
  header.frame_id = "base";
  const auto out = to_segmentation(header, cloud, *view, some_result());
  EXPECT_EQ(out->header, header);
  EXPECT_NEAR(read<float>(*out, 0, 0), -2.0F, 1e-6F);
  EXPECT_EQ(read<float>(*out, 0, 8), 4.0F);
  const auto kept =
      to_filtered(header, cloud, *view, some_result(), [](const auto&) { return true; });
  const auto again = CloudView::make(raw_cloud(*kept), 10);
  EXPECT_EQ(kept->header, header);
  EXPECT_EQ(again->position(0), view->position(0));
  EXPECT_EQ(read<std::uint32_t>(*kept, 1, 0), 0xABABABABU) << "other fields stay as they are";
}

TEST(pcl_clouds, are_taken_in_place) {
  pcl::PointCloud<pcl::PointXYZI> cloud;
  cloud.push_back({1.0F, 2.0F, 3.0F, 9.0F});
  cloud.push_back({-4.0F, 5.5F, 0.25F, 8.0F});
  cloud.push_back({0.0F, 0.0F, 0.0F, 7.0F});
  const auto raw = raw_cloud(cloud);
  EXPECT_EQ(raw.data.data, reinterpret_cast<const std::uint8_t*>(cloud.points.data()));
  const auto view = CloudView::make(raw, 10);
  ASSERT_TRUE(view) << view.error().message;
  EXPECT_EQ(view->position(1), Eigen::Vector3d(-4.0, 5.5, 0.25));
  EXPECT_EQ(view->field("intensity")->read(view->address(2)), 7.0);
}

/// A bundle of the two classes with this map.
std::filesystem::path bundle_with(const std::string& map) {
  const auto folder = std::filesystem::temp_directory_path() / "pointtree_autoware_map";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "autoware.yaml") << map;
  return folder;
}

TEST(autoware_classes, number_points_after_the_map_of_the_bundle) {
  const PointCloud2 cloud = padded_cloud();
  const auto view = CloudView::make(raw_cloud(cloud), 10);
  const AutowareClasses classes(bundle_with("car: CAR\npost: STRUCTURE\n"), two_classes().classes);
  EXPECT_TRUE(classes.mapped());
  const auto out = to_segmentation(cloud.header, cloud, *view, some_result(),
                                   [&](const auto& label) { return classes.point_class(label); });
  EXPECT_EQ(read<std::uint8_t>(*out, 0, 12), 9) << "STRUCTURE";
  EXPECT_EQ(read<std::uint8_t>(*out, 1, 12), 8) << "the ground: FLAT_SURFACE";
  EXPECT_EQ(read<std::uint8_t>(*out, 2, 12), 255) << "INVALID";
  EXPECT_EQ(read<float>(*out, 0, 16), 0.75F);
}

TEST(autoware_classes, refuse_names_that_nobody_knows) {
  const auto complaint = [](const std::string& map) -> std::string {
    try {
      AutowareClasses(bundle_with(map), two_classes().classes);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(complaint("lorry: TRUCK").find("'lorry' is no class of the model"), std::string::npos);
  EXPECT_NE(complaint("car: LORRY").find("car: expected CAR, TRUCK,"), std::string::npos);
  EXPECT_NE(complaint("car: [").find("autoware.yaml"), std::string::npos);
  EXPECT_EQ(complaint("car: CAR"), "");
}

TEST(autoware_classes, of_the_shipped_models_are_all_known) {
  for (const std::string name : {"street", "objects"}) {
    const std::filesystem::path folder = std::string(POINTTREE_SOURCE) + "/models/" + name;
    std::vector<std::string> classes;
    for (const auto& entry : YAML::LoadFile(folder / "model.yaml")["classes"])
      classes.push_back(entry["name"].as<std::string>());
    const AutowareClasses known(folder, classes);
    EXPECT_TRUE(known.mapped());
    EXPECT_EQ(known.object_labels()[0], 1) << "CAR";
  }
}

#ifdef POINTTREE_HAS_AUTOWARE_MSGS
TEST(conversions, detected_objects_have_the_labels_of_autoware) {
  using namespace autoware_perception_msgs::msg;  // NOLINT(google-build-using-namespace)
  const auto header = padded_cloud().header;
  const auto labels = [](const std::string& map) {
    return AutowareClasses(bundle_with(map), two_classes().classes).object_labels();
  };
  const auto objects =
      to_detected_objects(header, some_result(), labels("car: CAR\npost: PEDESTRIAN\n"));
  EXPECT_EQ(objects->header, header);
  ASSERT_EQ(objects->objects.size(), 1U) << "the other object was not classified";
  const DetectedObject& object = objects->objects[0];
  ASSERT_EQ(object.classification.size(), 2U);
  EXPECT_EQ(object.classification[0].label, ObjectClassification::PEDESTRIAN);
  EXPECT_EQ(object.classification[0].probability, 0.75F);
  EXPECT_EQ(object.classification[1].label, ObjectClassification::CAR);
  EXPECT_EQ(object.kinematics.pose_with_covariance.pose.position.z, 3.5);
  EXPECT_EQ(object.kinematics.orientation_availability, DetectedObjectKinematics::SIGN_UNKNOWN);
  EXPECT_EQ(object.shape.type, Shape::BOUNDING_BOX);
  EXPECT_EQ(object.shape.dimensions.x, 4.0);
  const auto merged =
      to_detected_objects(header, some_result(), labels("car: CAR\npost: CAR\n"), true);
  ASSERT_EQ(merged->objects.size(), 2U);
  ASSERT_EQ(merged->objects[0].classification.size(), 1U);
  EXPECT_FLOAT_EQ(merged->objects[0].classification[0].probability, 1.0F);
  EXPECT_EQ(merged->objects[1].classification[0].label, ObjectClassification::UNKNOWN);
}
#else
TEST(conversions, detected_objects_have_the_labels_of_autoware) {
  GTEST_SKIP() << "built without autoware_perception_msgs";
}
#endif

#ifdef POINTTREE_HAS_VISION_MSGS
TEST(conversions, detections_are_the_sure_objects_with_their_likeliest_class_first) {
  const auto header = padded_cloud().header;
  const auto detections = to_detections(header, some_result(), two_classes());
  EXPECT_EQ(detections->header, header);
  ASSERT_EQ(detections->detections.size(), 1U) << "the other object was not classified";
  const auto& detection = detections->detections[0];
  EXPECT_EQ(detection.id, "7");
  EXPECT_EQ(detection.bbox.center.position.z, 3.5);
  EXPECT_EQ(detection.bbox.size.x, 4.0);
  ASSERT_EQ(detection.results.size(), 2U);
  EXPECT_EQ(detection.results[0].hypothesis.class_id, "post");
  EXPECT_EQ(detection.results[0].hypothesis.score, 0.75);
  EXPECT_EQ(detection.results[0].pose.pose, detection.bbox.center);
  const auto all = to_detections(header, some_result(), two_classes(), true);
  ASSERT_EQ(all->detections.size(), 2U);
  EXPECT_EQ(all->detections[1].results[0].hypothesis.class_id, "unknown");
}

TEST(conversions, label_info_names_the_classes) {
  const auto info = to_label_info(two_classes(), 0.5);
  ASSERT_EQ(info->class_map.size(), 2U);
  EXPECT_EQ(info->class_map[1].class_id, 1);
  EXPECT_EQ(info->class_map[1].class_name, "post");
  EXPECT_EQ(info->threshold, 0.5F);
}
#endif

}  // namespace
}  // namespace pointtree::ros
