// SPDX-License-Identifier: Apache-2.0
#include "ros/node_parameters.hpp"

#include <gtest/gtest.h>

#include <set>

#include "ros/parameter_messages.hpp"
#include "temporary_folder.hpp"

namespace pointtree::ros {
namespace {

using io::FieldValue;

std::string contents(const std::string& path) {
  return test::content_of(std::string(POINTTREE_SOURCE) + "/" + path);
}

std::string effect_name(ChangeEffect effect) {
  switch (effect) {
    case ChangeEffect::at_once:
      return "at once";
    case ChangeEffect::new_pipeline:
      return "from the next cloud on";
    case ChangeEffect::new_model:
      return "after loading the model";
    case ChangeEffect::never:
      break;
  }
  return "only at start";
}

/// config/node.yaml.
std::string node_yaml() {
  NodeConfig config;
  return "# Parameters of the PointTree nodes with their defaults; see docs/robot.md.\n"
         "/**:\n  ros__parameters:\n" +
         io::to_yaml(fields_of(config), "    ");
}

/// The table of parameters in docs/robot.md.
std::string node_parameter_table() {
  NodeConfig config;
  std::string table =
      "| parameter | type | default | allowed | unit | changes | meaning |\n"
      "|---|---|---|---|---|---|---|\n";
  for (const io::Field& field : fields_of(config)) {
    const FieldValue value = field.get();
    const std::string text = io::to_text(value);
    for (const std::string& cell :
         {"`" + field.name + "`", std::string(io::type_name(value)), text.empty() ? "\"\"" : text,
          io::allowed_values(field), field.range.unit, effect_name(effect_of(field.name)),
          field.help})
      table += "| " + cell + " ";
    table += "|\n";
  }
  return table;
}

TEST(node_parameters, are_unique_described_and_hold_every_field_of_the_pipeline) {
  std::set<std::string> names;
  NodeConfig config;
  for (const io::Field& parameter : fields_of(config)) {
    EXPECT_TRUE(names.insert(parameter.name).second) << parameter.name << " is described twice";
    EXPECT_FALSE(parameter.help.empty()) << parameter.name;
  }
  for (const io::Field& parameter : fields_of(config.pipeline)) {
    EXPECT_EQ(names.count(parameter.name), 1U) << parameter.name;
  }
  EXPECT_TRUE(with_changes(NodeConfig{}, {}));
}

TEST(node_parameters, survive_being_sent_as_messages) {
  NodeConfig config;
  for (const io::Field& parameter : fields_of(config)) {
    EXPECT_EQ(from_message(to_message(parameter.get())), parameter.get()) << parameter.name;
    EXPECT_EQ(to_descriptor(parameter).name, parameter.name);
  }
}

TEST(node_parameters, are_all_changed_or_none_with_every_reason) {
  const auto refused =
      with_changes(NodeConfig{}, {{"device", std::string("gpu")}, {"threads", std::int64_t{2}}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(), "device: expected auto, cpu or cuda:N, found 'gpu'");
  const auto twice = with_changes(NodeConfig{}, {{"threads", -1.5}, {"no.such", true}});
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error(),
            "threads: expected an integer from 0 to 256, found -1.5; there is no parameter "
            "'no.such'");
  const auto done = with_changes(NodeConfig{}, {{"voxel_size", std::int64_t{1}}});
  ASSERT_TRUE(done) << done.error();
  EXPECT_EQ(done->pipeline.voxel_size, 1.0);
}

TEST(node_parameters, tell_what_a_change_takes) {
  const auto effect = [](const std::string& name, const FieldValue& value) {
    return effect_of(NodeConfig{}, *with_changes(NodeConfig{}, {{name, value}}));
  };
  EXPECT_EQ(effect("paused", true), ChangeEffect::at_once);
  EXPECT_EQ(effect("voxel_size", 0.3), ChangeEffect::new_pipeline);
  EXPECT_EQ(effect("model", std::string("rooms")), ChangeEffect::new_model);
  EXPECT_EQ(effect("output_qos.depth", std::int64_t{9}), ChangeEffect::never);
  EXPECT_EQ(effect("voxel_size", NodeConfig{}.pipeline.voxel_size), ChangeEffect::at_once);
}

TEST(node_parameters, are_the_ones_in_the_shipped_file_and_in_the_documentation) {
  EXPECT_EQ(contents("config/node.yaml"), node_yaml());
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
