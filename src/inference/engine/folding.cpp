// SPDX-License-Identifier: Apache-2.0
#include "folding.hpp"

#include <cmath>
#include <stdexcept>

namespace pointtree::inference::engine {
namespace {

constexpr double kNormEpsilon = 1e-5;  // LibTorch's default for BatchNorm1d

std::vector<float> read_sized(const std::string& name, std::size_t expected,
                              const TensorReader& read) {
  std::vector<float> values = read(name);
  if (values.size() != expected) {
    throw std::runtime_error(name + ": expected " + std::to_string(expected) + " values, found " +
                             std::to_string(values.size()));
  }
  return values;
}

void fold_norm(const std::string& name, const TensorReader& read, LinearWeights& map) {
  const auto gamma = read_sized(name + ".norm.weight", map.out, read);
  const auto beta = read_sized(name + ".norm.bias", map.out, read);
  const auto mean = read_sized(name + ".norm.running_mean", map.out, read);
  const auto variance = read_sized(name + ".norm.running_var", map.out, read);
  for (std::size_t o = 0; o < map.out; ++o) {
    const double factor = gamma[o] / std::sqrt(double{variance[o]} + kNormEpsilon);
    for (std::size_t k = 0; k < map.in; ++k) {
      float& weight = map.weight[o * map.in + k];
      weight = static_cast<float>(weight * factor);
    }
    map.bias[o] = static_cast<float>((double{map.bias[o]} - mean[o]) * factor + beta[o]);
  }
}

float slope_below_zero(const std::string& name, Activation activation, const TensorReader& read) {
  switch (activation) {
    case Activation::none:
      return 1.0F;
    case Activation::relu:
      return 0.0F;
    case Activation::prelu:
      return read_sized(name + ".activation.weight", 1, read).front();
  }
  throw std::logic_error(name + ": unknown activation");
}

}  // namespace

LinearWeights fold(const std::string& name, const DensePlan& plan, const TensorReader& read) {
  LinearWeights map;
  map.in = static_cast<std::size_t>(plan.in);
  map.out = static_cast<std::size_t>(plan.out);
  map.weight = read_sized(name + ".linear.weight", map.in * map.out, read);
  map.bias = read_sized(name + ".linear.bias", map.out, read);
  if (plan.norm) fold_norm(name, read, map);
  map.slope = slope_below_zero(name, plan.activation, read);
  return map;
}

LinearWeights columns(const LinearWeights& map, std::size_t first, std::size_t count) {
  LinearWeights part;
  part.in = count;
  part.out = map.out;
  part.bias.assign(map.out, 0.0F);
  part.weight.reserve(map.out * count);
  for (std::size_t o = 0; o < map.out; ++o) {
    const auto begin = map.weight.begin() + static_cast<std::ptrdiff_t>(o * map.in + first);
    part.weight.insert(part.weight.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
  }
  return part;
}

}  // namespace pointtree::inference::engine
