// SPDX-License-Identifier: Apache-2.0
#include "align/aligner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <stdexcept>

#include "align/tolerances.hpp"
#include "geometry/detail/half_turn.hpp"
#include "geometry/detail/independent_axes.hpp"
#include "geometry/detail/principal_direction.hpp"

namespace pointtree::geometry::align {
namespace {

constexpr std::align_val_t kAlignment{32};

Passes choose_passes() {
#ifdef POINTTREE_AVX2_KERNEL
  if (__builtin_cpu_supports("avx2") != 0) return avx2_passes();
#endif
  return generic_passes();
}

Eigen::Matrix3d full_matrix(const detail::SymmetricOf<double>& m) {
  Eigen::Matrix3d full;
  full << m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz;
  return full;
}

/// a · b for a of any number of rows. Eigen's own product fuses multiply-adds on some processors.
template <int kRows>
Eigen::Matrix<double, kRows, 3> product(const Eigen::Matrix<double, kRows, 3>& a,
                                        const Eigen::Matrix3d& b) {
  Eigen::Matrix<double, kRows, 3> ab;
  for (int r = 0; r < kRows; ++r) {
    for (int c = 0; c < 3; ++c) {
      ab(r, c) = (a(r, 0) * b(0, c) + a(r, 1) * b(1, c)) + a(r, 2) * b(2, c);
    }
  }
  return ab;
}

/// Eigenvectors as columns, by decreasing eigenvalue.
struct Axes {
  Eigen::Matrix3d vectors;
  Eigen::Vector3d values;
};

Axes principal_axes(const Eigen::Matrix3d& m) {
  const detail::Eigen3 e =
      detail::symmetric_eigen({m(0, 0), m(0, 1), m(0, 2), m(1, 1), m(1, 2), m(2, 2)});
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

/// A point near the middle of the cloud: moments about it lose nothing when they are shifted to the
/// true centroid.
template <typename Scalar>
Eigen::RowVector3d provisional_centre(const PointsViewOf<Scalar>& points) {
  const Eigen::Index samples = std::min<Eigen::Index>(points.rows(), kCentreSamples);
  Eigen::RowVector3d sum = Eigen::RowVector3d::Zero();
  for (Eigen::Index k = 0; k < samples; ++k) {
    sum += points.row(k * points.rows() / samples).template cast<double>();
  }
  return sum / static_cast<double>(samples);
}

}  // namespace

void Aligner::Release::operator()(double* memory) const { ::operator delete(memory, kAlignment); }

Aligner::Aligner(const PointsView& points) { load<float>(points); }

Aligner::Aligner(const PointsViewOf<double>& points) { load<double>(points); }

template <typename Scalar>
void Aligner::load(const PointsViewOf<Scalar>& points) {
  static const Passes kPasses = choose_passes();
  passes_ = kPasses;
  const auto n = static_cast<std::size_t>(points.rows());
  const std::size_t padded = (n + 3) / 4 * 4;
  memory_.reset(static_cast<double*>(::operator new(3 * padded * sizeof(double), kAlignment)));
  coordinates_ = {{memory_.get(), memory_.get() + padded, memory_.get() + 2 * padded}, n, padded};
  count_ = static_cast<double>(n);
  const Eigen::RowVector3d start = provisional_centre<Scalar>(points);
  LoadedMoments moments;
  if constexpr (std::is_same_v<Scalar, float>) {
    moments = passes_.load_float(points.data(), points.outerStride(), start.data(), coordinates_);
  } else {
    moments = passes_.load_double(points.data(), points.outerStride(), start.data(), coordinates_);
  }
  rest_ = Eigen::RowVector3d(moments.first[0], moments.first[1], moments.first[2]) / count_;
  centre_ = start + rest_;
  covariance_ = full_matrix(moments.second) / count_ - rest_.transpose() * rest_;
  if (!std::isfinite(covariance_.trace()) || !centre_.allFinite()) {
    throw std::invalid_argument("pre-alignment needs finite points");
  }
  for (int c = 0; c < 3; ++c) {
    std::fill(coordinates_.axis[c] + n, coordinates_.axis[c] + padded, rest_[c]);
  }
  // Rounding the input contributes about a quarter of this to the deviation along any axis.
  noise_ = static_cast<double>(std::numeric_limits<Scalar>::epsilon()) *
           std::sqrt(std::max(covariance_.trace(), 0.0) + centre_.squaredNorm());
}

void Aligner::transform(const Eigen::Matrix3d& map, Measure measure) {
  detail::AffineMap<double> affine;
  const Eigen::RowVector3d shift = product<1>(-rest_, map);
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) affine.linear[r][c] = map(r, c);
    affine.shift[r] = shift[r];
  }
  rest_.setZero();
  sums_ = passes_.transform(coordinates_, affine, measure, scale_.data());
  normed_ = measure == Measure::third;
  covariance_ = product<3>(product<3>(map.transpose(), covariance_), map);
  result_.linear = product<3>(result_.linear, map);
}

