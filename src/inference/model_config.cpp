// SPDX-License-Identifier: Apache-2.0
#include "pointtree/inference/model_config.hpp"

#include <yaml-cpp/yaml.h>

#include <stdexcept>

#include "io/fields.hpp"

namespace pointtree::inference {
namespace {

// Far beyond any sensible network, yet small enough that products of two stay exact in 64 bits.
constexpr int kMaxWidth = 1 << 16;
constexpr int kMaxPoints = 1 << 20;

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

io::Fields fields_of(ModelConfig& c) {
  geometry::InputFeatures& f = c.features;
  return {
      {"task", c.task, "one class per cloud or per point"},
      {"variant", c.variant, "the paper's network; ka implies alignment tree"},
      {"alignment", c.alignment, "what predicts the 3x3 map applied to the coordinates"},
      {"tree", c.tree, "split by principal component, or by the nearest coordinate axis"},
      {"pre_align", c.pre_align, "standard pose given to a cloud before its tree is built"},
      {"merge", c.merge, "how two children's features become their parent's"},
      {"points", c.points, "points per cloud, a power of two from 16"},
      {"classes", c.classes, "classes, or part labels in segmentation", {1, kMaxWidth}},
      {"extra_channels",
       c.extra_channels,
       "input channels after x, y, z (intensity, colour)",
       {0, 1024}},
      {"features",
       {{"multi_scale", &f.multi_scale},
        {"local_pca", &f.local_pca},
        {"spin_images", &f.spin_images},
        {"subtree_shapes", &f.subtree_shapes},
        {"whitened", &f.whitened},
        {"proportions", &f.proportions},
        {"surface_patches", &f.surface_patches}},
       "computed from the points; of each leaf: multi_scale, the subtrees around it; local_pca, "
       "the surface around it; spin_images, with local_pca, how the cloud lies about its normal; "
       "of each subtree: subtree_shapes; of the root: proportions, what whitening took of the "
       "cloud's; surface_patches, with proportions, what density says of them; whitened: all but "
       "proportions are those of the whitened cloud, which affine maps can only turn"},
      {"leaf_width", c.leaf_width, "feature width at the leaves", {1, kMaxWidth}},
      {"max_width", c.max_width, "widest level feature", {1, kMaxWidth}},
      {"level_growth", c.level_growth,
       "factor from a level's width to the next; 0: doubled at first, then at every second level"},
      {"width", c.width, "multiplies every hidden width"},
      {"leaf_hidden", c.leaf_hidden, "hidden width of the leaf layers", {1, kMaxWidth}},
      {"level_pooling_width",
       c.level_pooling_width,
       "features that each middle level adds to the root's, the largest over its nodes; 0: the "
       "root alone answers",
       {0, kMaxWidth}},
      {"carry_width",
       c.carry_width,
       "least width of the top-down features in segmentation",
       {4, kMaxWidth}},
      {"carry_activation", c.carry_activation,
       "after each map of the top-down features in segmentation; the paper has none"},
      {"blocks", c.blocks, "rns blocks before the last encoder", {1, 64}},
      {"head_dropout", c.head_dropout, "dropout before the last layer of each head"},
  };
}

void validate(const ModelConfig& config, const std::string& prefix) {
  ModelConfig copy = config;
  io::Fields own = fields_of(copy);
  for (io::Field& field : own) field.name.insert(0, prefix);
  io::refuse(io::out_of_limits(own));
  const auto require = [&](bool rule, const char* key, const std::string& expected) {
    if (rule) return;
    const auto name = prefix + key;
    throw std::invalid_argument(name + ": expected " + expected + ", found " +
                                io::to_text(io::find_field(own, name)->get()));
  };
  const geometry::InputFeatures& features = config.features;
  require(is_power_of_two(config.points) && config.points >= 16 && config.points <= kMaxPoints,
          "points", "a power of two from 16 to " + std::to_string(kMaxPoints));
  require(config.variant != Variant::ka || config.alignment == Alignment::tree, "alignment",
          "tree, which variant ka stands for");
  require(!features.spin_images || features.local_pca, "features",
          "no spin_images without local_pca");
  require(!features.subtree_shapes ||
              (config.variant == Variant::def && config.alignment == Alignment::none),
          "features", "no subtree_shapes but for variant def without alignment");
  require(!features.proportions || (features.subtree_shapes && whitens(config.pre_align)),
          "features", "no proportions without subtree_shapes and a pre_align that whitens");
  require(!features.surface_patches || features.proportions, "features",
          "no surface_patches without proportions");
  require(config.level_growth == 0.0 || (config.level_growth >= 1.0 && config.level_growth <= 4.0),
          "level_growth", "0 or a number from 1 to 4");
  require(config.max_width >= config.leaf_width, "max_width",
          "an integer from " + std::to_string(config.leaf_width) + ", the leaf_width");
  require(config.level_pooling_width == 0 || config.task == Task::classification,
          "level_pooling_width", "0 with task segmentation");
  require(config.width > 0.0 && config.width <= 16.0, "width", "a number above 0 and up to 16");
  require(config.head_dropout >= 0.0 && config.head_dropout < 1.0, "head_dropout",
          "a number from 0 and below 1");
}

ModelConfig model_config(const YAML::Node& node) {
  ModelConfig config;
  io::refuse(io::read_yaml(node, fields_of(config)));
  finish_model_config(config, node, "");
  return config;
}

void finish_model_config(ModelConfig& config, const YAML::Node& given, const std::string& prefix) {
  const bool has_alignment = given && given.IsMap() && given["alignment"];
  if (config.variant == Variant::ka && !has_alignment) config.alignment = Alignment::tree;
  validate(config, prefix);
}

}  // namespace pointtree::inference
