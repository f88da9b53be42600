// SPDX-License-Identifier: Apache-2.0
#include "composition.hpp"

#include <gtest/gtest.h>

namespace pointtree {
namespace {

PointCloud2 answer_with(bool intra_process) {
  Composition composition(intra_process);
  composition.connect();
  EXPECT_EQ(composition.publisher().get_intra_process_subscription_count(),
            intra_process ? 1U : 0U);
  composition.publisher().publish(std::make_unique<PointCloud2>(make_cloud()));
  if (!composition.wait_for(1)) throw std::runtime_error("no answer");
  return composition.answers().front();
}

TEST(Composition, labels_are_the_same_within_the_process_and_through_the_middleware) {
  const PointCloud2 within = answer_with(true);
  EXPECT_EQ(within.header, make_cloud().header);
  EXPECT_EQ(within.width, make_cloud().width);
  EXPECT_EQ(within, answer_with(false));
}

TEST(Composition, a_node_taken_apart_at_work_leaves_the_others_alone) {
  Composition composition(true);
  composition.connect();
  for (int i = 0; i < 20; ++i) composition.publisher().publish(make_cloud());
  composition.executor().spin_once(10ms);
  composition.executor().remove_node(composition.node());
  composition.node().reset();
  composition.publisher().publish(make_cloud());
  composition.executor().spin_some();
}

}  // namespace
}  // namespace pointtree

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  rclcpp::init(argc, argv);
  const int result = RUN_ALL_TESTS();
  rclcpp::shutdown();
  return result;
}
