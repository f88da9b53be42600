// SPDX-License-Identifier: Apache-2.0
#include "pointtree/inference/model_config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include "io/fields.hpp"

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
  config.features.local_pca = true;
  config.features.spin_images = true;
  const std::string text = io::to_yaml(fields_of(config));
  ModelConfig again = model_config(YAML::Load(text));
  EXPECT_EQ(io::to_yaml(fields_of(again)), text);
  EXPECT_EQ(again.width, 0.375);
  EXPECT_TRUE(again.features.spin_images);
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
      {"{features: [colour]}", "features: expected a list of multi_scale | local_pca", "colour"},
      {"{features: {multi_scale: true}}", "features: expected a list of", "a map"},
      {"{features: [subtree_shapes]}", "features: expected no subtree_shapes", "subtree_shapes"},
      {"{alignment: none, features: [proportions]}", "features: expected no proportions", "prop"},
      {"{alignment: none, features: [subtree_shapes, surface_patches], pre_align: canonical}",
       "features: expected no surface_patches", "subtree_shapes, surface_patches"},
      {"{alignment: none, features: [subtree_shapes, proportions], pre_align: upright}",
       "features: expected no proportions", "subtree_shapes, proportions"},
      {"{features: [spin_images]}", "features: expected no spin_images", "spin_images"},
      {"{level_growth: 0.5}", "level_growth: expected 0 or", "0.5"},
      {"{task: segmentation, level_pooling_width: 8}", "level_pooling_width: expected 0", "8"},
      {"{leaf_width: 64, max_width: 32}", "max_width: expected an integer from 64", "32"},
      {"{head_dropout: 1}", "head_dropout", "found 1"},
      {"{blocks: [1, 2]}", "blocks: expected an integer from 1 to 64", "a list"},
      {"{leef_width: 3}", "there is no parameter 'leef_width'", "leaf_width"},
      {"[1, 2]", "expected a map", ""}};
  for (const auto& [yaml, expected, found] : cases) {
    EXPECT_THAT(reading(yaml),
                ThrowsMessage<std::invalid_argument>(AllOf(HasSubstr(expected), HasSubstr(found))))
        << yaml;
  }
}

TEST(ModelConfig, keys_are_listed_with_defaults_choices_and_meanings) {
  ModelConfig defaults;
  const std::string list = io::key_list(fields_of(defaults));
  for (const io::Field& field : fields_of(defaults)) {
    EXPECT_THAT(list, HasSubstr(field.name));
    EXPECT_FALSE(field.help.empty()) << field.name;
  }
  EXPECT_THAT(list, AllOf(HasSubstr("2048"), HasSubstr("classification | segmentation")));
}

}  // namespace
}  // namespace pointtree::inference
