#include "compress_tiles.hpp"

#include <cstring>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace pointtree::inference::engine {
namespace {

std::size_t tile_count(std::size_t rows) { return (rows + kTileRows - 1) / kTileRows; }

// One more step than the depth: a step that turns out to be empty is written before it is dropped.
std::size_t value_count(std::size_t rows, std::size_t depth) {
  return (tile_count(rows) * depth + 1) * kTileRows;
}

// A depth step of one tile.
static_assert(kTileRows == 4);
using Four = float __attribute__((vector_size(16)));
using FourBits = std::uint32_t __attribute__((vector_size(16)));
using Pairs = std::uint64_t __attribute__((vector_size(16)));

Four load_four(const float* source) {
  Four four;
  std::memcpy(&four, source, sizeof(four));
  return four;
}

// From four steps of each row to the four rows of each step.
void transpose(Four (&m)[kTileRows]) {
#if defined(__SSE__)
  _MM_TRANSPOSE4_PS(m[0], m[1], m[2], m[3]);
#else
  for (std::size_t i = 0; i < kTileRows; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const float other = m[j][i];
      m[j][i] = m[i][j];
      m[i][j] = other;
    }
  }
#endif
}

// Writes every step and goes on only if it was not all zero, of whatever sign.
class TileWriter {
 public:
  TileWriter(std::uint32_t* steps, float* values) : steps_(steps), values_(values) {}

  void append(std::size_t k, Four step) {
    std::memcpy(values_ + kept_ * kTileRows, &step, sizeof(step));
    steps_[kept_] = static_cast<std::uint32_t>(k);
    const auto bits = reinterpret_cast<Pairs>(reinterpret_cast<FourBits>(step) << 1);
    kept_ += (bits[0] | bits[1]) != 0 ? 1 : 0;
  }

  std::uint32_t kept() const { return kept_; }

 private:
  std::uint32_t* steps_;
  float* values_;
  std::uint32_t kept_ = 0;
};

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
  TileWriter writer(tiles.steps + tile * depth, tiles.values + tile * depth * kTileRows);
  std::size_t k = 0;
  for (; count == kTileRows && k + kTileRows <= depth; k += kTileRows) {
    Four step[kTileRows];
    for (std::size_t r = 0; r < kTileRows; ++r) step[r] = load_four(rows + r * stride + k);
    transpose(step);
    for (std::size_t i = 0; i < kTileRows; ++i) writer.append(k + i, step[i]);
  }
  for (; k < depth; ++k) {
    Four step{};
    for (std::size_t r = 0; r < count; ++r) step[r] = rows[r * stride + k];
    writer.append(k, step);
  }
  tiles.counts[tile] = writer.kept();
}

}  // namespace pointtree::inference::engine
