// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>

#include "align/passes.hpp"
#include "pointtree/geometry/pre_align.hpp"

namespace pointtree::geometry::align {

/// A cloud on its way to its standard pose: the coordinates, the map so far and what is known of
/// them.
class Aligner {
 public:
  /// Loads a cloud of at least one point; throws std::invalid_argument for non-finite points.
  explicit Aligner(const PointsView& points);
  explicit Aligner(const PointsViewOf<double>& points);

  /// Runs one of the modes and hands out the result.
  PreAlignment run(const PreAlignOptions& options) &&;

 private:
  template <typename Scalar>
  void load(const PointsViewOf<Scalar>& points);

  void whiten(Measure measure);
  void align_plain();
  void align_iteratively();
  void align_canonically(const Eigen::Vector3d& scale);
  void align_upright();

  /// Applies a linear map to the coordinates and measures them there.
  void transform(const Eigen::Matrix3d& map, Measure measure);
  double mean_norm();
  void fix_signs(int axes);
  void find_rank();

  struct Release {
    void operator()(double* memory) const;
  };

  Passes passes_;
  std::unique_ptr<double, Release> memory_;
  Coordinates coordinates_{};
  double count_ = 0;
  double noise_ = 0;  ///< deviation below which an axis holds nothing but the rounding of the input
  Eigen::RowVector3d centre_;
  Eigen::RowVector3d
      rest_;  ///< the centroid in the coordinates as loaded; zero once they have been moved
  Eigen::Matrix3d covariance_;
  Eigen::Vector3d scale_ = Eigen::Vector3d::Ones();  ///< still to be applied, axis by axis
  Sums sums_;
  bool normed_ = false;  ///< sums_.norm is that of the present coordinates and scale
  PreAlignment result_;
};

}  // namespace pointtree::geometry::align
