#include "pointtree/geometry/pre_align.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "pointtree/geometry/detail/principal_direction.hpp"

namespace pointtree::geometry {
namespace {

using Coordinates = Eigen::Matrix<double, Eigen::Dynamic, 3>;

/// The covariance squares the points, so even in double an axis below this part of the longest is
/// rounding error.
constexpr double kRankTolerance = 3e-8;

detail::Symmetric3 upper_triangle(const Eigen::Matrix3d& m) {
  return {m(0, 0), m(0, 1), m(0, 2), m(1, 1), m(1, 2), m(2, 2)};
}

/// Eigenvectors as columns, by decreasing eigenvalue.
struct Axes {
  Eigen::Matrix3d vectors;
  Eigen::Vector3d values;
};

Axes principal_axes(const Eigen::Matrix3d& symmetric) {
  const detail::Eigen3 e = detail::symmetric_eigen(upper_triangle(symmetric));
  Axes axes;
  for (int k = 0; k < 3; ++k) {
    axes.vectors.col(k) << e.vectors[k][0], e.vectors[k][1], e.vectors[k][2];
    axes.values[k] = e.values[k];
  }
  return axes;
}

bool any_tie(const Eigen::Vector3d& values, int rank) {
  for (int k = 0; k + 1 < rank; ++k) {
    if (values[k] - values[k + 1] <= detail::kTieTolerance * values[0]) return true;
  }
  return false;
}

/// Collects the linear map of one pre-alignment; x are the points about their centroid.
class Aligner {
 public:
  Aligner(Coordinates x, double noise, const PreAlignOptions& options)
      : x_(std::move(x)), noise_(noise), options_(options) {}

  void run() {
    switch (options_.mode) {
      case PreAlignMode::none:
        break;
      case PreAlignMode::plain:
        whiten();
        fix_signs();
        break;
      case PreAlignMode::iterative:
        if (options_.iterative_form == IterativeForm::paper) {
          iterate();
        } else {
          rotate_and_scale();
        }
        break;
      case PreAlignMode::canonical:
        canonicalise();
        break;
    }
    const double mean_norm = x_.rowwise().norm().mean();
    if (mean_norm > 0.0) apply(Eigen::Matrix3d::Identity() / mean_norm);
  }

  const Coordinates& coordinates() const { return x_; }
  PreAlignment result;

 private:
  void apply(const Eigen::Matrix3d& map) {
    x_ = (x_ * map).eval();
    result.linear = (result.linear * map).eval();
  }

  Eigen::Matrix3d covariance() const {
    return x_.transpose() * x_ / static_cast<double>(x_.rows());
  }

  Eigen::Vector3d mean_magnitudes() const { return x_.cwiseAbs().colwise().mean().transpose(); }

  void whiten() {
    const Axes axes = principal_axes(covariance());
    const double largest = std::sqrt(std::max(axes.values[0], 0.0));
    const double floor = std::max(kRankTolerance * largest, noise_);
    Eigen::Vector3d inverse = Eigen::Vector3d::Zero();
    result.rank = 0;
    for (int k = 0; k < 3; ++k) {
      const double deviation = std::sqrt(std::max(axes.values[k], 0.0));
      if (!(deviation > floor)) break;
      inverse[k] = 1.0 / deviation;
      ++result.rank;
    }
    result.tied = any_tie(axes.values, result.rank);
    apply(axes.vectors * inverse.asDiagonal());
    result.iterations = 1;
  }

  void fix_signs() {
    const Eigen::Vector3d third = x_.array().cube().colwise().sum().matrix().transpose();
    apply((third.array() < 0.0)
              .select(-Eigen::Array3d::Ones(), Eigen::Array3d::Ones())
              .matrix()
              .asDiagonal());
  }

  void iterate() {
    whiten();
    // White points have deviation 1; after scaling, an axis with the smaller mean |value| is the
    // longer one.
    Eigen::Vector3d magnitude = mean_magnitudes();
    std::array<int, 3> order{0, 1, 2};
    std::stable_sort(order.begin(), order.begin() + result.rank,
                     [&](int a, int b) { return magnitude[a] < magnitude[b]; });
    Eigen::Matrix3d map = Eigen::Matrix3d::Zero();
    for (int k = 0; k < result.rank; ++k) map(order[k], k) = 1.0 / magnitude[order[k]];
    apply(map);
    fix_signs();
  }

