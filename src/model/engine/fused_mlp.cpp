#include "fused_mlp.hpp"

#include <algorithm>
#include <limits>

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
      : layers_(layers), kernels_(context.kernels) {
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

  void run(const Rows& tile, const LinearTarget& target, int worker) const {
    Rows in = tile;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      const bool last = i + 1 == layers_.size();
      float* between = results_ + (static_cast<std::size_t>(worker) * 2 + i % 2) * rows_ * width_;
      Operand operand(layers_[i], in, has_zeros(i),
                      operands_ + static_cast<std::size_t>(worker) * operand_bytes_);
      operand.convert(kernels_, 0, in.count);
      if (last && target.merge == RowMerge::all) {
        operand.maximum(kernels_, target.out);
      } else {
        operand.multiply(kernels_, 0, in.count, 0, layers_[i].panels(),
                         last ? target : LinearTarget{between, layers_[i].out()});
      }
      in = {between, in.count, layers_[i].out()};
    }
  }

 private:
  bool has_zeros(std::size_t layer) const { return layer > 0 && layers_[layer - 1].is_rectified(); }

  const std::vector<PackedLinear>& layers_;
  const Kernels& kernels_;
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
    tiles.run(tile, target.from_row(row), worker);
  });
  context.arena.release(mark);
}

void apply_fused_max(const std::vector<PackedLinear>& layers, const Rows& in, std::size_t clouds,
                     float* out, Context& context) {
  const Arena::Mark mark = context.arena.mark();
  const TileRunner tiles(layers, context);
  const std::size_t width = layers.back().out();
  const std::size_t points = in.count / clouds;
  const std::size_t tiles_per_cloud = divide_up(points, tiles.rows());
  const auto workers = static_cast<std::size_t>(context.team.size());
  // Workers keep maxima of their own, so that no two write to the same place.
  float* maxima = context.arena.take(workers * clouds * width);
  std::fill_n(maxima, workers * clouds * width, -std::numeric_limits<float>::infinity());
  context.team.run(static_cast<std::int64_t>(clouds * tiles_per_cloud), [&](std::int64_t task,
                                                                            int worker) {
    const std::size_t cloud = static_cast<std::size_t>(task) / tiles_per_cloud;
    const std::size_t row = static_cast<std::size_t>(task) % tiles_per_cloud * tiles.rows();
    const Rows tile{in.row(cloud * points + row), std::min(tiles.rows(), points - row), in.stride};
    float* own = maxima + (static_cast<std::size_t>(worker) * clouds + cloud) * width;
    tiles.run(tile, {own, width, RowMerge::all}, worker);
  });
  std::copy_n(maxima, clouds * width, out);
  for (std::size_t worker = 1; worker < workers; ++worker) {
    const float* other = maxima + worker * clouds * width;
    for (std::size_t i = 0; i < clouds * width; ++i) out[i] = std::max(out[i], other[i]);
  }
  context.arena.release(mark);
}

}  // namespace pointtree::model::engine
