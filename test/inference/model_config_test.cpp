// SPDX-License-Identifier: Apache-2.0
#include "pointtree/inference/model_config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

namespace pointtree::inference {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

auto reading(const std::string& yaml) {
  return [yaml] { return model_config(YAML::Load(yaml)); };
}

TEST(ModelConfig, left_out_keys_keep_the_papers_values) {
  const ModelConfig config = model_config(YAML::Node());
  EXPECT_EQ(config.points, 2048);
  EXPECT_EQ(config.depth(), 11);
  EXPECT_EQ(config.alignment, Alignment::tnet);
}

TEST(ModelConfig, survives_being_written_and_read) {
  ModelConfig config;
  config.task = Task::segmentation;
  config.variant = Variant::rns;
  config.tree = geometry::SplitRule::axis_aligned;
  config.pre_align = geometry::PreAlignMode::canonical;
  config.width = 0.375;
  config.points = 64;
  const std::string text = YAML::Dump(to_yaml(config));
  EXPECT_EQ(YAML::Dump(to_yaml(model_config(YAML::Load(text)))), text);
  EXPECT_EQ(model_config(YAML::Load(text)).width, 0.375);
}

TEST(ModelConfig, ka_implies_a_tree_alignment_and_allows_no_other) {
  EXPECT_EQ(reading("{variant: ka}")().alignment, Alignment::tree);
  EXPECT_THAT(
      reading("{variant: ka, alignment: tnet}"),
      ThrowsMessage<std::invalid_argument>(AllOf(HasSubstr("alignment"), HasSubstr("tnet"))));
}

TEST(ModelConfig, errors_name_the_key_the_choices_and_what_was_found) {
  const std::vector<std::array<std::string, 3>> cases{
      {"{task: clustering}", "task: expected classification | segmentation", "'clustering'"},
      {"{points: 1000}", "points: expected a power of two", "1000"},
      {"{points: 8}", "points: expected a power of two", "8"},
      {"{points: many}", "points: expected an integer", "'many'"},
      {"{width: -1}", "width: expected", "-1"},
      {"{width: .nan}", "width: expected", "nan"},
      {"{multi_scale_features: perhaps}", "multi_scale_features: expected true or false",
       "'perhaps'"},
      {"{subtree_shapes: true}", "subtree_shapes: expected false", "true"},
      {"{proportions: true}", "proportions: expected false", "true"},
      {"{alignment: none, subtree_shapes: true, pre_align: canonical, surface_patches: true}",
       "surface_patches: expected false", "true"},
      {"{alignment: none, subtree_shapes: true, proportions: true, pre_align: upright}",
       "proportions: expected false", "true"},
      {"{spin_images: true}", "spin_images: expected false", "true"},
      {"{level_growth: 0.5}", "level_growth: expected 0 or", "0.5"},
      {"{task: segmentation, level_pooling_width: 8}", "level_pooling_width: expected 0", "8"},
      {"{leaf_width: 64, max_width: 32}", "max_width: expected an integer from 64", "32"},
      {"{head_dropout: 1}", "head_dropout", "found 1"},
      {"{blocks: [1, 2]}", "blocks: expected a single value", "a list"},
      {"{leef_width: 3}", "leef_width", "not a key"},
      {"[1, 2]", "expected a map", ""}};
  for (const auto& [yaml, expected, found] : cases) {
    EXPECT_THAT(reading(yaml),
                ThrowsMessage<std::invalid_argument>(AllOf(HasSubstr(expected), HasSubstr(found))))
        << yaml;
  }
}

TEST(ModelConfig, help_lists_every_key_that_is_written) {
  const YAML::Node written = to_yaml(ModelConfig{});
  const auto help = model_config_help();
  EXPECT_EQ(help.size(), written.size());
  for (const auto& key : help) {
    EXPECT_EQ(written[key.name].as<std::string>(), key.default_value);
    EXPECT_FALSE(key.meaning.empty());
  }
}

}  // namespace
}  // namespace pointtree::inference
