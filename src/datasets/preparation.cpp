#include "datasets/preparation.hpp"

#include <Eigen/LU>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "geometry/describe.hpp"
#include "geometry/seed.hpp"

namespace pointtree::datasets {
namespace {

constexpr int kMaximumDepth = 20;
constexpr double kMostLost = 0.3;

// Each stage draws from a stream of its own, so that switching one off leaves the draws of the
// others alone.
enum Stage : std::uint64_t { observing, sampling, transforming, augmenting, viewing, warping };

geometry::Random stream(std::uint64_t seed, Stage stage) {
  return geometry::Random(geometry::mix_seed({seed, stage}));
}

// Replaces some points by copies of others.
void lose_points(geometry::Points& points, geometry::Random& random) {
  const auto count = static_cast<std::uint64_t>(points.rows());
  const double share = random.uniform(0.0, kMostLost);
  const auto lost = static_cast<std::uint64_t>(share * static_cast<double>(count));
  std::vector<Eigen::Index> rows(count);
  std::iota(rows.begin(), rows.end(), 0);
  for (std::uint64_t i = 0; i < lost; ++i) {
    std::swap(rows[i], rows[i + random.below(count - i)]);
  }
  for (std::uint64_t i = 0; i < lost; ++i) {
    points.row(rows[i]) = points.row(rows[lost + random.below(count - lost)]).eval();
  }
}

// Warps a cloud as it is in its pose, then puts it back to where it was; a flat one stays in its
// pose.
void warp_in_pose(geometry::Points& points, double sigma, const geometry::PreAlignOptions& options,
                  geometry::Random& random) {
  geometry::PreAlignment posed = geometry::pre_align(points, options);
  warp(posed.points, sigma, random);
  points = std::move(posed.points);
  if (posed.rank < 3) return;
  const geometry::PointsOf<double> centred = points.cast<double>().rowwise() - posed.translation;
  points = (centred * posed.linear.inverse()).cast<float>();
}

}  // namespace

void validate(const PreparationConfig& config) {
  if (config.depth < 0 || config.depth > kMaximumDepth) {
    throw std::invalid_argument("preparation: depth should be in 0 to " +
                                std::to_string(kMaximumDepth) + ", is " +
                                std::to_string(config.depth));
  }
  if (!config.preprocess &&
      (!config.description.empty() || config.augmentation.leaf_dropout > 0.0)) {
    throw std::invalid_argument("preparation: descriptions and leaf_dropout need the tree");
  }
  validate(config.augmentation);
}

PreparedCloud prepare(const Example& example, const PreparationConfig& config, std::uint64_t seed) {
  const AugmentationConfig& augmentation = config.augmentation;
  geometry::Random observing_random = stream(seed, observing);
  const Observation seen = observe(example.points, augmentation.observation, observing_random);
  const auto leaves = std::int32_t{1} << config.depth;
  const auto chosen = geometry::resample(seen.points, leaves, geometry::mix_seed({seed, sampling}));
  geometry::Points points = seen.points(chosen, Eigen::all);

  if (augmentation.warp > 0.0) {
    geometry::Random random = stream(seed, warping);
    warp_in_pose(points, augmentation.warp, config.pre_align, random);
  }
  if (augmentation.transformation != geometry::TransformationKind::none) {
    geometry::Random random = stream(seed, transforming);
    const geometry::TransformationSampler sampler(augmentation.transformation, augmentation.form);
    points = sampler.draw(points, random).apply(points);
  }
  if (config.view > 0) {
    geometry::Random random(geometry::mix_seed({seed, viewing, config.view}));
    lose_points(points, random);
  }
  geometry::Random augmenting_random = stream(seed, augmenting);
  PreparedCloud prepared;
  Eigen::Matrix3d linear = Eigen::Matrix3d::Identity();  // from the points to the coordinates
  std::vector<geometry::SurfacePatch> patches;
  std::vector<std::int32_t> order(static_cast<std::size_t>(leaves));
  if (config.preprocess) {
    geometry::PreAlignment posed = geometry::pre_align(points, config.pre_align);
    points = std::move(posed.points);
    order = geometry::build_tree(points, config.tree).leaf_order();
    if (config.description.patches) {
      patches = geometry::surface_patches(points(order, Eigen::all));
    }
    const Eigen::Matrix3d moved_by = augment_coordinates(points, augmentation, augmenting_random);
    linear = posed.linear * moved_by;
    patches = geometry::moved(std::move(patches), moved_by);
    drop_leaves(points, order, augmentation.leaf_dropout, augmenting_random);
  } else {
    std::iota(order.begin(), order.end(), 0);
    prepared.augmentation = draw_augmentation(points, augmentation, augmenting_random);
  }
  const Eigen::Index extra = config.use_extra ? example.extra.cols() : 0;
  const Eigen::Index described = config.description.channels(leaves);
  prepared.features.resize(leaves, 3 + extra + described);
  prepared.leaf_points.reserve(order.size());
  for (std::size_t leaf = 0; leaf < order.size(); ++leaf) {
    const auto sampled = static_cast<std::size_t>(order[leaf]);
    const std::int32_t source = seen.source[static_cast<std::size_t>(chosen[sampled])];
    auto row = prepared.features.row(static_cast<Eigen::Index>(leaf));
    row.head<3>() = points.row(order[leaf]);
    if (extra > 0) row.segment(3, extra) = example.extra.row(source);
    prepared.leaf_points.push_back(source);
    if (!example.point_labels.empty()) {
      prepared.leaf_labels.push_back(example.point_labels[static_cast<std::size_t>(source)]);
    }
  }
  if (described > 0) {
    geometry::describe(prepared.features.leftCols<3>(), linear, patches, config.description,
                       prepared.features.data() + 3 + extra, prepared.features.outerStride());
  }
  return prepared;
}

}  // namespace pointtree::datasets
