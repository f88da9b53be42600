#pragma once

#include <cstddef>

#include "panel_product.hpp"

namespace pointtree::inference::engine {

/// Bytes that `rows` rows of `depth` values need as compressed tiles.
std::size_t compressed_bytes(std::size_t rows, std::size_t depth);

/// Lays the arrays for `rows` rows out in memory of that size.
CompressedTiles lay_out_tiles(std::byte* memory, std::size_t rows, std::size_t depth);

/// Fills a tile from up to kTileRows rows; rows that are missing count as zero.
void compress_tile(const float* rows, std::size_t stride, std::size_t count, std::size_t depth,
                   std::size_t tile, const CompressedTiles& tiles);

}  // namespace pointtree::inference::engine
