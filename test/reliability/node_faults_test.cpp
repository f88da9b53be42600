// SPDX-License-Identifier: Apache-2.0

// What happens to a running node when its model or its clock misbehaves.
#include <filesystem>

#include "perception/synthetic_scene.hpp"
#include "reliability/running_node.hpp"

namespace pointtree::ros {
namespace {

using reliability::small_model;
using reliability::write_numbered_bundle;

class NodeFaults : public RunningNode {
 protected:
  bool answers() { return host_.wait_for_answer(send(cloud_)); }

  std::filesystem::path bundle_ = folder_ / "bundle";
  PointCloud2 cloud_ = message_of(perception::street(perception::flat_ground, 3).points);
};

TEST_F(NodeFaults, a_model_replaced_under_it_serves_once_asked_for) {
  EXPECT_TRUE(answers());
  write_numbered_bundle(bundle_, 2, small_model());
  EXPECT_TRUE(answers());
  ASSERT_TRUE(settle());
  EXPECT_EQ("1", host_.text("model"));
  const auto reloaded = node_->reload_model();
  ASSERT_TRUE(reloaded) << reloaded.error();
  EXPECT_NE(std::string::npos, reloaded->find("model 2 ")) << *reloaded;
  EXPECT_TRUE(answers());
  ASSERT_TRUE(settle());
  EXPECT_EQ("2", host_.text("model"));
}

TEST_F(NodeFaults, a_model_cut_or_removed_under_it_is_refused_and_the_old_one_serves_on) {
  std::filesystem::resize_file(bundle_ / "weights.safetensors", 10);
  EXPECT_TRUE(answers());
  auto reloaded = node_->reload_model();
  ASSERT_FALSE(reloaded);
  EXPECT_NE(std::string::npos, reloaded.error().find("weights.safetensors")) << reloaded.error();
  std::filesystem::remove_all(bundle_);
  EXPECT_TRUE(answers());
  reloaded = node_->reload_model();
  ASSERT_FALSE(reloaded);
  EXPECT_NE(std::string::npos, reloaded.error().find(bundle_.string())) << reloaded.error();
  EXPECT_TRUE(answers());
  ASSERT_TRUE(settle());
  EXPECT_EQ("1", host_.text("model"));
}

TEST_F(NodeFaults, models_are_exchanged_while_clouds_come_and_none_is_lost) {
  write_numbered_bundle(folder_ / "other", 2, small_model());
  for (int round = 0; round < 20; ++round) {
    send(cloud_);
    const auto model = (folder_ / (round % 2 == 0 ? "other" : "bundle")).string();
    ASSERT_TRUE(node_->change({{"model", model}}));
    EXPECT_TRUE(answers());
  }
  EXPECT_TRUE(settle()) << "in = out + dropped + rejected";
  EXPECT_EQ(0U, host_.count("rejected"));
}

TEST_F(NodeFaults, a_clock_that_jumps_back_stops_nothing) {
  for (const std::int64_t number : {1000, 1001, 3, 4, 2'000'000, 5}) {
    number_ = number;
    EXPECT_TRUE(answers());
  }
  ASSERT_TRUE(settle());
  EXPECT_EQ(0U, host_.count("rejected"));
}

}  // namespace
}  // namespace pointtree::ros
