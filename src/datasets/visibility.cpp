// SPDX-License-Identifier: Apache-2.0
#include "datasets/visibility.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

namespace pointtree::datasets {
namespace {

constexpr int kProbes = 64;         // points whose nearest neighbour is looked for
constexpr double kProbeRank = 0.8;  // so that sparse parts of the cloud are covered too
constexpr double kReach = 2.5;  // spacings across the view within which one point may hide another
constexpr double kSteepest = 4.0;  // slope along the view of a surface that doesn't hide itself
constexpr int kMaximumSide = 1024;

// Distance of a point to its nearest other point, that most of a few points spread through the
// cloud don't exceed.
double typical_spacing(const geometry::PointsView& points) {
  const Eigen::Index n = points.rows();
  const Eigen::Index stride = std::max<Eigen::Index>(1, n / kProbes);
  std::vector<float> nearest;
  for (Eigen::Index probe = 0; probe < n; probe += stride) {
    float best = std::numeric_limits<float>::max();
    for (Eigen::Index i = 0; i < n; ++i) {
      const float square = (points.row(i) - points.row(probe)).squaredNorm();
      if (square > 0.0F) best = std::min(best, square);
    }
    nearest.push_back(best);
  }
  const auto rank = static_cast<std::ptrdiff_t>(kProbeRank * static_cast<double>(nearest.size()));
  std::nth_element(nearest.begin(), nearest.begin() + rank, nearest.end());
  return std::sqrt(static_cast<double>(nearest[static_cast<std::size_t>(rank)]));
}

// The cloud as the eye sees it: place across the view in metres at the centre's distance, and
// depth.
geometry::PointsOf<double> look_from(const geometry::PointsView& points,
                                     const Eigen::Vector3d& viewpoint) {
  const Eigen::Vector3d centre = points.cast<double>().colwise().mean();
  const Eigen::Vector3d forward = (centre - viewpoint).normalized();
  const Eigen::Vector3d right = forward.unitOrthogonal();
  const Eigen::Vector3d up = forward.cross(right);
  const double reference = (centre - viewpoint).norm();
  geometry::PointsOf<double> view(points.rows(), 3);
  for (Eigen::Index i = 0; i < points.rows(); ++i) {
    const Eigen::Vector3d ray = points.row(i).cast<double>().transpose() - viewpoint;
    const double scale = reference / std::max(ray.dot(forward), 1e-3 * reference);
    view.row(i) << right.dot(ray) * scale, up.dot(ray) * scale, ray.norm();
  }
  return view;
}

// The points sorted into square cells across the view.
class ViewGrid {
 public:
  ViewGrid(const geometry::PointsOf<double>& view, double cell) : view_(view), cell_(cell) {
    low_ = view.leftCols<2>().colwise().minCoeff();
    const Eigen::RowVector2d extent = view.leftCols<2>().colwise().maxCoeff() - low_;
    cell_ = std::max({cell, extent.maxCoeff() / kMaximumSide, 1e-12});
    // One cell of margin on every side spares the neighbourhood its bounds checks.
    columns_ = static_cast<Eigen::Index>(extent.x() / cell_) + 3;
    const auto rows = static_cast<Eigen::Index>(extent.y() / cell_) + 3;
    first_.assign(static_cast<std::size_t>(columns_ * rows) + 1, 0);
    for (Eigen::Index i = 0; i < view.rows(); ++i) ++first_[cell_of(i) + 1];
    for (std::size_t c = 1; c < first_.size(); ++c) first_[c] += first_[c - 1];
    std::vector<std::size_t> fill(first_.begin(), first_.end() - 1);
    members_.resize(static_cast<std::size_t>(view.rows()));
    for (Eigen::Index i = 0; i < view.rows(); ++i) members_[fill[cell_of(i)]++] = i;
  }

  // Whether any point within one cell's size across the view satisfies the predicate.
  template <typename Predicate>
  bool any_near(Eigen::Index i, const Predicate& predicate) const {
    const std::size_t centre = cell_of(i);
    for (int row = -1; row <= 1; ++row) {
      const auto left =
          static_cast<std::size_t>(static_cast<Eigen::Index>(centre) + row * columns_ - 1);
      for (std::size_t at = first_[left]; at < first_[left + 3]; ++at) {
        if (predicate(members_[at])) return true;
      }
    }
    return false;
  }

 private:
  std::size_t cell_of(Eigen::Index i) const {
    const auto column = static_cast<Eigen::Index>((view_(i, 0) - low_.x()) / cell_) + 1;
    const auto row = static_cast<Eigen::Index>((view_(i, 1) - low_.y()) / cell_) + 1;
    return static_cast<std::size_t>(row * columns_ + column);
  }

  const geometry::PointsOf<double>& view_;
  double cell_;
  Eigen::RowVector2d low_;
  Eigen::Index columns_ = 0;
  std::vector<std::size_t> first_;  // first member of every cell, in members_
  std::vector<Eigen::Index> members_;
};

}  // namespace

std::vector<std::int32_t> visible_points(const geometry::PointsView& points,
                                         const Eigen::Vector3d& viewpoint) {
  std::vector<std::int32_t> visible;
  if (points.rows() == 0) return visible;
  const auto view = look_from(points, viewpoint);
  const double spacing = typical_spacing(points);
  const double reach = kReach * spacing;
  const ViewGrid grid(view, reach);
  for (Eigen::Index i = 0; i < view.rows(); ++i) {
    const bool hidden = grid.any_near(i, [&](Eigen::Index other) {
      const double gap = view(i, 2) - view(other, 2) - spacing;
      if (gap <= 0.0) return false;
      const double across = (view.row(i) - view.row(other)).head<2>().squaredNorm();
      return across < reach * reach && gap * gap > kSteepest * kSteepest * across;
    });
    if (!hidden) visible.push_back(static_cast<std::int32_t>(i));
  }
  return visible;
}

}  // namespace pointtree::datasets
