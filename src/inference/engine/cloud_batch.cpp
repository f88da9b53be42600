// SPDX-License-Identifier: Apache-2.0
#include "cloud_batch.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

#include "geometry/subtree_shapes.hpp"

namespace pointtree::inference::engine {
namespace {

[[noreturn]] void refuse(std::size_t cloud, const std::string& reason) {
  throw std::invalid_argument("cloud " + std::to_string(cloud) + ": " + reason);
}

void check_count(std::size_t cloud, const std::string& what, Eigen::Index found,
                 Eigen::Index expected) {
  if (found != expected) {
    refuse(cloud, "expected " + std::to_string(expected) + " " + what + ", found " +
                      std::to_string(found));
  }
}

}  // namespace

void check_clouds(const std::vector<CloudInput>& clouds, const EngineInfo& info) {
  for (std::size_t i = 0; i < clouds.size(); ++i) {
    const CloudInput& cloud = clouds[i];
    const Eigen::Index rows = cloud.points.rows();
    const bool fewer = rows >= info.least_points && rows < info.points && (rows & (rows - 1)) == 0;
    if (!fewer) check_count(i, "points", rows, info.points);
    check_count(i, "extra channels", cloud.channels.cols(),
                static_cast<Eigen::Index>(info.channels.size()));
    if (!info.channels.empty()) {
      check_count(i, "rows of extra channels", cloud.channels.rows(), rows);
    }
    if (!cloud.source.empty()) {
      check_count(i, "source indices", static_cast<Eigen::Index>(cloud.source.size()), rows);
    }
    if (!cloud.points.allFinite()) refuse(i, "coordinates should be finite");
    if (!cloud.channels.allFinite()) refuse(i, "extra channels should be finite");
  }
}

LeafBatch prepare_batch(const std::vector<const CloudInput*>& clouds, const EngineInfo& info,
                        Context& context, std::vector<std::optional<PosedCloud>>& posed) {
  const std::size_t count = clouds.size();
  const auto leaves = static_cast<std::size_t>(clouds.front()->points.rows());
  const auto channels = static_cast<std::size_t>(info.leaf_channels());
  const std::size_t floats = count * leaves * channels;
  const geometry::RepeatedLeaves repeated{static_cast<Eigen::Index>(info.points / leaves),
                                          static_cast<std::ptrdiff_t>(floats)};
  const bool averages =
      info.least_points == info.points &&  // otherwise equal points have equal features anyway
      std::any_of(clouds.begin(), clouds.end(),
                  [](const CloudInput* cloud) { return !cloud->source.empty(); });
  const int scales = info.features.subtree_shapes ? geometry::equal_scales(repeated.times) : 0;
  float* points = context.arena.take(floats * static_cast<std::size_t>(1 + scales));
  std::int32_t* owner = averages ? context.arena.take<std::int32_t>(count * leaves) : nullptr;
  std::int32_t* scratch = averages ? context.arena.take<std::int32_t>(count * 2 * leaves) : nullptr;
  posed.clear();
  posed.resize(count);
  const Preprocessor preprocessor(preprocessor_config(info));
  const int threads_per_tree = count == 1 ? context.pool.size() : 1;
  context.pool.run(static_cast<std::int64_t>(count), [&](std::int64_t task, int) {
    const auto i = static_cast<std::size_t>(task);
    const CloudInput& cloud = *clouds[i];
    posed[i] = preprocessor.pose(cloud.points, threads_per_tree);
    preprocessor.write_leaves(*posed[i], cloud.channels, points + i * leaves * channels, nullptr,
                              repeated);
    if (!averages) return;
    std::int32_t* first_rows = scratch + i * 2 * leaves;
    if (cloud.source.empty()) {
      std::iota(first_rows, first_rows + leaves, 0);
    } else {
      write_owners(cloud.source.data(), leaves, first_rows + leaves, first_rows);
    }
    const auto& order = posed[i]->tree.leaf_order();
    for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
      owner[i * leaves + leaf] = first_rows[order[leaf]];
    }
  });
  return {points, count, leaves, owner};
}

}  // namespace pointtree::inference::engine
