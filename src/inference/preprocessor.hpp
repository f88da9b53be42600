// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/multi_scale_features.hpp"
#include "geometry/surface_patches.hpp"
#include "pointtree/inference/engine.hpp"
#include "pointtree/inference/model_config.hpp"

namespace pointtree::inference {

/// How a sampled cloud becomes a network's input.
struct PreprocessorConfig {
  geometry::PreAlignMode pre_align = geometry::PreAlignMode::canonical;
  geometry::TreeOptions tree;
  geometry::InputFeatures features;
};

/// That of a network.
PreprocessorConfig preprocessor_config(const ModelConfig& model);
PreprocessorConfig preprocessor_config(const EngineInfo& info);  ///< likewise

/// A cloud in its standard pose, and its tree.
struct PosedCloud {
  geometry::PreAlignment pre_alignment;
  geometry::RelaxedKdTree tree;
};

/// The one way from sampled points to a network's input, for training, engine and benchmarks:
/// standard pose, tree, rows in leaf order, features.
class Preprocessor {
 public:
  explicit Preprocessor(const PreprocessorConfig& config) : config_(config) {}

  geometry::PreAlignment pre_align(const geometry::PointsView& points) const;
  geometry::RelaxedKdTree build_tree(const geometry::PointsView& posed, int threads = 1) const;

  /// Pre-aligns 2^d finite points and builds their tree.
  PosedCloud pose(const geometry::PointsView& points, int threads = 1) const;

  /// Numbers per row: coordinates, extra channels, features.
  int channels(int points, int extra) const;

  /// Writes one row per leaf, channels() numbers each; row i of `extra` belongs to point i.
  /// `patches` are those of the cloud where its points have been augmented since it was posed.
  void write_leaves(const PosedCloud& cloud, const ChannelsView& extra, float* leaves,
                    const std::vector<geometry::SurfacePatch>* patches = nullptr,
                    const geometry::RepeatedLeaves& repeated = {}) const;

 private:
  PreprocessorConfig config_;
};

/// Writes for each of `count` rows the first row with the same source; `scratch` has `count`
/// places.
void write_owners(const std::int32_t* source, std::size_t count, std::int32_t* scratch,
                  std::int32_t* owner);

}  // namespace pointtree::inference
