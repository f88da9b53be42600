#include "compress_tiles.hpp"

namespace pointtree::model::engine {
namespace {

std::size_t tile_count(std::size_t rows) { return (rows + kTileRows - 1) / kTileRows; }

// One more step than the depth: a step that turns out to be empty is written before it is dropped.
std::size_t value_count(std::size_t rows, std::size_t depth) {
  return (tile_count(rows) * depth + 1) * kTileRows;
}

}  // namespace

std::size_t compressed_bytes(std::size_t rows, std::size_t depth) {
  const std::size_t tiles = tile_count(rows);
  return value_count(rows, depth) * sizeof(float) +
         (tiles + tiles * depth + 1) * sizeof(std::uint32_t);
}

CompressedTiles lay_out_tiles(std::byte* memory, std::size_t rows, std::size_t depth) {
  CompressedTiles tiles;
  tiles.values = reinterpret_cast<float*>(memory);
  tiles.counts = reinterpret_cast<std::uint32_t*>(tiles.values + value_count(rows, depth));
  tiles.steps = tiles.counts + tile_count(rows);
  return tiles;
}

void compress_tile(const float* rows, std::size_t stride, std::size_t count, std::size_t depth,
                   std::size_t tile, const CompressedTiles& tiles) {
  std::uint32_t* steps = tiles.steps + tile * depth;
  float* values = tiles.values + tile * depth * kTileRows;
  std::uint32_t kept = 0;
  for (std::size_t k = 0; k < depth; ++k) {
    bool any = false;
    float* step_values = values + kept * kTileRows;
    for (std::size_t r = 0; r < kTileRows; ++r) {
      const float value = r < count ? rows[r * stride + k] : 0.0F;
      step_values[r] = value;
      any = any || value != 0.0F;
    }
    steps[kept] = static_cast<std::uint32_t>(k);
    kept += any ? 1 : 0;
  }
  tiles.counts[tile] = kept;
}

}  // namespace pointtree::model::engine