/// Turns the principal axes to the coordinate axes, in order of length, and makes all deviations 1.
void Aligner::whiten(Measure measure) {
  const Axes axes = principal_axes(covariance_);
  const Eigen::Vector3d deviations = axes.values.cwiseMax(0.0).cwiseSqrt();
  const double floor = std::max(kRankTolerance * deviations[0], noise_);
  Eigen::Vector3d inverse = Eigen::Vector3d::Zero();
  result_.rank = 0;
  for (int k = 0; k < 3 && deviations[k] > floor; ++k) {
    inverse[k] = 1.0 / deviations[k];
    ++result_.rank;
  }
  result_.tied = any_tie(axes.values, result_.rank);
  transform(axes.vectors * inverse.asDiagonal(), measure);
}

/// Makes the third moments of the first axes positive; needs them measured.
void Aligner::fix_signs(int axes) {
  for (int k = 0; k < axes; ++k) {
    const double deviation = std::sqrt(std::max(covariance_(k, k), 0.0));
    const double least = kSkewTolerance * count_ * deviation * deviation * deviation;
    if (std::abs(sums_.third[k]) <= least) result_.tied = true;
    if (sums_.third[k] < 0.0) scale_[k] = -scale_[k];
  }
}

void Aligner::align_plain() {
  whiten(Measure::third);
  fix_signs(result_.rank);
}

void Aligner::align_iteratively() {
  whiten(Measure::magnitude);
  // White axes have deviation 1; once scaled, the axis of the smallest mean |value| is the longest.
  std::array<int, 3> order{0, 1, 2};
  std::stable_sort(order.begin(), order.begin() + result_.rank,
                   [&](int a, int b) { return sums_.magnitude[a] < sums_.magnitude[b]; });
  const Coordinates before = coordinates_;
  const Sums measured = sums_;
  const Eigen::Matrix3d linear = result_.linear;
  const Eigen::Matrix3d covariance = covariance_;
  for (int k = 0; k < 3; ++k) {
    coordinates_.axis[k] = before.axis[order[k]];
    sums_.third[k] = measured.third[order[k]];
    result_.linear.col(k) = linear.col(order[k]);
    covariance_(k, k) = covariance(order[k], order[k]);
    const double magnitude = measured.magnitude[order[k]] / count_;
    scale_[k] = magnitude > 0.0 ? 1.0 / magnitude : 1.0;
  }
  fix_signs(result_.rank);
}

void Aligner::align_canonically(const Eigen::Vector3d& scale) {
  whiten(Measure::fourth);
  const detail::IndependentAxes found =
      detail::independent_axes(sums_.fourth, count_, result_.rank);
  result_.tied = found.tied;
  scale_ = scale;
  Eigen::Matrix3d turn;
  for (int k = 0; k < 3; ++k) turn.col(k) << found.axes[k][0], found.axes[k][1], found.axes[k][2];
  transform(turn, Measure::third);
  fix_signs(result_.rank);
}

/// Gravity says which way is up and the cloud's own proportions matter: all that is open is a turn
/// about z.
void Aligner::align_upright() {
  find_rank();
  const double xx = covariance_(0, 0);
  const double xy = covariance_(0, 1);
  const double yy = covariance_(1, 1);
  const detail::Turn longest = detail::half_turn(xx - yy, 2.0 * xy);
  result_.tied = std::hypot(2.0 * xy, xx - yy) <= detail::kTieTolerance * (xx + yy);
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  turn.topLeftCorner<2, 2>() << longest.cos, -longest.sin, longest.sin, longest.cos;
  transform(turn, Measure::third);
  fix_signs(2);
}

void Aligner::find_rank() {
  result_.rank = static_cast<int>(
      (principal_axes(covariance_).values.cwiseMax(0.0).cwiseSqrt().array() > noise_).count());
}

double Aligner::mean_norm() {
  if (!normed_) transform(Eigen::Matrix3d::Identity(), Measure::third);
  return sums_.norm / count_;
}

PreAlignment Aligner::run(const PreAlignOptions& options) && {
  switch (options.mode) {
    case PreAlignMode::none:
    case PreAlignMode::metric:
      find_rank();
      break;
    case PreAlignMode::plain:
      align_plain();
      break;
    case PreAlignMode::iterative:
      align_iteratively();
      break;
    case PreAlignMode::canonical:
      align_canonically(options.canonical_scale);
      break;
    case PreAlignMode::upright:
      align_upright();
      break;
  }
  const double norm = mean_norm();
  if (norm > 0.0 && options.mode != PreAlignMode::metric) scale_ /= norm;
  const Eigen::RowVector3d kept =
      options.mode == PreAlignMode::none ? centre_ : Eigen::RowVector3d::Zero();
  result_.linear = (result_.linear * scale_.asDiagonal()).eval();
  result_.translation = kept - product<1>(centre_, result_.linear);
  result_.points.resize(static_cast<Eigen::Index>(coordinates_.n), 3);
  passes_.write(coordinates_, scale_.data(), kept.data(), result_.points.data());
  return std::move(result_);
}

}  // namespace pointtree::geometry::align
