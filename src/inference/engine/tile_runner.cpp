// SPDX-License-Identifier: Apache-2.0
#include "tile_runner.hpp"

#include <algorithm>

#include "rounding.hpp"

namespace pointtree::inference::engine {
namespace {

// Input and output of a layer share the second-level cache with the weights that pass by.
constexpr std::size_t kTileFloats = std::size_t{48} << 10;
constexpr std::size_t kTileStep = 24;
constexpr std::size_t kAlignment = 64;

}  // namespace

TileRunner::TileRunner(const std::vector<PackedLinear>& layers, Context& context)
    : layers_(layers),
      kernels_(context.kernels),
      first_(layers.size() > 1 && Operand::takes_thin(layers[0], layers[1]) ? 1 : 0) {
  std::size_t widest_layer = layers.front().in();
  for (std::size_t i = 0; i + 1 < layers.size(); ++i) {
    width_ = std::max(width_, layers[i].out());
    widest_layer = std::max(widest_layer, layers[i].in() + layers[i].out());
  }
  const std::size_t fitting = kTileFloats / widest_layer / kTileStep * kTileStep;
  rows_ = std::clamp(fitting, kTileStep, 8 * kTileStep);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    operand_bytes_ = std::max(operand_bytes_, Operand::scratch_bytes(layers[i], rows_));
  }
  operand_bytes_ = round_up(operand_bytes_, kAlignment);
  const auto workers = static_cast<std::size_t>(context.pool.size());
  results_ = context.arena.take(workers * 2 * rows_ * width_);
  operands_ = context.arena.take<std::byte>(workers * operand_bytes_);
}

Operand TileRunner::start(const Rows& tile, std::byte* place) const {
  if (first_ == 0) return make_operand(0, tile, place);
  Operand second(layers_[1], tile, place);
  second.convert_thin(kernels_, layers_.front(), tile);
  return second;
}

Operand TileRunner::make_operand(std::size_t layer, const Rows& in, std::byte* place) const {
  Operand converted(layers_[layer], in, place);
  converted.convert(kernels_, 0, in.count);
  return converted;
}

Rows TileRunner::multiply(std::size_t layer, const Operand& operand, std::size_t count,
                          int worker) const {
  const std::size_t width = layers_[layer].out();
  float* results = results_ + (static_cast<std::size_t>(worker) * 2 + layer % 2) * rows_ * width_;
  operand.multiply(kernels_, 0, count, 0, layers_[layer].panels(), {results, width});
  return {results, count, width};
}

Operand TileRunner::run(const Rows& tile, int worker) const {
  Operand current = start(tile, scratch(worker));
  for (std::size_t layer = first_; layer + 1 < layers_.size(); ++layer) {
    const Rows results = multiply(layer, current, tile.count, worker);
    current = make_operand(layer + 1, results, scratch(worker));
  }
  return current;
}

}  // namespace pointtree::inference::engine
