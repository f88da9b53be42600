#include "pruned_max.hpp"

#include <algorithm>
#include <cmath>

namespace pointtree::inference::engine {
namespace {

constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kOthers = kGroup - 1;

float squared_distance(const float* a, const float* b, std::size_t channels) {
  float sum = 0.0F;
  for (std::size_t c = 0; c < channels; ++c) sum += (a[c] - b[c]) * (a[c] - b[c]);
  return sum;
}

// The point of a group that is nearest to its farthest neighbour.
struct Middle {
  std::size_t row = 0;
  float radius = 0.0F;

  Middle(const Rows& points, std::size_t first) {
    for (std::size_t i = first; i < first + kGroup; ++i) {
      float farthest = 0.0F;
      for (std::size_t j = first; j < first + kGroup; ++j) {
        farthest =
            std::max(farthest, squared_distance(points.row(i), points.row(j), points.stride));
      }
      if (i == first || farthest < radius) {
        row = i;
        radius = farthest;
      }
    }
    radius = std::sqrt(radius);
  }
};

}  // namespace

PrunedMax::PrunedMax(const PackedLinear& map, const float* steepness, std::size_t points,
                     std::size_t channels, std::size_t tile_rows, Arena& arena)
    : map_(map),
      steepness_(steepness),
      groups_(points / kGroup),
      channels_(channels),
      tile_groups_(tile_rows / kGroup),
      operand_bytes_((Operand::scratch_bytes(map, tile_rows, false) / kCacheLine + 1) * kCacheLine),
      points_(arena.take(points * channels)) {
  const std::size_t tiles = (points + tile_rows - 1) / tile_rows;
  operands_ = arena.take<std::byte>(tiles * operand_bytes_);
  tiles_ = arena.take<QuantizedRows>(tiles);
  radii_ = arena.take(groups_);
  representatives_ = arena.take(map.panels() * groups_ * kPanelWidth);
  lists_ = arena.take<std::uint32_t>(map.panels() * groups_);
}

Rows PrunedMax::gather(std::size_t tile, const Rows& points) {
  const std::size_t groups = points.count / kGroup;
  float* middles = points_ + tile * tile_groups_ * kGroup * channels_;
  float* others = middles + groups * channels_;
  for (std::size_t g = 0; g < groups; ++g) {
    const Middle middle(points, g * kGroup);
    radii_[tile * tile_groups_ + g] = middle.radius;
    for (std::size_t row = g * kGroup; row < (g + 1) * kGroup; ++row) {
      float*& target = row == middle.row ? middles : others;
      target = std::copy_n(points.row(row), channels_, target);
    }
  }
  return {points_ + tile * tile_groups_ * kGroup * channels_, points.count, channels_};
}

void PrunedMax::multiply(std::size_t tile, const Operand& operand, const Kernels& kernels) {
  tiles_[tile] = operand.quantized();
  const std::size_t groups = tiles_[tile].count / kGroup;
  LinearTarget target{representatives_ + tile * tile_groups_ * kPanelWidth, kPanelWidth};
  target.panel_stride = groups_ * kPanelWidth;
  operand.multiply(kernels, 0, groups, 0, map_.panels(), target);
}

float PrunedMax::largest_of_others(std::size_t group, std::size_t output, const PanelProduct& panel,
                                   const Kernels& kernels) const {
  const QuantizedRows& tile = tiles_[group / tile_groups_];
  const std::size_t first = tile.count / kGroup + group % tile_groups_ * kOthers;
  std::int32_t dots[kOthers];
  kernels.dot_int8(tile.steps + first * panel.depth, panel.depth, map_.int8_row(output), dots);
  const auto dot = static_cast<float>(*std::max_element(dots, dots + kOthers));
  const std::size_t c = output % kPanelWidth;
  const float scale = (tile.range.high - tile.range.low) * (1.0F / kInt8ActivationMax);
  return dot * panel.column_scale[c] * scale + panel.column_sum[c] * tile.range.low +
         panel.column_rest[c] * tile.range.mean + panel.bias[c];
}

void PrunedMax::maxima(std::size_t panel, const Kernels& kernels, float* out) const {
  PanelProduct p;
  map_.select_panels(panel, panel + 1, p);
  const float* values = representatives_ + panel * groups_ * kPanelWidth;
  float steepness[kPanelWidth] = {};
  std::copy_n(steepness_ + panel * kPanelWidth, p.columns, steepness);
  float best[kPanelWidth];
  std::uint32_t* list = lists_ + panel * groups_;
  const std::size_t count = kernels.list_hopeful(values, groups_, radii_, steepness, best, list);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t group = list[i] >> 16;
    for (std::size_t c = 0; c < p.columns; ++c) {
      // What was found meanwhile may have made a column hopeless.
      const bool hopeful = (list[i] >> c & 1U) != 0 &&
                           values[group * kPanelWidth + c] + steepness[c] * radii_[group] > best[c];
      if (!hopeful) continue;
      best[c] = std::max(best[c], largest_of_others(group, panel * kPanelWidth + c, p, kernels));
    }
  }
  std::copy_n(best, p.columns, out + panel * kPanelWidth);
}

}  // namespace pointtree::inference::engine
