// SPDX-License-Identifier: Apache-2.0
#include "ros/node_parameters.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "ros/parameter_messages.hpp"

namespace pointtree::ros {
namespace {

using perception::ParameterValue;

std::string contents(const std::string& path) {
  std::ifstream file(std::string(POINTTREE_SOURCE) + "/" + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(node_parameters, are_unique_described_and_hold_every_field_of_the_pipeline) {
  std::set<std::string> names;
  for (const NodeParameter& parameter : node_parameters()) {
    EXPECT_TRUE(names.insert(parameter.name).second) << parameter.name << " is described twice";
    EXPECT_FALSE(parameter.help.empty()) << parameter.name;
  }
  for (const auto& parameter : perception::parameter_descriptions()) {
    EXPECT_EQ(names.count(parameter.name), 1U) << parameter.name;
  }
  EXPECT_TRUE(with_changes(NodeConfig{}, {}));
}

TEST(node_parameters, can_each_be_set_and_read_back) {
  for (const NodeParameter& parameter : node_parameters()) {
    NodeConfig config;
    ParameterValue wanted = parameter.get(config);
    if (auto* flag = std::get_if<bool>(&wanted)) *flag = !*flag;
    if (auto* whole = std::get_if<std::int64_t>(&wanted)) {
      *whole = static_cast<std::int64_t>(parameter.maximum);
    }
    if (auto* real = std::get_if<double>(&wanted)) *real = parameter.maximum;
    if (auto* text = std::get_if<std::string>(&wanted)) {
      *text = parameter.choices.empty() ? "other" : parameter.choices.back();
    }
    parameter.set(config, wanted);
    EXPECT_EQ(parameter.get(config), wanted) << parameter.name;
    EXPECT_EQ(from_message(to_message(wanted)), wanted) << parameter.name;
  }
}

TEST(node_parameters, are_all_changed_or_none_with_every_reason) {
  const auto refused =
      with_changes(NodeConfig{}, {{"device", std::string("gpu")}, {"threads", std::int64_t{2}}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(), "device is 'gpu'; expected auto, cpu or cuda:N");
  const auto twice = with_changes(NodeConfig{}, {{"threads", -1.5}, {"no.such", true}});
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error(),
            "threads is -1.5 (real); expected a value of type integer; there is no parameter "
            "'no.such'");
  const auto done = with_changes(NodeConfig{}, {{"voxel_size", std::int64_t{1}}});
  ASSERT_TRUE(done) << done.error();
  EXPECT_EQ(done->pipeline.voxel_size, 1.0);
}

TEST(node_parameters, tell_what_a_change_takes) {
  const auto effect = [](const std::string& name, const ParameterValue& value) {
    return effect_of(NodeConfig{}, *with_changes(NodeConfig{}, {{name, value}}));
  };
  EXPECT_EQ(effect("paused", true), ChangeEffect::at_once);
  EXPECT_EQ(effect("voxel_size", 0.3), ChangeEffect::new_pipeline);
  EXPECT_EQ(effect("model", std::string("rooms")), ChangeEffect::new_model);
  EXPECT_EQ(effect("output_qos.depth", std::int64_t{9}), ChangeEffect::never);
  EXPECT_EQ(effect("voxel_size", NodeConfig{}.pipeline.voxel_size), ChangeEffect::at_once);
}

TEST(node_parameters, are_the_ones_in_the_shipped_file_and_in_the_documentation) {
  EXPECT_EQ(contents("config/node.yaml"), node_yaml(NodeConfig{}));
  EXPECT_NE(contents("docs/robot.md").find(node_parameter_table()), std::string::npos)
      << node_parameter_table();
}

TEST(quality_of_service, keeps_depth_reliability_and_durability) {
  const rmw_qos_profile_t profile = to_profile({"best_effort", "transient_local", 7});
  EXPECT_EQ(profile.depth, 7U);
  EXPECT_EQ(profile.reliability, RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT);
  EXPECT_EQ(profile.durability, RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL);
  EXPECT_EQ(profile.history, RMW_QOS_POLICY_HISTORY_KEEP_LAST);
}

}  // namespace
}  // namespace pointtree::ros
