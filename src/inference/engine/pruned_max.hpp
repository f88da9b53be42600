#pragma once

#include <cstddef>
#include <cstdint>

#include "arena.hpp"
#include "linear_call.hpp"

namespace pointtree::inference::engine {

/// Neighbouring leaves of which one represents the others.
inline constexpr std::size_t kGroup = 4;

/// The maximum over a cloud's points of what an MLP with an int8 map at its end gives for them,
/// with about a third of the products: every group of four leaves is represented by its middle one,
/// and its other three are looked at only for those outputs that they could still raise, given how
/// far they lie from the middle and how steep the output is.
///
/// It misses a maximum only where an output rises more steeply between neighbours than it does
/// nearly everywhere (see steepness.hpp), and is never above it.
class PrunedMax {
 public:
  /// Takes memory for clouds of `points` points in tiles of `tile_rows`; both are multiples of
  /// kGroup. `steepness` has one value per output of the map.
  PrunedMax(const PackedLinear& map, const float* steepness, std::size_t points,
            std::size_t channels, std::size_t tile_rows, Arena& arena);

  /// Copies a tile's points, representatives first, then the others group by group, and gives the
  /// rows of the copy. Tiles may be worked on at the same time.
  Rows gather(std::size_t tile, const Rows& points);

  /// Where the operand of the gathered rows is to be laid out.
  std::byte* operand_place(std::size_t tile) const { return operands_ + tile * operand_bytes_; }

  /// Multiplies the representatives of a tile with all weights.
  void multiply(std::size_t tile, const Operand& operand, const Kernels& kernels);

  /// The maxima of one panel's outputs, once all tiles are done; `out` is that of output 0.
  void maxima(std::size_t panel, const Kernels& kernels, float* out) const;

 private:
  float largest_of_others(std::size_t group, std::size_t output, const PanelProduct& panel,
                          const Kernels& kernels) const;

  const PackedLinear& map_;
  const float* steepness_;
  std::size_t groups_;
  std::size_t channels_;
  std::size_t tile_groups_;
  std::size_t operand_bytes_;
  float* points_;           // [groups · 4, channels], gathered
  std::byte* operands_;     // one per tile
  QuantizedRows* tiles_;    // one per tile
  float* radii_;            // [groups]: largest distance of a group's points from its middle one
  float* representatives_;  // [panels, groups, 16]: outputs of the middle ones
  std::uint32_t* lists_;    // [panels, groups], see Kernels::list_hopeful
};

}  // namespace pointtree::inference::engine
