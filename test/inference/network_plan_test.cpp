// SPDX-License-Identifier: Apache-2.0
#include "pointtree/inference/network_plan.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace pointtree::inference {
namespace {

struct Cost {
  std::int64_t parameters = 0;
  std::int64_t macs = 0;
};

/// Sums the layers whose name does not start with one of the given prefixes.
Cost cost_without(const ModelConfig& config, const std::vector<std::string>& prefixes) {
  Cost cost;
  for (const auto& layer : dense_layers(plan_network(config))) {
    bool skipped = false;
    for (const auto& prefix : prefixes) skipped |= layer.name.rfind(prefix, 0) == 0;
    if (skipped) continue;
    cost.parameters += parameters(layer.dense);
    cost.macs += layer.positions * layer.dense.in * layer.dense.out;
  }
  return cost;
}

ModelConfig shapenet_part() {
  ModelConfig config;
  config.task = Task::segmentation;
  config.classes = 50;
  config.leaf_width = 16;
  config.max_width = 2048;
  return config;
}

using Widths = std::vector<std::int64_t>;

TEST(LevelWidths, follow_the_published_lists) {
  const Widths paper{32, 64, 128, 256, 512, 512, 1024, 1024, 2048, 2048, 4096, 4096};
  EXPECT_EQ(level_widths(11, 32, 4096), paper);
  EXPECT_EQ(level_widths(10, 32, 4096), Widths(paper.begin(), paper.end() - 1));
  EXPECT_EQ(level_widths(12, 16, 4096),
            (Widths{16, 32, 64, 128, 256, 256, 512, 512, 1024, 1024, 2048, 2048, 4096}));
  EXPECT_EQ(level_widths(4, 16, 64), (Widths{16, 32, 64, 64, 64}));
}

TEST(LevelWidths, grow_by_a_factor_in_steps_of_eight) {
  EXPECT_EQ(growing_widths(10, 24, 512, 1.4142),
            (Widths{24, 32, 48, 64, 96, 136, 192, 272, 384, 512, 512}));
  EXPECT_EQ(growing_widths(3, 12, 1000, 4.0), (Widths{12, 48, 192, 768}));
  EXPECT_EQ(growing_widths(2, 3, 3, 1.0), (Widths{3, 3, 3}));
}

TEST(NetworkCost, of_the_classifier_is_the_published_one) {
  const ModelConfig config;
  EXPECT_EQ(cost_without(config, {"head"}).parameters, 34'512'298);
  EXPECT_EQ(cost_without(config, {}).parameters, 39'256'020);
  EXPECT_EQ(cost_without(config, {}).macs, 981'358'848);
  EXPECT_EQ(cost_without(config, {"encoder", "head"}).parameters, 959'497);
  ModelConfig half = config;
  half.points = 1024;
  EXPECT_EQ(cost_without(half, {}).macs, 476'600'576);
}

TEST(NetworkCost, of_part_segmentation_is_the_published_one) {
  EXPECT_EQ(cost_without(shapenet_part(), {}).parameters, 26'468'494);
  EXPECT_EQ(cost_without(shapenet_part(), {}).macs, 2'293'106'944);
}

TEST(NetworkCost, of_scene_segmentation_is_the_published_one) {
  ModelConfig s3dis;
  s3dis.task = Task::segmentation;
  s3dis.points = 4096;
  s3dis.classes = 13;
  s3dis.extra_channels = 3;
  s3dis.leaf_width = 16;
  EXPECT_EQ(cost_without(s3dis, {}).parameters, 47'457'129);
  EXPECT_EQ(cost_without(s3dis, {}).macs, 4'622'256'384);
}

TEST(NetworkCost, of_stacked_blocks_is_the_published_one) {
  ModelConfig classifier;
  classifier.variant = Variant::rns;
  EXPECT_EQ(cost_without(classifier, {"head", "block_head"}).parameters, 129'891'147);
  EXPECT_EQ(cost_without(classifier, {}).parameters, 139'378'591);
  EXPECT_EQ(cost_without(classifier, {"block_head"}).macs, 2'638'108'928);
  ModelConfig parts = shapenet_part();
  parts.variant = Variant::rns;
  EXPECT_EQ(cost_without(parts, {}).parameters, 50'422'515);
}

TEST(NetworkPlan, aligns_ka_with_a_slim_encoder_of_half_the_width) {
  ModelConfig config;
  config.variant = Variant::ka;
  config.alignment = Alignment::tree;
  const NetworkPlan plan = plan_network(config);
  const EncoderPlan& encoder = *plan.alignment->encoder;
  EXPECT_EQ(encoder.widths, level_widths(11, 16, 2048));
  EXPECT_EQ(encoder.leaf.front().out, 64);
  for (std::size_t l = 0; l < encoder.levels.size(); ++l) {
    EXPECT_EQ(encoder.levels[l].map.has_value(), encoder.widths[l] != encoder.widths[l + 1]);
  }
  EXPECT_EQ(plan.alignment->head.front().in, 2048);
  EXPECT_EQ(plan.alignment->head.back().out, 9);
  EXPECT_EQ(plan.alignment_head.back().out, config.classes);
}

TEST(NetworkPlan, carries_features_down_at_the_published_widths) {
  ModelConfig config;
  config.variant = Variant::rns;
  const NetworkPlan plan = plan_network(config);
  Widths inputs;
  Widths outputs;
  for (const auto& level : plan.blocks[0].decoder.levels) {
    inputs.push_back(level.in);
    outputs.push_back(level.out);
  }
  EXPECT_EQ(inputs, (Widths{8192, 6144, 4096, 3072, 2048, 1536, 1024, 768, 384, 320, 288}));
  EXPECT_EQ(outputs, (Widths{4096, 2048, 2048, 1024, 1024, 512, 512, 256, 256, 256, 256}));
}

TEST(NetworkPlan, width_multiplier_scales_every_hidden_layer) {
  ModelConfig half;
  half.width = 0.5;
  const NetworkPlan plan = plan_network(half);
  EXPECT_EQ(plan.encoder.widths, level_widths(11, 16, 2048));
  EXPECT_EQ(plan.encoder.leaf.front().out, 512);
  EXPECT_EQ(plan.alignment->tnet.point.back().out, 512);
  EXPECT_EQ(plan.head.back().out, 40);
}

}  // namespace
}  // namespace pointtree::inference
