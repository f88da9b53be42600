#include "screened_max.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pointtree::inference::engine {
namespace {

// With fewer points the weights, which are read twice, are most of the work.
constexpr std::size_t kFewPoints = 256;

// Outputs of middle rows that are this close to the largest are not told apart from it.
constexpr float kTie = 1e-4F;
// Share of such middle rows, beside the largest itself, from which on screening does not pay.
constexpr std::size_t kTiesPerBlocks = 8;
// Outputs of which that is asked, for all.
constexpr std::size_t kAskedOutputs = 64;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

}  // namespace

ScreenedMax::ScreenedMax(const PackedLinear& map, const CoarseLinear& coarse, std::size_t points,
                         std::size_t channels, std::size_t tile_rows, Context& context)
    : map_(map),
      coarse_(coarse),
      kernels_(context.kernels),
      blocks_(points / kScreenBlock),
      tile_blocks_(tile_rows / kScreenBlock),
      workers_(static_cast<std::size_t>(context.team.size())),
      points_(context.arena.take(blocks_ * channels)),
      rows_(context.arena.take(blocks_ * coarse.in())),
      outputs_(context.arena.take(blocks_ * coarse.padded_out())),
      places_(context.arena.take<Place>(workers_)) {
  const std::size_t groups = tile_blocks_ * kScreenBlockGroups;
  for (std::size_t worker = 0; worker < workers_; ++worker) {
    Arena& arena = context.arena;
    places_[worker] = {arena.take<std::uint16_t>(tile_rows * coarse.depth()),
                       arena.take<GroupError>(groups), arena.take(groups * kScreenWidth),
                       arena.take<HopefulGroup>(groups), arena.take(coarse.padded_out())};
  }
}

bool ScreenedMax::takes(const CoarseLinear& coarse, std::size_t points, std::size_t tile_rows,
                        const Kernels& kernels) {
  return !coarse.empty() && kernels.screening != nullptr && points >= kFewPoints &&
         points % kScreenBlock == 0 && tile_rows >= kScreenBlock;
}

Rows ScreenedMax::gather_middles(const Rows& points) {
  for (std::size_t block = 0; block < blocks_; ++block) {
    const float* middle = points.row(block * kScreenBlock + kScreenBlock / 2);
    std::copy_n(middle, points.stride, points_ + block * points.stride);
  }
  return {points_, blocks_, points.stride};
}

void ScreenedMax::multiply_middles(std::size_t first, const Operand& operand) {
  const Rows& rows = operand.rows();
  for (std::size_t r = 0; r < rows.count; ++r) {
    std::copy_n(rows.row(r), coarse_.in(), rows_ + (first + r) * coarse_.in());
  }
  operand.multiply(kernels_, 0, rows.count, 0, map_.panels(),
                   {outputs_ + first * coarse_.padded_out(), coarse_.padded_out()});
}

bool ScreenedMax::start() {
  const std::size_t width = coarse_.padded_out();
  float* best = places_[0].best;
  std::fill_n(best, map_.out(), -kInfinity);
  std::fill(best + map_.out(), best + width, kInfinity);  // columns that do not exist
  for (std::size_t block = 0; block < blocks_; ++block) {
    const float* outputs = outputs_ + block * width;
    for (std::size_t o = 0; o < map_.out(); ++o) best[o] = std::max(best[o], outputs[o]);
  }
  for (std::size_t worker = 1; worker < workers_; ++worker) {
    std::copy_n(best, width, places_[worker].best);
  }
  const std::size_t asked = std::min(map_.out(), kAskedOutputs);
  std::size_t ties = 0;
  for (std::size_t block = 0; block < blocks_; ++block) {
    const float* outputs = outputs_ + block * width;
    for (std::size_t o = 0; o < asked; ++o) {
      ties += outputs[o] >= best[o] - kTie * std::abs(best[o]) ? 1 : 0;
    }
  }
  return ties < asked * (1 + blocks_ / kTiesPerBlocks);
}

void ScreenedMax::search(std::size_t tile, const Rows& rows, int worker) {
  const Place& place = places_[static_cast<std::size_t>(worker)];
  const std::size_t first = tile * tile_blocks_;
  describe(first, rows, place);
  for (std::size_t column = 0; column < map_.out(); column += kScreenWidth) {
    search_columns(first, column, rows, place);
  }
}

void ScreenedMax::describe(std::size_t first_block, const Rows& rows, const Place& place) const {
  for (std::size_t block = 0; block < rows.count / kScreenBlock; ++block) {
    const std::size_t row = block * kScreenBlock;
    const ScreenBlock own{rows.row(row), rows.stride, coarse_.in(), coarse_.depth(),
                          rows_ + (first_block + block) * coarse_.in()};
    kernels_.screening->subtract_middle(own, place.rows + row * coarse_.depth(),
                                        place.errors + block * kScreenBlockGroups);
  }
}

void ScreenedMax::search_columns(std::size_t first_block, std::size_t column, const Rows& rows,
                                 const Place& place) const {
  ScreenProduct product;
  product.rows = place.rows;
  product.blocks = rows.count / kScreenBlock;
  product.depth = coarse_.depth();
  product.panels = coarse_.panels(column);
  product.middles = outputs_ + first_block * coarse_.padded_out() + column;
  product.middle_stride = coarse_.padded_out();
  product.errors = place.errors;
  product.sizes = coarse_.sizes() + column;
  product.losses = coarse_.losses() + column;
  product.best = place.best + column;
  const std::size_t count = kernels_.screening->list_hopeful(product, place.bounds, place.list);
  for (std::size_t i = 0; i < count; ++i) look_again(place.list[i], column, rows, place);
}

void ScreenedMax::look_again(const HopefulGroup& hopeful, std::size_t column, const Rows& rows,
                             const Place& place) const {
  const float* group = rows.row(hopeful.group * kScreenGroup);
  const float* bounds = place.bounds + hopeful.group * kScreenWidth;
  for (std::uint32_t bits = hopeful.columns; bits != 0; bits &= bits - 1) {
    const auto c = static_cast<std::size_t>(__builtin_ctz(bits));
    const std::size_t output = column + c;
    if (output >= map_.out()) break;  // columns that do not exist
    float& best = place.best[output];
    if (bounds[c] <= best) continue;  // what was found meanwhile has made it hopeless
    const float dot =
        kernels_.screening->largest_dot(group, rows.stride, coarse_.row(output), coarse_.in());
    best = std::max(best, dot + coarse_.bias(output));
  }
}

void ScreenedMax::finish(float* out) const {
  std::copy_n(places_[0].best, map_.out(), out);
  for (std::size_t worker = 1; worker < workers_; ++worker) {
    for (std::size_t o = 0; o < map_.out(); ++o) out[o] = std::max(out[o], places_[worker].best[o]);
  }
}

}  // namespace pointtree::inference::engine
