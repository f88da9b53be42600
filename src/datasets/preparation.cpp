// SPDX-License-Identifier: Apache-2.0
#include "datasets/preparation.hpp"

#include <Eigen/LU>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "geometry/seed.hpp"
#include "pointtree/geometry/sampling.hpp"

namespace pointtree::datasets {
namespace {

constexpr int kMaximumDepth = 20;

// Each stage draws from a stream of its own, so that switching one off leaves the draws of the
// others alone.
enum Stage : std::uint64_t { observing, sampling, transforming, augmenting, warping = 5 };

geometry::Random stream(std::uint64_t seed, Stage stage) {
  return geometry::Random(geometry::mix_seed({seed, stage}));
}

// Warps a cloud as it is in its pose, then puts it back to where it was; a flat one stays in its
// pose.
void warp_in_pose(geometry::Points& points, double sigma,
                  const inference::Preprocessor& preprocessor, geometry::Random& random) {
  geometry::PreAlignment posed = preprocessor.pre_align(points);
  warp(posed.points, sigma, random);
  points = std::move(posed.points);
  if (posed.rank < 3) return;
  const geometry::PointsOf<double> centred = points.cast<double>().rowwise() - posed.translation;
  points = (centred * posed.linear.inverse()).cast<float>();
}

// The extra channels of the sampled points; no columns where they are not used.
Channels sampled_extra(const Example& example, const PreparationConfig& config,
                       const Observation& seen, const std::vector<std::int32_t>& chosen) {
  Channels extra(static_cast<Eigen::Index>(chosen.size()),
                 config.use_extra ? example.extra.cols() : 0);
  for (std::size_t i = 0; extra.cols() > 0 && i < chosen.size(); ++i) {
    extra.row(static_cast<Eigen::Index>(i)) =
        example.extra.row(seen.source[static_cast<std::size_t>(chosen[i])]);
  }
  return extra;
}

// Augments the coordinates of a posed cloud and leaves its tree alone. Returns its surface as it
// was before noise, moved along, where the features need it and the coordinates have changed.
std::optional<std::vector<geometry::SurfacePatch>> augment(inference::PosedCloud& posed,
                                                           const PreparationConfig& config,
                                                           geometry::Random& random) {
  geometry::Points& points = posed.pre_alignment.points;
  const std::vector<std::int32_t>& order = posed.tree.leaf_order();
  const geometry::Points before = points;
  const Eigen::Matrix3d moved_by = augment_coordinates(points, config.augmentation, random);
  posed.pre_alignment.linear = (posed.pre_alignment.linear * moved_by).eval();
  drop_leaves(points, order, config.augmentation.leaf_dropout, random);
  if (!config.preprocessor.features.surface_patches || points == before) return std::nullopt;
  return geometry::moved(geometry::surface_patches(before(order, Eigen::all)), moved_by);
}

}  // namespace

void validate(const PreparationConfig& config) {
  if (config.depth < 0 || config.depth > kMaximumDepth) {
    throw std::invalid_argument("preparation: depth should be in 0 to " +
                                std::to_string(kMaximumDepth) + ", is " +
                                std::to_string(config.depth));
  }
  if (!config.preprocess &&
      (!config.preprocessor.features.empty() || config.augmentation.leaf_dropout > 0.0)) {
    throw std::invalid_argument("preparation: features and leaf_dropout need the tree");
  }
  validate(config.augmentation);
}

PreparedCloud prepare(const Example& example, const PreparationConfig& config, std::uint64_t seed) {
  const AugmentationConfig& augmentation = config.augmentation;
  const inference::Preprocessor preprocessor(config.preprocessor);
  geometry::Random observing_random = stream(seed, observing);
  const Observation seen = observe(example.points, augmentation.observation, observing_random);
  const auto leaves = std::int32_t{1} << config.depth;
  const auto chosen = geometry::resample(seen.points, leaves, geometry::mix_seed({seed, sampling}));
  geometry::Points points = seen.points(chosen, Eigen::all);

  if (augmentation.warp > 0.0) {
    geometry::Random random = stream(seed, warping);
    warp_in_pose(points, augmentation.warp, preprocessor, random);
  }
  if (augmentation.transformation != geometry::TransformationKind::none) {
    geometry::Random random = stream(seed, transforming);
    const geometry::TransformationSampler sampler(augmentation.transformation, augmentation.form);
    points = sampler.draw(points, random).apply(points);
  }
  geometry::Random augmenting_random = stream(seed, augmenting);
  const Channels extra = sampled_extra(example, config, seen, chosen);
  const auto columns = static_cast<int>(extra.cols());
  const inference::ChannelsView extra_view(extra.data(), extra.rows(), columns,
                                           Eigen::OuterStride<>(columns));
  PreparedCloud prepared;
  std::vector<std::int32_t> order(static_cast<std::size_t>(leaves));
  if (config.preprocess) {
    inference::PosedCloud posed = preprocessor.pose(points);
    order = posed.tree.leaf_order();
    prepared.features.resize(leaves, preprocessor.channels(leaves, columns));
    const auto patches = augment(posed, config, augmenting_random);
    preprocessor.write_leaves(posed, extra_view, prepared.features.data(),
                              patches ? &*patches : nullptr);
  } else {
    std::iota(order.begin(), order.end(), 0);
    prepared.augmentation = draw_augmentation(points, augmentation, augmenting_random);
    prepared.features.resize(leaves, 3 + columns);
    prepared.features.leftCols<3>() = points;
    prepared.features.rightCols(columns) = extra;
  }
  prepared.leaf_points.reserve(order.size());
  for (const std::int32_t sampled : order) {
    const std::int32_t source =
        seen.source[static_cast<std::size_t>(chosen[static_cast<std::size_t>(sampled)])];
    prepared.leaf_points.push_back(source);
    if (!example.point_labels.empty()) {
      prepared.leaf_labels.push_back(example.point_labels[static_cast<std::size_t>(source)]);
    }
  }
  return prepared;
}

}  // namespace pointtree::datasets
