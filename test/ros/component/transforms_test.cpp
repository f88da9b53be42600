// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <tf2_msgs/msg/tf_message.hpp>

#include "composition.hpp"

namespace pointtree {
namespace {

TEST(Transforms, parameters_answer_while_a_frame_waits_for_its_transform) {
  Composition composition(true, {{"target_frame", "map"}, {"transform_timeout", 5.0}});
  composition.connect();
  composition.publisher().publish(make_cloud());
  composition.executor().spin_once(100ms);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(composition.node()->set_parameter({"min_confidence", 0.25}).successful);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 2s);
  composition.node().reset();  // nor does the end wait for the transform
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 4s);
}

geometry_msgs::msg::TransformStamped lidar_in_map() {
  geometry_msgs::msg::TransformStamped transform;
  transform.header.frame_id = "map";
  transform.child_frame_id = "lidar";
  transform.transform.translation.x = 10.0;
  transform.transform.rotation.z = std::sqrt(0.5);
  transform.transform.rotation.w = std::sqrt(0.5);
  return transform;
}

class TransformedCloud : public testing::TestWithParam<bool> {};

// Bags recorded without quality of service are played with volatile durability.
INSTANTIATE_TEST_SUITE_P(Durability, TransformedCloud, testing::Bool());

TEST_P(TransformedCloud, is_answered_in_the_target_frame) {
  Composition composition(false, {{"target_frame", "map"}, {"transform_timeout", 10.0}});
  rclcpp::QoS qos(1);
  if (GetParam()) qos.transient_local();
  const auto tf =
      composition.talker().create_publisher<tf2_msgs::msg::TFMessage>("/tf_static", qos);
  composition.connect();
  while (tf->get_subscription_count() == 0) composition.executor().spin_once(10ms);
  tf2_msgs::msg::TFMessage message;
  message.transforms.push_back(lidar_in_map());
  tf->publish(message);
  composition.publisher().publish(make_cloud());
  ASSERT_TRUE(composition.wait_for(1));
  const PointCloud2& answer = composition.answers().front();
  EXPECT_EQ(answer.header.frame_id, "map");
  std::vector<float> first(3);
  std::memcpy(first.data(), answer.data.data(), 12);
  // (4, -5, -2) turned by 90 degrees and moved by 10 m.
  EXPECT_NEAR(first[0], 15.0F, 1e-4F);
  EXPECT_NEAR(first[1], 4.0F, 1e-4F);
  EXPECT_NEAR(first[2], -2.0F, 1e-4F);
}

TEST(Transforms, without_one_the_cloud_is_rejected) {
  Composition composition(false, {{"target_frame", "map"}, {"transform_timeout", 0.2}});
  composition.connect();
  composition.publisher().publish(make_cloud("lidar"));
  EXPECT_FALSE(composition.wait_for(1, 2s));
  composition.publisher().publish(make_cloud("map"));
  ASSERT_TRUE(composition.wait_for(1));
  EXPECT_EQ(composition.answers().front().header.frame_id, "map");
}

}  // namespace
}  // namespace pointtree
