// SPDX-License-Identifier: Apache-2.0
#include "packed_linear.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "rounding.hpp"

namespace pointtree::inference::engine {
namespace {

constexpr int kInt8WeightMax = 127;

// Eight weights meet in one 16-bit sum (see kInt8Group: four quads, two products of each per lane).
// Rounding adds at most half a step to each, hence the margin of four.
constexpr int kInt8SumMax = 32767 / kInt8ActivationMax - 4;

// Sums of the positive and of the negative weights that share a 16-bit lane; the larger in size.
float largest_lane_sum(const float* row, std::size_t in) {
  float largest = 0.0F;
  for (std::size_t group = 0; group < in; group += kInt8Group) {
    for (std::size_t lane = 0; lane < 4; lane += 2) {
      float positive = 0.0F;
      float negative = 0.0F;
      for (std::size_t quad = 0; quad < kInt8Group; quad += 4) {
        for (std::size_t k = group + quad + lane; k < group + quad + lane + 2 && k < in; ++k) {
          (row[k] > 0.0F ? positive : negative) += std::abs(row[k]);
        }
      }
      largest = std::max({largest, positive, negative});
    }
  }
  return largest;
}

}  // namespace

std::uint16_t to_bfloat16(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  bits += 0x7fffU + ((bits >> 16) & 1U);
  return static_cast<std::uint16_t>(bits >> 16);
}

float int8_step(const float* row, std::size_t in) {
  float largest = 0.0F;
  for (std::size_t k = 0; k < in; ++k) largest = std::max(largest, std::abs(row[k]));
  return std::max(largest / kInt8WeightMax, largest_lane_sum(row, in) / kInt8SumMax);
}

PackedLinear::PackedLinear(const LinearWeights& weights, Precision precision)
    : precision_(precision), in_(weights.in), out_(weights.out), slope_(weights.slope) {
  bias_.assign(panels() * kPanelWidth, 0.0F);
  std::copy(weights.bias.begin(), weights.bias.end(), bias_.begin());
  switch (precision) {
    case Precision::float32:
      pack_float32(weights);
      break;
    case Precision::bfloat16:
      pack_bfloat16(weights);
      break;
    case Precision::int8:
      pack_int8(weights);
      break;
  }
}

void PackedLinear::pack_float32(const LinearWeights& weights) {
  depth_ = in_;
  panel_bytes_ = depth_ * kPanelWidth * sizeof(float);
  data_ = Buffer(panels() * panel_bytes_);
  auto* packed = data_.as<float>();
  for (std::size_t o = 0; o < out_; ++o) {
    float* panel = packed + o / kPanelWidth * depth_ * kPanelWidth;
    for (std::size_t k = 0; k < in_; ++k) {
      panel[k * kPanelWidth + o % kPanelWidth] = weights.weight[o * in_ + k];
    }
  }
}

void PackedLinear::pack_bfloat16(const LinearWeights& weights) {
  depth_ = in_;
  panel_bytes_ = depth_ * kPanelWidth * sizeof(std::uint16_t);
  data_ = Buffer(panels() * panel_bytes_);
  auto* packed = data_.as<std::uint32_t>();
  for (std::size_t o = 0; o < out_; ++o) {
    std::uint32_t* panel = packed + o / kPanelWidth * depth_ * 8;
    const unsigned shift = o % kPanelWidth < 8 ? 0 : 16;
    for (std::size_t k = 0; k < in_; ++k) {
      panel[k * 8 + o % 8] |= static_cast<std::uint32_t>(to_bfloat16(weights.weight[o * in_ + k]))
                              << shift;
    }
  }
}

void PackedLinear::pack_int8(const LinearWeights& weights) {
  depth_ = round_up(in_, kInt8Group);
  panel_bytes_ = depth_ * kPanelWidth;
  data_ = Buffer(panels() * panel_bytes_);
  column_scale_.assign(panels() * kPanelWidth, 0.0F);
  column_sum_.assign(panels() * kPanelWidth, 0.0F);
  column_rest_.assign(panels() * kPanelWidth, 0.0F);
  auto* packed = data_.as<std::int8_t>();
  for (std::size_t o = 0; o < out_; ++o) {
    const float* row = weights.weight.data() + o * in_;
    const float step = int8_step(row, in_);
    std::int8_t* column = packed + o / kPanelWidth * panel_bytes_ + o % kPanelWidth * 4;
    double sum = 0.0;
    double steps_sum = 0.0;
    for (std::size_t k = 0; k < in_; ++k) {
      const float steps = step > 0.0F ? std::round(row[k] / step) : 0.0F;
      column[k / 4 * 64 + k % 4] = static_cast<std::int8_t>(steps);
      sum += row[k];
      steps_sum += steps;
    }
    column_scale_[o] = step;
    column_sum_[o] = static_cast<float>(steps_sum * step);
    column_rest_[o] = static_cast<float>(sum - steps_sum * step);
  }
}

void PackedLinear::select_panels(std::size_t first, std::size_t last, PanelProduct& product) const {
  const std::size_t column = first * kPanelWidth;
  product.panel = data_.as<std::byte>() + first * panel_bytes_;
  product.panel_bytes = panel_bytes_;
  product.panels = last - first;
  product.depth = depth_;
  product.bias = bias_.data() + column;
  product.slope = slope_;
  product.columns = std::min(last * kPanelWidth, out_) - column;
  if (precision_ == Precision::int8) {
    product.column_scale = column_scale_.data() + column;
    product.column_sum = column_sum_.data() + column;
    product.column_rest = column_rest_.data() + column;
  }
}

}  // namespace pointtree::inference::engine
