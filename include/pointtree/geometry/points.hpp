// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

namespace pointtree::geometry {

/// A cloud: one point per row, row-major, so that points are contiguous xyz triples.
template <typename Scalar>
using PointsOf = Eigen::Matrix<Scalar, Eigen::Dynamic, 3, Eigen::RowMajor>;

/// The cloud that flows through the pipeline.
using Points = PointsOf<float>;

/// A read-only cloud in somebody else's memory; rows may be strided.
template <typename Scalar>
using PointsViewOf = Eigen::Ref<const PointsOf<Scalar>, 0, Eigen::OuterStride<>>;

/// A read-only float cloud.
using PointsView = PointsViewOf<float>;

}  // namespace pointtree::geometry
