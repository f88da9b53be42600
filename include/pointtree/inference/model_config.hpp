// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "pointtree/geometry/input_features.hpp"
#include "pointtree/geometry/pre_align.hpp"
#include "pointtree/geometry/relaxed_kd_tree.hpp"

namespace YAML {  // NOLINT(readability-identifier-naming): yaml-cpp's name
class Node;
}

namespace pointtree::io {
struct Field;
}

namespace pointtree::inference {

/// What the network answers: one class per cloud, or one per point.
enum class Task { classification, segmentation };
constexpr std::array<std::string_view, 2> names_of(Task /*of*/) {
  return {"classification", "segmentation"};
}

/// The paper's three networks.
enum class Variant {
  def,  ///< one encoder
  ka,   ///< def whose alignment is itself a tree encoder (alignment: tree)
  rns,  ///< stackable encoder-decoder blocks before the last encoder
};
constexpr std::array<std::string_view, 3> names_of(Variant /*of*/) { return {"def", "ka", "rns"}; }

/// What predicts the 3×3 map applied to the coordinates before the first encoder.
enum class Alignment { tnet, tree, none };
constexpr std::array<std::string_view, 3> names_of(Alignment /*of*/) {
  return {"tnet", "tree", "none"};
}

/// How the features of two children become their parent's.
enum class Merge { max, concat_mlp };
constexpr std::array<std::string_view, 2> names_of(Merge /*of*/) { return {"max", "concat_mlp"}; }

/// A non-linearity behind a linear map.
enum class Activation { none, prelu, relu };
constexpr std::array<std::string_view, 3> names_of(Activation /*of*/) {
  return {"none", "prelu", "relu"};
}

using pointtree::to_string;

/// Everything that determines a network's shape and how its input is prepared; defaults are the
/// paper's `def` classifier for ModelNet40. fields_of() has keys, meanings and limits.
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
  geometry::InputFeatures features;  ///< input features beside points and extra channels
  int leaf_width = 32;
  int max_width = 4096;
  double level_growth = 0.0;
  double width = 1.0;
  int leaf_hidden = 1024;
  int level_pooling_width = 0;
  int carry_width = 512;
  Activation carry_activation = Activation::none;
  int blocks = 1;
  double head_dropout = 0.0;

  /// How trees are built for this network: a merge that orders its children needs halves that
  /// follow the points as they turn.
  geometry::TreeOptions tree_options() const;

  /// Channels per input point: x, y, z, the extra ones, and the features.
  int channels() const { return 3 + extra_channels + features.channels(points); }

  /// d for 2^d points.
  int depth() const;
};

/// Its keys with their meanings and limits.
std::vector<io::Field> fields_of(ModelConfig& config);

/// Throws std::invalid_argument naming the key behind the prefix, what was expected and what was
/// found.
void validate(const ModelConfig& config, const std::string& prefix = {});

/// Reads and validates a configuration; keys that are left out keep their defaults, unknown keys
/// are refused. `variant: ka` implies `alignment: tree`. Throws std::invalid_argument naming the
/// key.
ModelConfig model_config(const YAML::Node& node);

/// What reading leaves to do: implies what the keys given imply, and validates.
void finish_model_config(ModelConfig& config, const YAML::Node& given, const std::string& prefix);

}  // namespace pointtree::inference
