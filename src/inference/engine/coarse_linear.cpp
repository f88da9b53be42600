#include "coarse_linear.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "rounding.hpp"

namespace pointtree::inference::engine {
namespace {

// Lengths are computed in double and stored a little too large.
constexpr double kRoundUp = 1.0 + 1e-6;

float from_bfloat16(std::uint16_t value) {
  const std::uint32_t bits = static_cast<std::uint32_t>(value) << 16;
  float result;
  std::memcpy(&result, &bits, sizeof(result));
  return result;
}

// Tile registers take subnormal numbers for zero.
std::uint16_t to_normal_bfloat16(float value) {
  const std::uint16_t rounded = to_bfloat16(value);
  return std::fpclassify(from_bfloat16(rounded)) == FP_SUBNORMAL ? 0 : rounded;
}

}  // namespace

CoarseLinear::CoarseLinear(const LinearWeights& weights)
    : in_(weights.in),
      depth_(round_up(weights.in, kScreenDepth)),
      rows_(weights.out * weights.in * sizeof(float)),
      bias_(weights.bias) {
  const std::size_t width = round_up(weights.out, kScreenWidth);
  panels_ = Buffer(width * depth_ * sizeof(std::uint16_t));
  sizes_.assign(width, 0.0F);
  losses_.assign(width, 0.0F);
  std::copy(weights.weight.begin(), weights.weight.end(), rows_.as<float>());
  for (std::size_t o = 0; o < weights.out; ++o) round_row(weights, o);
}

void CoarseLinear::round_row(const LinearWeights& weights, std::size_t output) {
  std::uint16_t* column = panels_.as<std::uint16_t>() +
                          output / kPanelWidth * kPanelWidth * depth_ + output % kPanelWidth * 2;
  const double bias = weights.bias[output];
  double exact = bias * bias;
  double rounded = 0.0;
  double lost = 0.0;
  for (std::size_t k = 0; k < in_; ++k) {
    const double weight = row(output)[k];
    std::uint16_t& coarse = column[k / 2 * 2 * kPanelWidth + k % 2];
    coarse = to_normal_bfloat16(row(output)[k]);
    const double kept = from_bfloat16(coarse);
    exact += weight * weight;
    rounded += kept * kept;
    lost += (weight - kept) * (weight - kept);
  }
  sizes_[output] = static_cast<float>(std::sqrt(std::max(exact, rounded)) * kRoundUp);
  losses_[output] = static_cast<float>(std::sqrt(lost) * kRoundUp);
}

}  // namespace pointtree::inference::engine
