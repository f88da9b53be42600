// SPDX-License-Identifier: Apache-2.0
#include "pointtree/perception/pipeline.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "perception/cloud_bytes.hpp"
#include "perception/fake_recogniser.hpp"
#include "perception/synthetic_scene.hpp"

namespace pointtree::perception {
namespace {

FrameResult process(Pipeline& pipeline, const PointBuffer& points, std::int64_t stamp = 0) {
  CloudBytes cloud = to_cloud(points);
  auto result = pipeline.process(cloud.raw(), stamp);
  if (!result) throw std::runtime_error(result.error().message);
  return *std::move(result);
}

PointBuffer turn(const PointBuffer& points, const Eigen::Matrix3f& map) {
  PointBuffer turned;
  for (const Eigen::Vector3f& point : points) turned.emplace_back(map * point);
  return turned;
}

TEST(pipeline, finds_and_names_every_object) {
  const SyntheticScene scene = street(flat_ground, 1);
  Pipeline pipeline(PipelineConfig{}, std::make_shared<FakeRecogniser>());
  const FrameResult result = process(pipeline, scene.points, 42);
  EXPECT_EQ(result.stamp, 42);
  ASSERT_EQ(result.labels.size(), scene.points.size());
  ASSERT_EQ(result.objects.size(), 16U);
  std::map<std::int32_t, std::set<std::int32_t>> found;
  for (std::size_t i = 0; i < scene.points.size(); ++i) {
    const PointLabel& label = result.labels[i];
    EXPECT_FALSE(scene.object[i] < 0 && label.role == PointRole::object) << "point " << i;
    if (label.role != PointRole::object) {
      EXPECT_EQ(label.class_id, kUnknownClass);
      EXPECT_TRUE(std::isnan(label.entropy));
      continue;
    }
    found[scene.object[i]].insert(label.object);
    EXPECT_EQ(label.class_id, scene.object[i] % 2) << "boxes are cars and posts in turn";
    EXPECT_FLOAT_EQ(label.probability, 0.9F);
    EXPECT_NEAR(label.entropy, 0.325F / std::log(2.0F), 2e-3F);
  }
  EXPECT_EQ(found.size(), 16U);
  for (const auto& [truth, clusters] : found) EXPECT_EQ(clusters.size(), 1U) << "object " << truth;
}

TEST(pipeline, describes_objects_in_the_sensors_frame) {
  SyntheticScene scene(flat_ground, 2);
  scene.add_ground(30'000, 40.0F);
  scene.add_box(10.0F, 4.0F, {4.2F, 1.8F, 1.5F}, 0.5F, 2000);
  Pipeline pipeline(PipelineConfig{}, std::make_shared<FakeRecogniser>());
  const Eigen::Matrix3f mount =
      Eigen::AngleAxisf(3.0F, Eigen::Vector3f(0.8F, 0.6F, 0)).toRotationMatrix();
  const FrameResult result = process(pipeline, turn(scene.points, mount));
  ASSERT_EQ(result.objects.size(), 1U);
  const OrientedBox& box = result.objects[0].box;
  EXPECT_LT((box.center - mount * Eigen::Vector3f(10.0F, 4.0F, -0.95F)).norm(), 0.2F);
  EXPECT_LT((box.size - Eigen::Vector3f(4.2F, 1.8F, 1.3F)).norm(), 0.2F);
  EXPECT_GT((box.orientation * Eigen::Vector3f::UnitZ()).dot(mount.col(2)), 0.999F);
}

TEST(pipeline, finds_the_same_objects_however_the_sensor_is_mounted) {
  const SyntheticScene scene = street(flat_ground, 5);
  Pipeline pipeline(PipelineConfig{}, std::make_shared<FakeRecogniser>());
  const FrameResult upright = process(pipeline, scene.points);
  const std::map<std::string, Eigen::Matrix3f> mounts{
      {"tilted", Eigen::AngleAxisf(0.4F, Eigen::Vector3f(0.6F, -0.8F, 0)).toRotationMatrix()},
      {"upside down", Eigen::AngleAxisf(3.14159265F, Eigen::Vector3f::UnitX()).toRotationMatrix()},
      {"mirrored", Eigen::Vector3f(1, -1, 1).asDiagonal().toDenseMatrix()},
      {"stretched", Eigen::Vector3f(1.1F, 0.92F, 1.08F).asDiagonal().toDenseMatrix()}};
  for (const auto& [name, mount] : mounts) {
    SCOPED_TRACE(name);
    const FrameResult turned = process(pipeline, turn(scene.points, mount));
    ASSERT_EQ(turned.objects.size(), upright.objects.size());
    int changed = 0;
    for (std::size_t i = 0; i < scene.points.size(); ++i) {
      changed += static_cast<int>(turned.labels[i].class_id != upright.labels[i].class_id);
    }
    EXPECT_LT(changed, static_cast<int>(scene.points.size() / 100));
  }
}

TEST(pipeline, undoes_an_unknown_scale_where_the_sensors_height_is_known) {
  const SyntheticScene scene = street(flat_ground, 5);
  PipelineConfig config;
  config.sensor_height = 1.7;
  Pipeline pipeline(config, std::make_shared<FakeRecogniser>());
  const FrameResult metres = process(pipeline, scene.points);
  for (const float scale : {0.02F, 0.7F, 1.5F, 1000.0F}) {
    SCOPED_TRACE(scale);
    const Eigen::Matrix3f unit = scale * Eigen::Matrix3f::Identity();
    const FrameResult scaled = process(pipeline, turn(scene.points, unit));
    ASSERT_EQ(scaled.objects.size(), metres.objects.size());
    for (std::size_t k = 0; k < metres.objects.size(); ++k) {
      const LabeledObject& object = scaled.objects[k];
      EXPECT_EQ(object.class_id, metres.objects[k].class_id);
      EXPECT_LT((object.centroid - scale * metres.objects[k].centroid).norm(), 0.02F * scale);
      EXPECT_LT((object.box.size - scale * metres.objects[k].box.size).norm(), 0.02F * scale);
    }
  }
}

TEST(pipeline, takes_units_for_metres_where_no_ground_tells_otherwise) {
  PipelineConfig config;
  config.sensor_height = 1.7;
  Pipeline pipeline(config, std::make_shared<FakeRecogniser>());
  const FrameResult result = process(pipeline, {{5, 5, 0}, {6, 5, 0}, {3e6F, 5, 0}});
  EXPECT_EQ(result.valid_points, 2U) << "what is beyond the crop's range is dropped";
}

TEST(pipeline, takes_units_for_metres_where_the_ground_passes_through_the_sensor) {
  PipelineConfig config;
  config.sensor_height = 1.7;
  config.crop.min_range = 0.0;
  Pipeline pipeline(config, std::make_shared<FakeRecogniser>());
  for (const float height : {1e-12F, 1e-39F}) {
    SCOPED_TRACE(height);
    PointBuffer points{{0, 0, 0}};
    for (int x = -10; x <= 10; ++x) {
      for (int y = 1; y <= 10; ++y) points.emplace_back(x, y, -height);
    }
    const FrameResult result = process(pipeline, points);
    EXPECT_EQ(result.valid_points, points.size());
    EXPECT_LT(result.ground.sensor_height, 1e-6F);
  }
}

TEST(pipeline, tells_the_model_the_size_in_metres_whatever_the_unit) {
  const SyntheticScene scene = street(flat_ground, 5);
  const auto recogniser = std::make_shared<FakeRecogniser>();
  recogniser->ask_for({"size"});
  PipelineConfig config;
  config.sensor_height = 1.7;
  Pipeline pipeline(config, recogniser);
  const FrameResult metres = process(pipeline, scene.points);
  const std::vector<float> sizes = recogniser->sizes;
  ASSERT_EQ(sizes.size(), metres.objects.size());
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    EXPECT_GT(std::exp(sizes[k]), metres.objects[k].box.size.norm() / 6.0F);
    EXPECT_LT(std::exp(sizes[k]), metres.objects[k].box.size.norm() / 2.0F);
  }
  recogniser->sizes.clear();
  process(pipeline, turn(scene.points, 100.0F * Eigen::Matrix3f::Identity()));
  ASSERT_EQ(recogniser->sizes.size(), sizes.size());
  for (std::size_t k = 0; k < sizes.size(); ++k) EXPECT_NEAR(recogniser->sizes[k], sizes[k], 0.02F);
}

TEST(pipeline, classifies_the_nearest_objects_and_reports_the_rest) {
  const SyntheticScene scene = street(flat_ground, 1);
  PipelineConfig config;
  config.max_objects = 5;
  const auto recogniser = std::make_shared<FakeRecogniser>();
  Pipeline pipeline(config, recogniser);
  const FrameResult result = process(pipeline, scene.points);
  ASSERT_EQ(result.objects.size(), 16U);
  EXPECT_EQ(recogniser->batches, std::vector<std::size_t>{5});
  for (std::size_t k = 0; k < 16; ++k) {
    EXPECT_EQ(result.objects[k].classified, k < 5);
    EXPECT_EQ(result.objects[k].class_id != kUnknownClass, k < 5);
    const LabeledObject& before = result.objects[k == 0 ? 0 : k - 1];
    EXPECT_GE(result.objects[k].box.center.norm(), before.box.center.norm());
  }
}

TEST(pipeline, calls_unlikely_results_unknown) {
  const auto recogniser = std::make_shared<FakeRecogniser>();
  recogniser->probability = 0.7F;
  PipelineConfig config;
  config.min_confidence = 0.8;
  Pipeline pipeline(config, recogniser);
  const FrameResult result = process(pipeline, street(flat_ground, 1).points);
  for (const LabeledObject& object : result.objects) {
    EXPECT_EQ(object.class_id, kUnknownClass);
    EXPECT_TRUE(object.classified);
    EXPECT_FLOAT_EQ(object.confidence, 0.7F);
    EXPECT_EQ(object.scores.size(), 2U);
  }
}

TEST(pipeline, keeps_ids_from_frame_to_frame) {
  const SyntheticScene scene = street(flat_ground, 6);
  Pipeline pipeline(PipelineConfig{}, std::make_shared<FakeRecogniser>());
  const FrameResult first = process(pipeline, scene.points, 0);
  PointBuffer moved = scene.points;
  for (Eigen::Vector3f& point : moved) point.x() -= 0.7F;
  const FrameResult second = process(pipeline, moved, 100'000'000);
  for (std::size_t i = 0; i < scene.points.size(); ++i) {
    if (first.labels[i].object < 0 || second.labels[i].object < 0) continue;
    ASSERT_EQ(first.objects[static_cast<std::size_t>(first.labels[i].object)].id,
              second.objects[static_cast<std::size_t>(second.labels[i].object)].id);
  }
}

TEST(pipeline, survives_bad_frames_and_failing_networks) {
  const auto recogniser = std::make_shared<FakeRecogniser>();
  Pipeline pipeline(PipelineConfig{}, recogniser);
  const SyntheticScene scene = street(flat_ground, 1);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CloudBytes hollow = to_cloud(PointBuffer(100, Eigen::Vector3f(nan, nan, nan)));
  const auto rejected = pipeline.process(hollow.raw(), 0);
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().kind, RejectKind::no_valid_points);
  EXPECT_EQ(pipeline.process(io::PointCloud2Message{}, 0).error().kind, RejectKind::no_points);
  recogniser->fails = true;
  CloudBytes cloud = to_cloud(scene.points);
  const auto failed = pipeline.process(cloud.raw(), 0);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, RejectKind::processing_failed);
  EXPECT_EQ(failed.error().message, "the network is out of order");
  recogniser->fails = false;
  EXPECT_EQ(process(pipeline, scene.points).objects.size(), 16U);
}

