#include "steepness.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <random>

namespace pointtree::inference::engine {
namespace {

constexpr int kSamples = 128;
constexpr int kExceptions = kSamples / 20;
constexpr float kRadius = 2.0F;

// Neighbours rarely lie along the gradient.
constexpr float kShare = 0.75F;
constexpr unsigned kSeed = 1;

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::VectorXf random_input(std::size_t channels, std::mt19937& random) {
  std::normal_distribution<float> normal;
  std::uniform_real_distribution<float> uniform;
  Eigen::VectorXf x = Eigen::VectorXf::NullaryExpr(static_cast<Eigen::Index>(channels),
                                                   [&] { return normal(random); });
  const Eigen::Index coordinates = std::min<Eigen::Index>(3, x.size());
  x.head(coordinates) *= kRadius * std::cbrt(uniform(random)) / x.head(coordinates).norm();
  return x;
}

// Lengths of the gradients of all outputs at x.
Eigen::VectorXf gradient_lengths(const std::vector<LinearWeights>& layers, Eigen::VectorXf x) {
  Matrix jacobian = Matrix::Identity(x.size(), x.size());
  for (const LinearWeights& layer : layers) {
    const auto out = static_cast<Eigen::Index>(layer.out);
    const Eigen::Map<const Matrix> weight(layer.weight.data(), out,
                                          static_cast<Eigen::Index>(layer.in));
    x = weight * x + Eigen::Map<const Eigen::VectorXf>(layer.bias.data(), out);
    jacobian = weight * jacobian;
    for (Eigen::Index o = 0; o < out; ++o) {
      if (x[o] > 0.0F) continue;
      x[o] *= layer.slope;
      jacobian.row(o) *= layer.slope;
    }
  }
  return jacobian.rowwise().norm();
}

}  // namespace

std::vector<float> steepness(const std::vector<LinearWeights>& layers) {
  std::mt19937 random(kSeed);
  Matrix lengths(kSamples, static_cast<Eigen::Index>(layers.back().out));
  for (int i = 0; i < kSamples; ++i) {
    lengths.row(i) = gradient_lengths(layers, random_input(layers.front().in, random));
  }
  std::vector<float> result;
  for (Eigen::Index o = 0; o < lengths.cols(); ++o) {
    Eigen::VectorXf column = lengths.col(o);
    std::nth_element(column.data(), column.data() + kExceptions, column.data() + kSamples,
                     std::greater<>());
    result.push_back(kShare * column[kExceptions]);
  }
  return result;
}

}  // namespace pointtree::inference::engine
