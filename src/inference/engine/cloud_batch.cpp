// SPDX-License-Identifier: Apache-2.0
#include "cloud_batch.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

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
    check_count(i, "points", cloud.points.rows(), info.points);
    check_count(i, "extra channels", cloud.channels.cols(),
                static_cast<Eigen::Index>(info.channels.size()));
    if (!info.channels.empty()) {
      check_count(i, "rows of extra channels", cloud.channels.rows(), info.points);
    }
    if (!cloud.source.empty()) {
      check_count(i, "source indices", static_cast<Eigen::Index>(cloud.source.size()), info.points);
    }
    if (!cloud.points.allFinite()) refuse(i, "coordinates should be finite");
    if (!cloud.channels.allFinite()) refuse(i, "extra channels should be finite");
  }
}

LeafBatch prepare_batch(const std::vector<CloudInput>& clouds, std::size_t first, std::size_t count,
                        const EngineInfo& info, Context& context,
                        std::vector<std::optional<PosedCloud>>& posed) {
  const auto leaves = static_cast<std::size_t>(info.points);
  const auto channels = static_cast<std::size_t>(info.leaf_channels());
  const bool repeats = std::any_of(clouds.begin() + static_cast<std::ptrdiff_t>(first),
                                   clouds.begin() + static_cast<std::ptrdiff_t>(first + count),
                                   [](const CloudInput& cloud) { return !cloud.source.empty(); });
  float* points = context.arena.take(count * leaves * channels);
  std::int32_t* owner = repeats ? context.arena.take<std::int32_t>(count * leaves) : nullptr;
  std::int32_t* scratch = repeats ? context.arena.take<std::int32_t>(count * 2 * leaves) : nullptr;
  posed.resize(first + count);
  const Preprocessor preprocessor(preprocessor_config(info));
  const int threads_per_tree = count == 1 ? context.pool.size() : 1;
  context.pool.run(static_cast<std::int64_t>(count), [&](std::int64_t task, int) {
    const auto i = static_cast<std::size_t>(task);
    const CloudInput& cloud = clouds[first + i];
    posed[first + i] = preprocessor.pose(cloud.points, threads_per_tree);
    preprocessor.write_leaves(*posed[first + i], cloud.channels, points + i * leaves * channels);
    if (!repeats) return;
    std::int32_t* first_rows = scratch + i * 2 * leaves;
    if (cloud.source.empty()) {
      std::iota(first_rows, first_rows + leaves, 0);
    } else {
      write_owners(cloud.source.data(), leaves, first_rows + leaves, first_rows);
    }
    const auto& order = posed[first + i]->tree.leaf_order();
    for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
      owner[i * leaves + leaf] = first_rows[order[leaf]];
    }
  });
  return {points, count, owner};
}

}  // namespace pointtree::inference::engine