TEST(pipeline, takes_frames_without_objects_or_ground) {
  const auto recogniser = std::make_shared<FakeRecogniser>();
  Pipeline pipeline(PipelineConfig{}, recogniser);
  SyntheticScene empty_street(flat_ground, 1);
  empty_street.add_ground(5000, 30.0F);
  EXPECT_TRUE(process(pipeline, empty_street.points).objects.empty());
  EXPECT_TRUE(process(pipeline, {{5, 5, 5}}).objects.empty());
  EXPECT_TRUE(recogniser->batches.empty()) << "the network was asked about nothing";
}

TEST(pipeline, gives_the_same_answer_twice) {
  const SyntheticScene scene = street(flat_ground, 3);
  Pipeline a(PipelineConfig{}, std::make_shared<FakeRecogniser>());
  Pipeline b(PipelineConfig{}, std::make_shared<FakeRecogniser>());
  process(b, street(flat_ground, 9).points);  // whatever came before must not matter
  const FrameResult first = process(a, scene.points);
  const FrameResult second = process(b, scene.points);
  ASSERT_EQ(first.objects.size(), second.objects.size());
  for (std::size_t i = 0; i < first.labels.size(); ++i) {
    ASSERT_EQ(first.labels[i].object, second.labels[i].object);
    ASSERT_EQ(first.labels[i].class_id, second.labels[i].class_id);
  }
  for (std::size_t k = 0; k < first.objects.size(); ++k) {
    EXPECT_EQ(first.objects[k].box.center, second.objects[k].box.center);
  }
}

TEST(pipeline, refuses_models_and_configurations_that_do_not_fit) {
  PipelineConfig blocks = default_config(Mode::blocks);
  EXPECT_THROW(Pipeline(blocks, std::make_shared<FakeRecogniser>(false)), std::invalid_argument);
  EXPECT_THROW(Pipeline(PipelineConfig{}, std::make_shared<FakeRecogniser>(true)),
               std::invalid_argument);
  EXPECT_THROW(Pipeline(PipelineConfig{}, nullptr), std::invalid_argument);
  const auto asks_for_normals = std::make_shared<FakeRecogniser>();
  asks_for_normals->ask_for({"normal_x", "normal_y", "normal_z"});
  EXPECT_THROW(Pipeline(PipelineConfig{}, asks_for_normals), std::invalid_argument);
  PipelineConfig wrong;
  wrong.cluster.tolerance = -1.0;
  EXPECT_THROW(Pipeline(wrong, std::make_shared<FakeRecogniser>()), std::invalid_argument);
}

}  // namespace
}  // namespace pointtree::perception
