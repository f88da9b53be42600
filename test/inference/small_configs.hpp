// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "pointtree/inference/model_config.hpp"

namespace pointtree::inference {

/// A network of a few thousand weights for 16 points.
inline ModelConfig small_config() {
  ModelConfig config;
  config.points = 16;
  config.classes = 5;
  config.leaf_width = 64;
  config.max_width = 256;
  config.leaf_hidden = 128;
  config.carry_width = 128;
  config.width = 1.0 / 16.0;
  return config;
}

/// One small network of every kind that can be configured.
inline std::map<std::string, ModelConfig> small_configs() {
  std::map<std::string, ModelConfig> configs;
  const auto add = [&](const std::string& name, auto change) {
    ModelConfig config = small_config();
    change(config);
    configs[name] = config;
  };
  add("def", [](ModelConfig&) {});
  add("unaligned", [](ModelConfig& c) { c.alignment = Alignment::none; });
  add("intensity", [](ModelConfig& c) { c.extra_channels = 1; });
  add("multi-scale features", [](ModelConfig& c) {
    c.alignment = Alignment::none;
    c.points = 64;
    c.features.multi_scale = true;
  });
  add("local PCA features", [](ModelConfig& c) {
    c.alignment = Alignment::none;
    c.points = 64;
    c.features.local_pca = true;
    c.features.subtree_shapes = true;
  });
  add("spin images of the whitened cloud", [](ModelConfig& c) {
    c.alignment = Alignment::none;
    c.points = 64;
    c.features.local_pca = true;
    c.features.spin_images = true;
    c.features.whitened = true;
  });
  add("subtree shapes", [](ModelConfig& c) {
    c.alignment = Alignment::none;
    c.points = 64;
    c.features.multi_scale = true;
    c.features.subtree_shapes = true;
    c.level_growth = 1.5;
    c.level_pooling_width = 160;
  });
  add("segmentation with activated carries", [](ModelConfig& c) {
    c.task = Task::segmentation;
    c.alignment = Alignment::none;
    c.points = 32;
    c.carry_activation = Activation::prelu;
  });
  add("segmentation with subtree shapes", [](ModelConfig& c) {
    c.task = Task::segmentation;
    c.alignment = Alignment::none;
    c.points = 32;
    c.features.subtree_shapes = true;
  });
  add("proportions", [](ModelConfig& c) {
    c.alignment = Alignment::none;
    c.pre_align = geometry::PreAlignMode::canonical;
    c.points = 64;
    c.features.subtree_shapes = true;
    c.features.proportions = true;
  });
  add("surface patches", [](ModelConfig& c) {
    c.alignment = Alignment::none;
    c.pre_align = geometry::PreAlignMode::canonical;
    c.points = 64;
    c.features.subtree_shapes = true;
    c.features.proportions = true;
    c.features.surface_patches = true;
  });
  add("level pooling", [](ModelConfig& c) {
    c.points = 128;
    c.level_pooling_width = 160;
  });
  add("ka", [](ModelConfig& c) {
    c.variant = Variant::ka;
    c.alignment = Alignment::tree;
  });
  add("rns", [](ModelConfig& c) { c.variant = Variant::rns; });
  add("rns of two blocks", [](ModelConfig& c) {
    c.variant = Variant::rns;
    c.blocks = 2;
  });
  add("concat_mlp", [](ModelConfig& c) { c.merge = Merge::concat_mlp; });
  add("segmentation", [](ModelConfig& c) { c.task = Task::segmentation; });
  add("segmentation with colour", [](ModelConfig& c) {
    c.task = Task::segmentation;
    c.extra_channels = 3;
  });
  add("segmentation ka", [](ModelConfig& c) {
    c.task = Task::segmentation;
    c.variant = Variant::ka;
    c.alignment = Alignment::tree;
  });
  add("segmentation rns", [](ModelConfig& c) {
    c.task = Task::segmentation;
    c.variant = Variant::rns;
    c.max_width = 1024;
  });
  return configs;
}

}  // namespace pointtree::inference
