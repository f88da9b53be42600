// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "buffer.hpp"
#include "panel_product.hpp"
#include "pointtree/inference/precision.hpp"

namespace pointtree::inference::engine {

/// A linear map with bias and activation as numbers: y = activation(weight · x + bias).
struct LinearWeights {
  std::size_t in = 0;
  std::size_t out = 0;
  std::vector<float> weight;  ///< [out, in]
  std::vector<float> bias;    ///< [out]
  float slope = 1.0F;         ///< of the activation below zero: 1 none, 0 ReLU, else PReLU
};

/// A linear map in panels of 16 outputs, in the order in which the kernels read them.
class PackedLinear {
 public:
  PackedLinear() = default;
  PackedLinear(const LinearWeights& weights, Precision precision);

  Precision precision() const { return precision_; }
  std::size_t in() const { return in_; }
  std::size_t out() const { return out_; }
  /// Depth steps that the kernel walks: `in`, for int8 rounded up to whole groups.
  std::size_t depth() const { return depth_; }
  std::size_t panels() const { return (out_ + kPanelWidth - 1) / kPanelWidth; }
  std::size_t weight_bytes() const { return data_.size(); }

  /// Fills weights, scales, bias, activation and columns of panels [first, last) in.
  void select_panels(std::size_t first, std::size_t last, PanelProduct& product) const;

 private:
  void pack_float32(const LinearWeights& weights);
  void pack_bfloat16(const LinearWeights& weights);
  void pack_int8(const LinearWeights& weights);

  Precision precision_ = Precision::float32;
  std::size_t in_ = 0;
  std::size_t out_ = 0;
  std::size_t depth_ = 0;
  std::size_t panel_bytes_ = 0;
  float slope_ = 1.0F;
  Buffer data_;
  std::vector<float> bias_;          // padded to whole panels, as are the next three
  std::vector<float> column_scale_;  // int8 only
  std::vector<float> column_sum_;    // int8 only
  std::vector<float> column_rest_;   // int8 only
};

/// Rounds to the nearest bfloat16, ties to even.
std::uint16_t to_bfloat16(float value);

/// The step in which a row of weights is quantised: as fine as 8 bits allow, and coarse enough that
/// the 16-bit sums of the int8 kernel cannot overflow whatever the activations are.
float int8_step(const float* row, std::size_t in);

}  // namespace pointtree::inference::engine
