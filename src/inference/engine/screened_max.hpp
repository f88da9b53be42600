#pragma once

#include "coarse_linear.hpp"
#include "linear_call.hpp"

namespace pointtree::inference::engine {

/// The maximum over a cloud's rows of what a float32 map gives for them, without most of the
/// products: those of every 32nd row are computed as always; all others are bounded by a product in
/// bfloat16 with how they differ from that row, which neighbours in the tree hardly do, and
/// computed only where the bound is above what was found already.
///
/// The bounds hold whatever the weights and the rows are, so that the result is the exact maximum
/// up to the order of summation, and the same with any number of threads.
class ScreenedMax {
 public:
  /// Takes memory for clouds of `points` points in tiles of `tile_rows`, both multiples of
  /// kScreenBlock.
  ScreenedMax(const PackedLinear& map, const CoarseLinear& coarse, std::size_t points,
              std::size_t channels, std::size_t tile_rows, Context& context);

  /// Whether it can be used and is worth it; an empty map cannot.
  static bool takes(const CoarseLinear& coarse, std::size_t points, std::size_t tile_rows,
                    const Kernels& kernels);

  /// Copies the points in the middle of the cloud's blocks and gives the rows of the copy.
  Rows gather_middles(const Rows& points);

  /// Multiplies the middle rows from `first` on with all weights.
  void multiply_middles(std::size_t first, const Operand& operand);

  /// Once all middle rows are done: gives whether the bounds can tell the rows apart. Otherwise,
  /// as where all points are one, to compute all products is faster.
  bool start();

  /// Looks for larger outputs among a tile's rows; tiles may be worked on at the same time.
  void search(std::size_t tile, const Rows& rows, int worker);

  /// The maxima, once all tiles are done.
  void finish(float* out) const;

 private:
  // What a worker needs for itself.
  struct Place {
    std::uint16_t* rows;  // [tile rows, depth]
    GroupError* errors;   // [groups]
    float* bounds;        // [groups, kScreenWidth]
    HopefulGroup* list;   // [groups]
    float* best;          // [padded_out]
  };

  // The rows' differences from the middle ones and the errors of these.
  void describe(std::size_t first_block, const Rows& rows, const Place& place) const;
  // Bounds the outputs from `column` on and computes those that are hopeful.
  void search_columns(std::size_t first_block, std::size_t column, const Rows& rows,
                      const Place& place) const;
  // Computes a group's hopeful outputs.
  void look_again(const HopefulGroup& hopeful, std::size_t column, const Rows& rows,
                  const Place& place) const;

  const PackedLinear& map_;
  const CoarseLinear& coarse_;
  const Kernels& kernels_;
  std::size_t blocks_;
  std::size_t tile_blocks_;
  std::size_t workers_;
  float* points_;   // [blocks, channels]
  float* rows_;     // [blocks, in]
  float* outputs_;  // [blocks, padded_out]
  Place* places_;   // [workers]
};

}  // namespace pointtree::inference::engine
