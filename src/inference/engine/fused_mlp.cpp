#include "fused_mlp.hpp"

#include <algorithm>
#include <limits>

#include "pruned_max.hpp"
#include "rounding.hpp"
#include "screened_max.hpp"
#include "tile_runner.hpp"

namespace pointtree::inference::engine {

void apply_fused(const std::vector<PackedLinear>& layers, const Rows& in,
                 const LinearTarget& target, Context& context) {
  const Arena::Mark mark = context.arena.mark();
  const TileRunner tiles(layers, context);
  const std::size_t count = divide_up(in.count, tiles.rows());
  context.team.run(static_cast<std::int64_t>(count), [&](std::int64_t task, int worker) {
    const std::size_t row = static_cast<std::size_t>(task) * tiles.rows();
    const Rows tile{in.row(row), std::min(tiles.rows(), in.count - row), in.stride};
    tiles.run(tile, worker)
        .multiply(context.kernels, 0, tile.count, 0, layers.back().panels(), target.from_row(row));
  });
  context.arena.release(mark);
}

namespace {

// Rows of clouds of equal size, cut into tiles.
struct CloudTiles {
  const Rows& rows;
  std::size_t points;
  std::size_t tile_rows;
  std::size_t per_cloud;

  CloudTiles(const Rows& all, std::size_t clouds, std::size_t rows_per_tile)
      : rows(all),
        points(all.count / clouds),
        tile_rows(rows_per_tile),
        per_cloud(divide_up(points, rows_per_tile)) {}

  Rows tile(std::size_t cloud, std::size_t index) const {
    const std::size_t row = index * tile_rows;
    return {rows.row(cloud * points + row), std::min(tile_rows, points - row), rows.stride};
  }
};

void exact_max(const TileRunner& runner, const CloudTiles& tiles, const PackedLinear& map,
               std::size_t clouds, float* out, Context& context) {
  const Arena::Mark mark = context.arena.mark();
  const std::size_t width = map.out();
  const auto workers = static_cast<std::size_t>(context.team.size());
  // Workers keep maxima of their own, so that no two write to the same place.
  float* maxima = context.arena.take(workers * clouds * width);
  std::fill_n(maxima, workers * clouds * width, -std::numeric_limits<float>::infinity());
  context.team.run(
      static_cast<std::int64_t>(clouds * tiles.per_cloud), [&](std::int64_t task, int worker) {
        const std::size_t cloud = static_cast<std::size_t>(task) / tiles.per_cloud;
        const Rows tile = tiles.tile(cloud, static_cast<std::size_t>(task) % tiles.per_cloud);
        float* own = maxima + (static_cast<std::size_t>(worker) * clouds + cloud) * width;
        runner.run(tile, worker)
            .multiply(context.kernels, 0, tile.count, 0, map.panels(), {own, width, RowMerge::all});
      });
  std::copy_n(maxima, clouds * width, out);
  for (std::size_t worker = 1; worker < workers; ++worker) {
    const float* other = maxima + worker * clouds * width;
    for (std::size_t i = 0; i < clouds * width; ++i) out[i] = std::max(out[i], other[i]);
  }
  context.arena.release(mark);
}

void pruned_max(const TileRunner& runner, const CloudTiles& tiles, const PackedLinear& map,
                const float* steepness, std::size_t clouds, float* out, Context& context) {
  // One cloud after the other, so that its memory need not grow with the batch.
  PrunedMax search(map, steepness, tiles.points, tiles.rows.stride, tiles.tile_rows, context.arena);
  for (std::size_t cloud = 0; cloud < clouds; ++cloud) {
    context.team.run(static_cast<std::int64_t>(tiles.per_cloud), [&](std::int64_t task,
                                                                     int worker) {
      const auto tile = static_cast<std::size_t>(task);
      const Rows rows = search.gather(tile, tiles.tile(cloud, tile));
      search.multiply(tile, runner.run(rows, worker, search.operand_place(tile)), context.kernels);
    });
    context.team.run(static_cast<std::int64_t>(map.panels()), [&](std::int64_t task, int) {
      search.maxima(static_cast<std::size_t>(task), context.kernels, out + cloud * map.out());
    });
  }
}

// Middle rows that are multiplied together.
constexpr std::size_t kMiddleRows = 24;

void multiply_middles(const TileRunner& runner, const Rows& points, ScreenedMax& search,
                      Context& context) {
  const Rows middles = search.gather_middles(points);
  const std::size_t count = divide_up(middles.count, kMiddleRows);
  context.team.run(static_cast<std::int64_t>(count), [&](std::int64_t task, int worker) {
    const std::size_t row = static_cast<std::size_t>(task) * kMiddleRows;
    const Rows tile{middles.row(row), std::min(kMiddleRows, middles.count - row), middles.stride};
    search.multiply_middles(row, runner.run(tile, worker));
  });
}

void screened_max(const TileRunner& runner, const CloudTiles& tiles, const PackedLinear& map,
                  const CoarseLinear& coarse, std::size_t clouds, float* out, Context& context) {
  ScreenedMax search(map, coarse, tiles.points, tiles.rows.stride, tiles.tile_rows, context);
  for (std::size_t cloud = 0; cloud < clouds; ++cloud) {
    const Rows points{tiles.rows.row(cloud * tiles.points), tiles.points, tiles.rows.stride};
    multiply_middles(runner, points, search, context);
    float* maxima = out + cloud * map.out();
    if (!search.start()) {
      exact_max(runner, CloudTiles(points, 1, tiles.tile_rows), map, 1, maxima, context);
      continue;
    }
    context.team.run(
        static_cast<std::int64_t>(tiles.per_cloud), [&](std::int64_t task, int worker) {
          const auto tile = static_cast<std::size_t>(task);
          search.search(tile, runner.run_hidden(tiles.tile(cloud, tile), worker), worker);
        });
    search.finish(maxima);
  }
}

}  // namespace

void apply_fused_max(const std::vector<PackedLinear>& layers, const MaxAids& aids, const Rows& in,
                     std::size_t clouds, float* out, Context& context) {
  const Arena::Mark mark = context.arena.mark();
  const TileRunner runner(layers, context);
  const CloudTiles tiles(in, clouds, runner.rows());
  const std::size_t screen_rows = runner.rows() / kScreenBlock * kScreenBlock;
  const PackedLinear& map = layers.back();
  if (map.has_rows() && tiles.points % kGroup == 0 && !context.kernels.int8_takes_every_row) {
    pruned_max(runner, tiles, map, aids.steepness.data(), clouds, out, context);
  } else if (ScreenedMax::takes(aids.coarse, tiles.points, screen_rows, context.kernels)) {
    screened_max(runner, CloudTiles(in, clouds, screen_rows), map, aids.coarse, clouds, out,
                 context);
  } else {
    exact_max(runner, tiles, map, clouds, out, context);
  }
  context.arena.release(mark);
}

}  // namespace pointtree::inference::engine
