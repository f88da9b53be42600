#include "fused_mlp.hpp"

#include <algorithm>
#include <limits>

#include "pruned_max.hpp"

namespace pointtree::model::engine {
namespace {

// Input and output of a layer share the second-level cache with the weights that pass by.
constexpr std::size_t kTileFloats = std::size_t{48} << 10;
constexpr std::size_t kTileStep = 24;
constexpr std::size_t kAlignment = 64;

std::size_t divide_up(std::size_t value, std::size_t by) { return (value + by - 1) / by; }

// Runs all layers on one tile of rows; every worker has its own scratch memory.
class TileRunner {
 public:
  TileRunner(const std::vector<PackedLinear>& layers, Context& context)
      : layers_(layers),
        kernels_(context.kernels),
        starts_thin_(layers.size() > 1 && Operand::takes_thin(layers[0], layers[1])) {
    std::size_t widest_layer = layers.front().in();
    for (std::size_t i = 0; i + 1 < layers.size(); ++i) {
      width_ = std::max(width_, layers[i].out());
      widest_layer = std::max(widest_layer, layers[i].in() + layers[i].out());
    }
    const std::size_t fitting = kTileFloats / widest_layer / kTileStep * kTileStep;
    rows_ = std::clamp(fitting, kTileStep, 8 * kTileStep);
    for (std::size_t i = 0; i < layers.size(); ++i) {
      operand_bytes_ =
          std::max(operand_bytes_, Operand::scratch_bytes(layers[i], rows_, has_zeros(i)));
    }
    operand_bytes_ = (operand_bytes_ + kAlignment - 1) / kAlignment * kAlignment;
    const auto workers = static_cast<std::size_t>(context.team.size());
    results_ = context.arena.take(workers * 2 * rows_ * width_);
    operands_ = context.arena.take<std::byte>(workers * operand_bytes_);
  }

  /// Rows of a tile.
  std::size_t rows() const { return rows_; }

  /// Runs all layers but the last on a tile and gives the last one's operand, laid out in the
  /// worker's memory or where it is told.
  Operand run(const Rows& tile, int worker, std::byte* place = nullptr) const {
    const auto own = static_cast<std::size_t>(worker);
    const auto scratch = [&](std::size_t layer) {
      return layer + 1 == layers_.size() && place != nullptr ? place
                                                             : operands_ + own * operand_bytes_;
    };
    std::size_t layer = starts_thin_ ? 1 : 0;
    Operand operand(layers_[layer], tile, has_zeros(layer), scratch(layer));
    if (starts_thin_) {
      operand.convert_thin(kernels_, layers_.front(), tile);
    } else {
      operand.convert(kernels_, 0, tile.count);
    }
    for (; layer + 1 < layers_.size(); ++layer) {
      const std::size_t width = layers_[layer].out();
      float* results = results_ + (own * 2 + layer % 2) * rows_ * width_;
      operand.multiply(kernels_, 0, tile.count, 0, layers_[layer].panels(), {results, width});
      operand = Operand(layers_[layer + 1], {results, tile.count, width}, has_zeros(layer + 1),
                        scratch(layer + 1));
      operand.convert(kernels_, 0, tile.count);
    }
    return operand;
  }

 private:
  bool has_zeros(std::size_t layer) const { return layer > 0 && layers_[layer - 1].is_rectified(); }

  const std::vector<PackedLinear>& layers_;
  const Kernels& kernels_;
  bool starts_thin_;
  std::size_t width_ = 1;
  std::size_t rows_ = 0;
  std::size_t operand_bytes_ = 0;
  float* results_ = nullptr;
  std::byte* operands_ = nullptr;
};

}  // namespace

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

}  // namespace

void apply_fused_max(const std::vector<PackedLinear>& layers, const std::vector<float>& steepness,
                     const Rows& in, std::size_t clouds, float* out, Context& context) {
  const Arena::Mark mark = context.arena.mark();
  const TileRunner runner(layers, context);
  const CloudTiles tiles(in, clouds, runner.rows());
  const PackedLinear& map = layers.back();
  if (map.has_rows() && tiles.points % kGroup == 0 && !context.kernels.int8_takes_every_row) {
    pruned_max(runner, tiles, map, steepness.data(), clouds, out, context);
  } else {
    exact_max(runner, tiles, map, clouds, out, context);
  }
  context.arena.release(mark);
}

}  // namespace pointtree::model::engine
