#include "pointtree/geometry/surroundings.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "pointtree/geometry/detail/symmetric_eigen.hpp"

namespace pointtree::geometry {
namespace {

constexpr int kSmallestScale = 8;  // fewer points do not show a surface's normal
constexpr int kScaleStep = 4;      // subtrees of half or twice the size tell nearly the same
constexpr int kChannelsPerScale = 11;

// Sums over the points of a subtree, about the cloud's centroid.
struct Moments {
  Eigen::Vector3d first = Eigen::Vector3d::Zero();
  detail::Symmetric3 second;

  static Moments of(const Eigen::Vector3d& p) {
    return {p, {p[0] * p[0], p[0] * p[1], p[0] * p[2], p[1] * p[1], p[1] * p[2], p[2] * p[2]}};
  }

  void add(const Moments& other) {
    first += other.first;
    second.xx += other.second.xx;
    second.xy += other.second.xy;
    second.xz += other.second.xz;
    second.yy += other.second.yy;
    second.yz += other.second.yz;
    second.zz += other.second.zz;
  }

  detail::Symmetric3 covariance(double count) const {
    const Eigen::Vector3d m = first / count;
    return {second.xx / count - m[0] * m[0], second.xy / count - m[0] * m[1],
            second.xz / count - m[0] * m[2], second.yy / count - m[1] * m[1],
            second.yz / count - m[1] * m[2], second.zz / count - m[2] * m[2]};
  }
};

// Writes the channels of one subtree to the rows of its points. Lengths within the subtree are told
// in units of sqrt(count / all), which is how a patch's extent shrinks with its share of a surface:
// all channels are then of similar size.
void describe_subtree(const Moments& moments, const PointsOf<double>& centred, Eigen::Index begin,
                      Eigen::Index count, float* rows, std::ptrdiff_t stride) {
  const auto axes = detail::symmetric_eigen(moments.covariance(static_cast<double>(count)));
  const Eigen::Vector3d centroid = moments.first / static_cast<double>(count);
  const Eigen::Matrix3d turned =
      Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(&axes.vectors[0][0]);
  const Eigen::Vector3d normal = turned.row(2);
  const double unit = std::sqrt(static_cast<double>(count) / static_cast<double>(centred.rows()));
  float shared[5];
  for (int k = 0; k < 3; ++k) {
    shared[k] = static_cast<float>(std::sqrt(std::max(axes.values[k], 0.0)) / unit);
  }
  shared[3] = static_cast<float>(centroid.norm());
  shared[4] = static_cast<float>(std::abs(normal.dot(centroid)));
  for (Eigen::Index row = begin; row < begin + count; ++row) {
    float* target = std::copy_n(shared, 5, rows + row * stride);
    const Eigen::Vector3d offset = turned * (centred.row(row).transpose() - centroid);
    for (int k = 0; k < 3; ++k) *target++ = static_cast<float>(std::abs(offset[k]) / unit);
    for (int k = 0; k < 3; ++k) *target++ = static_cast<float>(std::abs(normal[k]));
  }
}

}  // namespace

int surroundings_channels(int leaves) {
  int channels = 1;
  for (int scale = kSmallestScale; scale < leaves; scale *= kScaleStep) {
    channels += kChannelsPerScale;
  }
  return channels;
}

void describe_surroundings(const PointsView& leaves, float* rows, std::ptrdiff_t stride) {
  PointsOf<double> centred = leaves.cast<double>();
  if (centred.rows() == 0) return;
  centred.rowwise() -= centred.colwise().mean().eval();
  std::vector<Moments> moments;
  moments.reserve(static_cast<std::size_t>(centred.rows()));
  for (Eigen::Index row = 0; row < centred.rows(); ++row) {
    rows[row * stride] = static_cast<float>(centred.row(row).norm());
    moments.push_back(Moments::of(centred.row(row).transpose()));
  }
  ++rows;
  Eigen::Index described = kSmallestScale;
  for (Eigen::Index scale = 2; scale < centred.rows(); scale *= 2) {
    const auto subtrees = static_cast<std::size_t>(centred.rows() / scale);
    for (std::size_t i = 0; i < subtrees; ++i) {
      moments[i] = moments[2 * i];
      moments[i].add(moments[2 * i + 1]);
    }
    if (scale != described) continue;
    for (std::size_t i = 0; i < subtrees; ++i) {
      describe_subtree(moments[i], centred, static_cast<Eigen::Index>(i) * scale, scale, rows,
                       stride);
    }
    rows += kChannelsPerScale;
    described *= kScaleStep;
  }
}

}  // namespace pointtree::geometry
