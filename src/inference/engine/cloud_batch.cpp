#include "cloud_batch.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

#include "geometry/describe.hpp"

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

PosedCloud pose(const CloudInput& cloud, const EngineInfo& info, int threads) {
  auto aligned = geometry::pre_align(cloud.points, info.pre_align);
  geometry::TreeOptions options = info.tree;
  options.threads = threads;
  auto tree = geometry::build_tree(geometry::PointsView(aligned.points), options);
  return {std::move(aligned), std::move(tree)};
}

void write_leaves(const CloudInput& cloud, const PosedCloud& posed, const EngineInfo& info,
                  float* leaves) {
  const auto extra = static_cast<std::size_t>(cloud.channels.cols());
  const auto stride = static_cast<std::ptrdiff_t>(info.leaf_channels());
  float* row = leaves;
  for (const std::int32_t point : posed.tree.leaf_order()) {
    float* next = std::copy_n(posed.pre_alignment.points.row(point).data(), 3, row);
    for (std::size_t c = 0; c < extra; ++c) {
      *next++ = cloud.channels(point, static_cast<Eigen::Index>(c));
    }
    row += stride;
  }
  if (info.description.empty()) return;
  const Eigen::Map<const geometry::Points, 0, Eigen::OuterStride<>> points(
      leaves, info.points, 3, Eigen::OuterStride<>(stride));
  geometry::describe(points, posed.pre_alignment.linear, info.description, leaves + 3 + extra,
                     stride);
}

// owner[leaf] is the first row with the same source. `rows` and `first_row` are scratch memory.
void write_owners(const CloudInput& cloud, const std::vector<std::int32_t>& leaf_order,
                  std::int32_t* rows, std::int32_t* first_row, std::int32_t* owner) {
  const std::size_t count = leaf_order.size();
  std::iota(first_row, first_row + count, 0);
  if (!cloud.source.empty()) {
    std::iota(rows, rows + count, 0);
    const auto source = [&](std::int32_t row) {
      return cloud.source[static_cast<std::size_t>(row)];
    };
    std::sort(rows, rows + count, [&](std::int32_t a, std::int32_t b) {
      return std::pair(source(a), a) < std::pair(source(b), b);
    });
    for (std::size_t i = 1; i < count; ++i) {
      if (source(rows[i]) == source(rows[i - 1])) first_row[rows[i]] = first_row[rows[i - 1]];
    }
  }
  for (std::size_t leaf = 0; leaf < count; ++leaf) owner[leaf] = first_row[leaf_order[leaf]];
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
  const int threads_per_tree = count == 1 ? context.pool.size() : 1;
  context.pool.run(static_cast<std::int64_t>(count), [&](std::int64_t task, int) {
    const auto i = static_cast<std::size_t>(task);
    const CloudInput& cloud = clouds[first + i];
    posed[first + i] = pose(cloud, info, threads_per_tree);
    write_leaves(cloud, *posed[first + i], info, points + i * leaves * channels);
    if (repeats) {
      std::int32_t* rows = scratch + i * 2 * leaves;
      write_owners(cloud, posed[first + i]->tree.leaf_order(), rows, rows + leaves,
                   owner + i * leaves);
    }
  });
  return {points, count, owner};
}

}  // namespace pointtree::inference::engine
