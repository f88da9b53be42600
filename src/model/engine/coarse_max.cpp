#include "coarse_max.hpp"

#include <algorithm>

namespace pointtree::model::engine {
namespace {

constexpr std::size_t kGroups = kCoarseRows / kCoarseGroup;

// The first row of every group, copied together: at their own distance of a power of two they
// would fall into the same few sets of the cache.
struct Representatives {
  std::uint8_t steps[kGroups * kCoarseDepth];
  float scale[kGroups];
  float offset[kGroups];
  std::size_t count;

  Representatives(const QuantizedRows& rows, std::size_t depth)
      : count((rows.count + kCoarseGroup - 1) / kCoarseGroup) {
    for (std::size_t g = 0; g < count; ++g) {
      std::copy_n(rows.steps + g * kCoarseGroup * depth, depth, steps + g * depth);
      scale[g] = rows.scale[g * kCoarseGroup];
      offset[g] = rows.offset[g * kCoarseGroup];
    }
  }
};

// The best value of every column and the group that it is from.
struct Best {
  float value[kPanelWidth];
  std::uint32_t group[kPanelWidth];

  explicit Best(const float* values, std::size_t groups) : group{} {
    std::copy_n(values, kPanelWidth, value);
    for (std::size_t g = 1; g < groups; ++g) {
      for (std::size_t c = 0; c < kPanelWidth; ++c) {
        const float other = values[g * kPanelWidth + c];
        group[c] = other > value[c] ? static_cast<std::uint32_t>(g) : group[c];
        value[c] = other > value[c] ? other : value[c];
      }
    }
  }
};

// The largest value that the other rows of a group give for one column.
float refine(const PanelProduct& p, std::size_t column, const std::int8_t* weights,
             const QuantizedRows& rows, std::size_t group, const Kernels& kernels) {
  const std::size_t first = group * kCoarseGroup;
  const std::size_t count = std::min(kCoarseGroup, rows.count - first);
  std::int32_t dots[kCoarseGroup];
  kernels.dot_int8(rows.steps + first * p.depth, p.depth, count, weights, dots);
  float largest = 0.0F;
  for (std::size_t r = 0; r < count; ++r) {
    const float value =
        static_cast<float>(dots[r]) * (p.column_scale[column] * rows.scale[first + r]) +
        p.column_sum[column] * rows.offset[first + r] + p.bias[column];
    largest = r == 0 ? value : std::max(largest, value);
  }
  return largest;
}

}  // namespace

void coarse_max(const PackedLinear& map, const QuantizedRows& rows, const Kernels& kernels,
                float* out) {
  const Representatives representatives(rows, map.depth());
  float values[kGroups * kPanelWidth];
  for (std::size_t panel = 0; panel < map.panels(); ++panel) {
    PanelProduct p = map.product(panel);
    const std::size_t columns = p.columns;
    p.a = representatives.steps;
    p.a_stride = p.depth;
    p.rows = representatives.count;
    p.row_scale = representatives.scale;
    p.row_offset = representatives.offset;
    p.out = values;
    p.out_stride = kPanelWidth;
    p.columns = kPanelWidth;
    kernels.multiply_int8(p);
    const Best best(values, representatives.count);
    for (std::size_t c = 0; c < columns; ++c) {
      const std::size_t o = panel * kPanelWidth + c;
      const float refined = refine(p, c, map.int8_row(o), rows, best.group[c], kernels);
      out[o] = std::max({out[o], best.value[c], refined});
    }
  }
}

}  // namespace pointtree::model::engine
