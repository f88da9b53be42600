// SPDX-License-Identifier: Apache-2.0
#include "pointtree/inference/model_config.hpp"

#include <yaml-cpp/yaml.h>

#include <cmath>
#include <set>
#include <stdexcept>
#include <type_traits>

#include "config_names.hpp"
#include "io/did_you_mean.hpp"
#include "io/yaml_line.hpp"

namespace pointtree::inference {
namespace {

// Far beyond any sensible network, yet small enough that products of two stay exact in 64 bits.
constexpr int kMaxWidth = 1 << 16;
constexpr int kMaxPoints = 1 << 20;

/// The one list of keys: reading, writing and help all walk it.
template <typename Config, typename Visitor>
void for_each_key(Config& config, Visitor&& visit) {
  visit("task", config.task, "one class per cloud or per point");
  visit("variant", config.variant, "the paper's network; ka implies alignment tree");
  visit("alignment", config.alignment, "what predicts the 3x3 map applied to the coordinates");
  visit("tree", config.tree, "split by principal component, or by the nearest coordinate axis");
  visit("pre_align", config.pre_align, "standard pose given to a cloud before its tree is built");
  visit("merge", config.merge, "how two children's features become their parent's");
  visit("points", config.points, "points per cloud, a power of two from 16");
  visit("classes", config.classes, "classes, or part labels in segmentation");
  visit("extra_channels", config.extra_channels,
        "input channels after x, y, z (intensity, colour)");
  visit("multi_scale_features", config.multi_scale_features,
        "describe to each leaf the shape of the subtrees around it");
  visit("local_pca_features", config.local_pca_features,
        "describe to each leaf the surface around it, whatever subtrees it belongs to");
  visit("spin_images", config.spin_images,
        "describe to each leaf, with local_pca_features, how the cloud lies about its normal");
  visit("subtree_shapes", config.subtree_shapes,
        "tell every level from subtrees of 8 points on their shapes");
  visit("whitened_description", config.whitened_description,
        "describe the cloud as it is after whitening, which affine maps can only turn");
  visit("proportions", config.proportions,
        "tell the root, with subtree_shapes, what whitening took of the cloud's proportions");
  visit("surface_patches", config.surface_patches,
        "tell the root, with proportions, what the density of points over the surface's directions "
        "says of them");
  visit("leaf_width", config.leaf_width, "feature width at the leaves");
  visit("max_width", config.max_width, "widest level feature");
  visit("level_growth", config.level_growth,
        "factor from a level's width to the next; 0: doubled at first, then at every second level");
  visit("width", config.width, "multiplies every hidden width");
  visit("leaf_hidden", config.leaf_hidden, "hidden width of the leaf layers");
  visit(
      "level_pooling_width", config.level_pooling_width,
      "features that each middle level adds to the root's, the largest over its nodes; 0: the root "
      "alone answers");
  visit("carry_width", config.carry_width, "least width of the top-down features in segmentation");
  visit("blocks", config.blocks, "rns blocks before the last encoder");
  visit("head_dropout", config.head_dropout, "dropout before the last layer of each head");
}

template <typename T>
std::string text_of(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return std::string(to_string(value));
  } else if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else {
    return YAML::Dump(YAML::Node(value));
  }
}

template <typename T>
T read_value(const std::string& key, const YAML::Node& node) {
  if (!node.IsScalar()) {
    throw std::invalid_argument(key + ": expected a single value, found " +
                                (node.IsSequence() ? "a list"
                                 : node.IsMap()    ? "a map"
                                                   : "nothing"));
  }
  if constexpr (std::is_enum_v<T>) {
    return enum_value<T>(key, node.Scalar());
  } else {
    T value{};
    if (!YAML::convert<T>::decode(node, value)) {
      const char* expected = std::is_same_v<T, bool> ? "true or false"
                             : std::is_integral_v<T> ? "an integer"
                                                     : "a number";
      throw std::invalid_argument(key + ": expected " + expected + ", found '" + node.Scalar() +
                                  "'");
    }
    return value;
  }
}

[[noreturn]] void refuse(const char* key, const std::string& expected, const std::string& found) {
  throw std::invalid_argument(std::string(key) + ": expected " + expected + ", found " + found);
}

void require_range(const char* key, int value, int low, int high) {
  if (value < low || value > high) {
    refuse(key, "an integer from " + std::to_string(low) + " to " + std::to_string(high),
           std::to_string(value));
  }
}

bool is_power_of_two(int value) { return value > 0 && (value & (value - 1)) == 0; }

bool whitens(geometry::PreAlignMode mode) {
  return mode != geometry::PreAlignMode::none && mode != geometry::PreAlignMode::upright &&
         mode != geometry::PreAlignMode::metric;
}

}  // namespace

