// SPDX-License-Identifier: Apache-2.0
#include "fused_mlp.hpp"

#include <algorithm>
#include <limits>

#include "rounding.hpp"
#include "tile_runner.hpp"

namespace pointtree::inference::engine {

void apply_fused(const std::vector<PackedLinear>& layers, const Rows& in,
                 const LinearTarget& target, Context& context) {
  const Arena::Mark mark = context.arena.mark();
  const TileRunner tiles(layers, context);
  const std::size_t count = divide_up(in.count, tiles.rows());
  context.pool.run(static_cast<std::int64_t>(count), [&](std::int64_t task, int worker) {
    const std::size_t row = static_cast<std::size_t>(task) * tiles.rows();
    const Rows tile{in.row(row), std::min(tiles.rows(), in.count - row), in.stride};
    tiles.run(tile, worker)
        .multiply(context.kernels, 0, tile.count, 0, layers.back().panels(), target.from_row(row));
  });
  context.arena.release(mark);
}

void apply_fused_max(const std::vector<PackedLinear>& layers, const Rows& in, std::size_t clouds,
                     float* out, Context& context) {
  const Arena::Mark mark = context.arena.mark();
  const TileRunner tiles(layers, context);
  const PackedLinear& map = layers.back();
  const std::size_t width = map.out();
  const std::size_t points = in.count / clouds;
  const std::size_t per_cloud = divide_up(points, tiles.rows());
  const auto workers = static_cast<std::size_t>(context.pool.size());
  // Workers keep maxima of their own, so that no two write to the same place.
  float* maxima = context.arena.take(workers * clouds * width);
  std::fill_n(maxima, workers * clouds * width, -std::numeric_limits<float>::infinity());
  context.pool.run(static_cast<std::int64_t>(clouds * per_cloud), [&](std::int64_t task,
                                                                      int worker) {
    const std::size_t cloud = static_cast<std::size_t>(task) / per_cloud;
    const std::size_t row = static_cast<std::size_t>(task) % per_cloud * tiles.rows();
    const Rows tile{in.row(cloud * points + row), std::min(tiles.rows(), points - row), in.stride};
    float* own = maxima + (static_cast<std::size_t>(worker) * clouds + cloud) * width;
    tiles.run(tile, worker)
        .multiply(context.kernels, 0, tile.count, 0, map.panels(), {own, width, RowMerge::all});
  });
  std::copy_n(maxima, clouds * width, out);
  for (std::size_t worker = 1; worker < workers; ++worker) {
    const float* other = maxima + worker * clouds * width;
    for (std::size_t i = 0; i < clouds * width; ++i) out[i] = std::max(out[i], other[i]);
  }
  context.arena.release(mark);
}

}  // namespace pointtree::inference::engine
