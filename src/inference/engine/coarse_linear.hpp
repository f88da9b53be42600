#pragma once

#include <vector>

#include "packed_linear.hpp"
#include "screening.hpp"

namespace pointtree::inference::engine {

/// What ScreenedMax needs of a linear map without activation: its weights as bfloat16, how far
/// these are off, and its weights row by row.
class CoarseLinear {
 public:
  CoarseLinear() = default;
  explicit CoarseLinear(const LinearWeights& weights);

  bool empty() const { return rows_.size() == 0; }
  std::size_t in() const { return in_; }
  /// Depth steps that are multiplied coarsely.
  std::size_t depth() const { return depth_; }
  /// Outputs, rounded up to what is screened at once.
  std::size_t padded_out() const { return sizes_.size(); }

  /// Two panels, of which `output` is the first column.
  const std::uint16_t* panels(std::size_t output) const {
    return panels_.as<std::uint16_t>() + output * depth_;
  }
  /// The exact weights of one output, `in` of them.
  const float* row(std::size_t output) const { return rows_.as<float>() + output * in_; }
  float bias(std::size_t output) const { return bias_[output]; }

  /// Lengths of the outputs' weights with their bias, exact or rounded, the larger.
  const float* sizes() const { return sizes_.data(); }
  /// Lengths of what rounding took from the outputs' weights.
  const float* losses() const { return losses_.data(); }

 private:
  void round_row(const LinearWeights& weights, std::size_t output);

  std::size_t in_ = 0;
  std::size_t depth_ = 0;
  Buffer panels_;  // [padded_out / 16, depth / 2, 16, 2] bfloat16
  Buffer rows_;    // [out, in]
  std::vector<float> bias_;
  std::vector<float> sizes_;
  std::vector<float> losses_;
};

}  // namespace pointtree::inference::engine