int ModelConfig::depth() const {
  int depth = 0;
  while ((1 << depth) < points) ++depth;
  return depth;
}

geometry::TreeOptions ModelConfig::tree_options() const {
  geometry::TreeOptions options;
  options.rule = tree;
  if (merge == Merge::concat_mlp) options.sign = geometry::SignRule::third_moment;
  return options;
}

void validate(const ModelConfig& config) {
  if (!is_power_of_two(config.points) || config.points < 16 || config.points > kMaxPoints) {
    refuse("points", "a power of two from 16 to " + std::to_string(kMaxPoints),
           std::to_string(config.points));
  }
  if (config.variant == Variant::ka && config.alignment != Alignment::tree) {
    refuse("alignment", "tree, which variant ka stands for",
           std::string(to_string(config.alignment)));
  }
  if (config.spin_images && !config.local_pca_features) {
    refuse("spin_images", "false without local_pca_features", "true");
  }
  if (config.subtree_shapes &&
      (config.variant != Variant::def || config.alignment != Alignment::none)) {
    refuse("subtree_shapes", "false but for variant def without alignment", "true");
  }
  if (config.proportions && !(config.subtree_shapes && whitens(config.pre_align))) {
    refuse("proportions", "false without subtree_shapes and a pre_align that whitens", "true");
  }
  if (config.surface_patches && !config.proportions) {
    refuse("surface_patches", "false without proportions", "true");
  }
  if (config.level_growth != 0.0 && !(config.level_growth >= 1.0 && config.level_growth <= 4.0)) {
    refuse("level_growth", "0 or a number from 1 to 4", text_of(config.level_growth));
  }
  require_range("classes", config.classes, 1, kMaxWidth);
  require_range("extra_channels", config.extra_channels, 0, 1024);
  require_range("leaf_width", config.leaf_width, 1, kMaxWidth);
  require_range("max_width", config.max_width, config.leaf_width, kMaxWidth);
  require_range("leaf_hidden", config.leaf_hidden, 1, kMaxWidth);
  require_range("level_pooling_width", config.level_pooling_width, 0, kMaxWidth);
  if (config.level_pooling_width > 0 && config.task != Task::classification) {
    refuse("level_pooling_width", "0 with task segmentation",
           std::to_string(config.level_pooling_width));
  }
  require_range("carry_width", config.carry_width, 4, kMaxWidth);
  require_range("blocks", config.blocks, 1, 64);
  if (!(config.width > 0.0 && config.width <= 16.0)) {
    refuse("width", "a number above 0 and up to 16", text_of(config.width));
  }
  if (!(config.head_dropout >= 0.0 && config.head_dropout < 1.0)) {
    refuse("head_dropout", "a number from 0 and below 1", text_of(config.head_dropout));
  }
}

ModelConfig model_config(const YAML::Node& given) {
  const YAML::Node node = given && !given.IsNull() ? given : YAML::Node(YAML::NodeType::Map);
  if (!node.IsMap()) throw std::invalid_argument("model configuration: expected a map of keys");
  ModelConfig config;
  std::set<std::string> known;
  for_each_key(config, [&](const char* key, auto& value, const char*) {
    known.insert(key);
    if (const YAML::Node entry = node[key]) {
      value = read_value<std::decay_t<decltype(value)>>(key, entry);
    }
  });
  for (const auto& entry : node) {
    const auto key = entry.first.IsScalar() ? entry.first.Scalar() : "a list or a map";
    if (known.count(key) == 0) {
      throw std::invalid_argument(io::line_of(entry.first) + key +
                                  ": not a key of the model configuration" +
                                  io::did_you_mean(key, {known.begin(), known.end()}));
    }
  }
  if (config.variant == Variant::ka && !node["alignment"]) config.alignment = Alignment::tree;
  validate(config);
  return config;
}

YAML::Node to_yaml(const ModelConfig& config) {
  YAML::Node node(YAML::NodeType::Map);
  for_each_key(
      config, [&](const char* key, const auto& value, const char*) { node[key] = text_of(value); });
  return node;
}

std::vector<ConfigKey> model_config_help() {
  std::vector<ConfigKey> keys;
  const ModelConfig defaults;
  for_each_key(defaults, [&](const char* key, const auto& value, const char* meaning) {
    std::string text = meaning;
    if constexpr (std::is_enum_v<std::decay_t<decltype(value)>>) {
      text += " (" + enum_choices<std::decay_t<decltype(value)>>() + ")";
    }
    keys.push_back({key, text_of(value), text});
  });
  return keys;
}

}  // namespace pointtree::inference