  void rotate_and_scale() {
    int near = 0;
    result.rank = 3;
    for (result.iterations = 0; result.iterations < options_.max_iterations; ++result.iterations) {
      const Axes axes = principal_axes(covariance());
      const Eigen::Vector3d first = axes.vectors.col(0).cwiseAbs();
      near = (first - Eigen::Vector3d::UnitZ()).norm() < options_.tolerance ? near + 1 : 0;
      if (near == 2) return;
      Eigen::Matrix3d map;
      map << axes.vectors.col(1), axes.vectors.col(2), axes.vectors.col(0);
      apply(map);
      const Eigen::Vector3d magnitude = mean_magnitudes();
      Eigen::Vector3d inverse = Eigen::Vector3d::Zero();
      for (int k = 0; k < 3; ++k) {
        if (magnitude[k] > std::max(kRankTolerance * magnitude.maxCoeff(), noise_)) {
          inverse[k] = 1.0 / magnitude[k];
        }
      }
      result.rank = static_cast<int>((inverse.array() > 0.0).count());
      apply(inverse.asDiagonal());
    }
    result.converged = false;
  }

  void canonicalise() {
    whiten();
    const Eigen::VectorXd square = x_.rowwise().squaredNorm();
    const Eigen::Matrix3d fourth =
        x_.transpose() * square.asDiagonal() * x_ / static_cast<double>(x_.rows());
    const Axes axes = principal_axes(fourth);
    result.tied = any_tie(axes.values, result.rank);
    apply(axes.vectors);
    fix_signs();
    apply(options_.canonical_scale.asDiagonal());
  }

  Coordinates x_;
  double noise_;
  const PreAlignOptions& options_;
};

template <typename Scalar>
PreAlignment align(const PointsViewOf<Scalar>& points, const PreAlignOptions& options) {
  PreAlignment empty;
  empty.rank = 0;
  if (points.rows() == 0) return empty;
  if (!points.allFinite()) throw std::invalid_argument("pre-alignment needs finite points");
  const Coordinates input = points.template cast<double>();
  const Eigen::RowVector3d centre = input.colwise().mean();
  // Rounding the input itself contributes about a quarter of this to a deviation: an axis below
  // holds no shape.
  const double noise = static_cast<double>(std::numeric_limits<Scalar>::epsilon()) *
                       std::sqrt(input.squaredNorm() / static_cast<double>(input.rows()));
  Aligner aligner(input.rowwise() - centre, noise, options);
  aligner.run();
  PreAlignment result = std::move(aligner.result);
  const bool keep_centre = options.mode == PreAlignMode::none;
  const Eigen::RowVector3d kept = keep_centre ? centre : Eigen::RowVector3d::Zero();
  result.translation = kept - centre * result.linear;
  result.points = (aligner.coordinates().rowwise() + kept).template cast<float>();
  return result;
}

constexpr std::array<std::string_view, 4> kModeNames{"none", "plain", "iterative", "canonical"};

}  // namespace

PreAlignment pre_align(const PointsView& points, PreAlignMode mode) {
  PreAlignOptions options;
  options.mode = mode;
  return align<float>(points, options);
}

PreAlignment pre_align(const PointsView& points, const PreAlignOptions& options) {
  return align<float>(points, options);
}

PreAlignment pre_align(const PointsViewOf<double>& points, const PreAlignOptions& options) {
  return align<double>(points, options);
}

std::string_view to_string(PreAlignMode mode) {
  return kModeNames.at(static_cast<std::size_t>(mode));
}

PreAlignMode pre_align_mode(std::string_view name) {
  for (std::size_t i = 0; i < kModeNames.size(); ++i) {
    if (kModeNames[i] == name) return static_cast<PreAlignMode>(i);
  }
  throw std::invalid_argument("pre-alignment '" + std::string(name) +
                              "' is none of none, plain, iterative, canonical");
}

}  // namespace pointtree::geometry
