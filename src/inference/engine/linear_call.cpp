// SPDX-License-Identifier: Apache-2.0
#include "linear_call.hpp"

#include <algorithm>

#include "rounding.hpp"

namespace pointtree::inference::engine {
namespace {

// Weights up to this size stay in the caches while row blocks pass by; larger ones are read once,
// panel by panel, and all rows pass by each panel.
constexpr std::size_t kResidentWeightBytes = std::size_t{1} << 20;

// A row block shares the second-level cache with a panel.
constexpr std::size_t kRowBlockBytes = std::size_t{128} << 10;

// Deepest layer whose results are cheaper to quantise at once than to store first.
constexpr std::size_t kThinDepth = 8;

// A multiple of every tile height, so that only the last block has a rest.
constexpr std::size_t kRowBlockStep = 24;

struct Blocks {
  std::size_t rows = 0;
  std::size_t panels = 0;
};

std::size_t cached_rows(const PackedLinear& map) {
  const std::size_t fitting = kRowBlockBytes / (map.in() * sizeof(float));
  return std::clamp(fitting / kRowBlockStep * kRowBlockStep, kRowBlockStep, 8 * kRowBlockStep);
}

Blocks choose_blocks(const PackedLinear& map, std::size_t rows, std::size_t threads) {
  Blocks blocks{rows, map.panels()};
  if (map.weight_bytes() <= kResidentWeightBytes) blocks.rows = std::min(rows, cached_rows(map));
  const std::size_t row_tasks = divide_up(rows, blocks.rows);
  if (threads > 1 && row_tasks < 4 * threads) {
    blocks.panels = std::max<std::size_t>(1, map.panels() * row_tasks / (4 * threads));
  }
  return blocks;
}

}  // namespace

LinearTarget LinearTarget::from_row(std::size_t row) const {
  LinearTarget shifted = *this;
  if (merge == RowMerge::none) shifted.out += row * out_stride;
  if (merge == RowMerge::pairs) shifted.out += row / 2 * out_stride;
  if (before != nullptr) shifted.before += row / 2 * before_stride;
  return shifted;
}

std::size_t Operand::scratch_bytes(const PackedLinear& map, std::size_t rows) {
  return map.precision() == Precision::int8 ? rows * (map.depth() + sizeof(Range)) : 0;
}

Operand::Operand(const PackedLinear& map, const Rows& rows, std::byte* scratch)
    : map_(&map), rows_(rows) {
  if (map.precision() == Precision::int8) {
    // Depth is a multiple of four, so the floats behind the steps are aligned.
    steps_ = reinterpret_cast<std::uint8_t*>(scratch);
    ranges_ = reinterpret_cast<Range*>(scratch + rows.count * map.depth());
  }
}

void Operand::convert(const Kernels& kernels, std::size_t first, std::size_t last) {
  if (steps_ == nullptr) return;
  for (std::size_t r = first; r < last; ++r) {
    ranges_[r] = kernels.range_of(rows_.row(r), map_->in());
    kernels.quantize_row(rows_.row(r), map_->in(), map_->depth(), ranges_[r],
                         steps_ + r * map_->depth());
  }
}

bool Operand::takes_thin(const PackedLinear& thin, const PackedLinear& map) {
  return thin.precision() == Precision::float32 && thin.in() <= kThinDepth &&
         thin.out() % kPanelWidth == 0 && thin.out() <= kThinWidth &&
         map.precision() == Precision::int8;
}

void Operand::convert_thin(const Kernels& kernels, const PackedLinear& thin, const Rows& in) {
  PanelProduct first;
  thin.select_panels(0, 1, first);
  first.a = in.data;
  first.a_stride = in.stride;
  first.rows = in.count;
  kernels.quantize_thin(first, thin.out(), map_->depth(), steps_, ranges_);
}

PanelProduct Operand::product(std::size_t first, std::size_t last) const {
  PanelProduct p;
  p.rows = last - first;
  if (steps_ != nullptr) {
    p.a = steps_ + first * map_->depth();
    p.a_stride = map_->depth();
    p.ranges = ranges_ + first;
  } else {
    p.a = rows_.row(first);
    p.a_stride = rows_.stride;
  }
  return p;
}

void Operand::multiply(const Kernels& kernels, std::size_t first, std::size_t last,
                       std::size_t first_panel, std::size_t last_panel,
                       const LinearTarget& target) const {
  const LinearTarget here = target.from_row(first);
  const auto kernel = map_->precision() == Precision::int8       ? kernels.multiply_int8
                      : map_->precision() == Precision::bfloat16 ? kernels.multiply_bfloat16
                                                                 : kernels.multiply_float32;
  PanelProduct p = product(first, last);
  p.merge = here.merge;
  p.out_stride = here.out_stride;
  p.before = here.before;
  p.before_stride = here.before_stride;
  p.out = here.out;
  map_->select_panels(0, map_->panels(), p);
  kernel(p.part(first_panel, last_panel - first_panel));
}

void apply(const PackedLinear& map, const Rows& in, const LinearTarget& target, Context& context) {
  const Arena::Mark mark = context.arena.mark();
  const std::size_t scratch = Operand::scratch_bytes(map, in.count);
  Operand operand(map, in, scratch > 0 ? context.arena.take<std::byte>(scratch) : nullptr);
  if (scratch > 0) {
    const std::size_t block = kRowBlockStep;
    context.pool.run(static_cast<std::int64_t>(divide_up(in.count, block)),
                     [&](std::int64_t task, int) {
                       const std::size_t first = static_cast<std::size_t>(task) * block;
                       operand.convert(context.kernels, first, std::min(first + block, in.count));
                     });
  }
  const Blocks blocks = choose_blocks(map, in.count, static_cast<std::size_t>(context.pool.size()));
  const std::size_t panel_tasks = divide_up(map.panels(), blocks.panels);
  const std::size_t row_tasks = divide_up(in.count, blocks.rows);
  context.pool.run(static_cast<std::int64_t>(row_tasks * panel_tasks), [&](std::int64_t task, int) {
    const std::size_t row = static_cast<std::size_t>(task) / panel_tasks * blocks.rows;
    const std::size_t panel = static_cast<std::size_t>(task) % panel_tasks * blocks.panels;
    operand.multiply(context.kernels, row, std::min(row + blocks.rows, in.count), panel,
                     std::min(panel + blocks.panels, map.panels()), target);
  });
  context.arena.release(mark);
}

}  // namespace pointtree::inference::engine
