// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pointtree/geometry/description.hpp"
#include "pointtree/geometry/pre_align.hpp"
#include "pointtree/geometry/relaxed_kd_tree.hpp"

namespace YAML {  // NOLINT(readability-identifier-naming): yaml-cpp's name
class Node;
}

namespace pointtree::inference {

/// What the network answers: one class per cloud, or one per point.
enum class Task { classification, segmentation };

/// The paper's three networks.
enum class Variant {
  def,  ///< one encoder
  ka,   ///< def whose alignment is itself a tree encoder (alignment: tree)
  rns,  ///< stackable encoder-decoder blocks before the last encoder
};

/// What predicts the 3×3 map applied to the coordinates before the first encoder.
enum class Alignment { tnet, tree, none };

/// How the features of two children become their parent's.
enum class Merge { max, concat_mlp };

/// A non-linearity behind a linear map.
enum class Activation { none, prelu, relu };

/// Names in configuration files.
std::string_view to_string(Task task);
std::string_view to_string(Variant variant);        ///< likewise
std::string_view to_string(Alignment alignment);    ///< likewise
std::string_view to_string(Merge merge);            ///< likewise
std::string_view to_string(Activation activation);  ///< likewise

/// Everything that determines a network's shape and how its input is prepared; defaults are the
/// paper's `def` classifier for ModelNet40. Keys, meanings and limits are listed by
/// model_config_help().
struct ModelConfig {
  Task task = Task::classification;
  Variant variant = Variant::def;
  Alignment alignment = Alignment::tnet;
  geometry::SplitRule tree = geometry::SplitRule::relaxed;
  geometry::PreAlignMode pre_align = geometry::PreAlignMode::iterative;
  Merge merge = Merge::max;
  int points = 2048;
  int classes = 40;
  int extra_channels = 0;
  bool multi_scale_features = false;
  bool local_pca_features = false;
  bool spin_images = false;
  bool subtree_shapes = false;
  bool whitened_description = false;
  bool proportions = false;
  bool surface_patches = false;
  int leaf_width = 32;
  int max_width = 4096;
  double level_growth = 0.0;
  double width = 1.0;
  int leaf_hidden = 1024;
  int level_pooling_width = 0;
  int carry_width = 512;
  int blocks = 1;
  double head_dropout = 0.0;

  /// How trees are built for this network: a merge that tells left from right needs halves that
  /// follow the points as they turn.
  geometry::TreeOptions tree_options() const;

  /// What the network is told beside points and extra channels.
  geometry::Description description() const {
    return {multi_scale_features, local_pca_features, spin_images,    subtree_shapes,
            whitened_description, proportions,        surface_patches};
  }

  /// Channels per input point: x, y, z, the extra ones, and the description.
  int channels() const { return 3 + extra_channels + description().channels(points); }

  /// d for 2^d points.
  int depth() const;
};

/// Throws std::invalid_argument naming the key, what was expected and what was found.
void validate(const ModelConfig& config);

/// Reads and validates a configuration; keys that are left out keep their defaults, unknown keys
/// are refused. `variant: ka` implies `alignment: tree`. Throws std::invalid_argument naming the
/// key.
ModelConfig model_config(const YAML::Node& node);

/// Every key with its value, in the order of the struct.
YAML::Node to_yaml(const ModelConfig& config);

/// One configuration key as shown to people.
struct ConfigKey {
  std::string name;
  std::string default_value;
  std::string meaning;
};

/// All keys of ModelConfig with defaults and meanings.
std::vector<ConfigKey> model_config_help();

}  // namespace pointtree::inference
