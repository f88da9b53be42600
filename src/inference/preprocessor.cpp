// SPDX-License-Identifier: Apache-2.0
#include "inference/preprocessor.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "geometry/write_features.hpp"

namespace pointtree::inference {

PreprocessorConfig preprocessor_config(const ModelConfig& model) {
  return {model.pre_align, model.tree_options(), model.features};
}

PreprocessorConfig preprocessor_config(const EngineInfo& info) {
  return {info.pre_align, info.tree, info.features};
}

geometry::PreAlignment Preprocessor::pre_align(const geometry::PointsView& points) const {
  return geometry::pre_align(points, config_.pre_align);
}

geometry::RelaxedKdTree Preprocessor::build_tree(const geometry::PointsView& posed,
                                                 int threads) const {
  geometry::TreeOptions options = config_.tree;
  options.threads = threads;
  return geometry::build_tree(posed, options);
}

PosedCloud Preprocessor::pose(const geometry::PointsView& points, int threads) const {
  geometry::PreAlignment posed = pre_align(points);
  geometry::RelaxedKdTree tree = build_tree(posed.points, threads);
  return {std::move(posed), std::move(tree)};
}

int Preprocessor::channels(int points, int extra) const {
  return 3 + extra + config_.features.channels(points);
}

void Preprocessor::write_leaves(const PosedCloud& cloud, const ChannelsView& extra, float* leaves,
                                const std::vector<geometry::SurfacePatch>* patches,
                                const geometry::RepeatedLeaves& repeated) const {
  const geometry::Points& points = cloud.pre_alignment.points;
  const auto count = static_cast<int>(points.rows());
  const Eigen::Index stride =
      channels(count * static_cast<int>(repeated.times), static_cast<int>(extra.cols()));
  float* row = leaves;
  for (const std::int32_t point : cloud.tree.leaf_order()) {
    float* next = std::copy_n(points.row(point).data(), 3, row);
    for (Eigen::Index c = 0; c < extra.cols(); ++c) *next++ = extra(point, c);
    row += stride;
  }
  if (config_.features.empty()) return;
  const Eigen::Map<const geometry::Points, 0, Eigen::OuterStride<>> in_order(
      leaves, count, 3, Eigen::OuterStride<>(stride));
  float* features = leaves + 3 + extra.cols();
  const Eigen::Matrix3d& linear = cloud.pre_alignment.linear;
  if (patches != nullptr) {
    geometry::write_features(in_order, linear, *patches, config_.features, features, stride);
  } else {
    geometry::write_features(in_order, linear, config_.features, features, stride, repeated);
  }
}

void write_owners(const std::int32_t* source, std::size_t count, std::int32_t* scratch,
                  std::int32_t* owner) {
  std::iota(owner, owner + count, 0);
  std::iota(scratch, scratch + count, 0);
  std::sort(scratch, scratch + count, [&](std::int32_t a, std::int32_t b) {
    return std::pair(source[a], a) < std::pair(source[b], b);
  });
  for (std::size_t i = 1; i < count; ++i) {
    if (source[scratch[i]] == source[scratch[i - 1]]) owner[scratch[i]] = owner[scratch[i - 1]];
  }
}

}  // namespace pointtree::inference
