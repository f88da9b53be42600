// SPDX-License-Identifier: Apache-2.0
#include "pointtree/geometry/transformation.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>

namespace pointtree::geometry {
namespace {

template <typename Scalar>
PointsOf<Scalar> transformed(const PointsViewOf<Scalar>& points, const Eigen::Matrix4d& matrix) {
  PointsOf<Scalar> result(points.rows(), 3);
  for (Eigen::Index i = 0; i < points.rows(); ++i) {
    Eigen::RowVector4d p;
    p << points.row(i).template cast<double>(), 1.0;
    p = (p * matrix).eval();
    result.row(i) = (p.head<3>() / p[3]).template cast<Scalar>();
  }
  return result;
}

std::vector<Eigen::Matrix3f> make_signed_permutations() {
  std::vector<Eigen::Matrix3f> maps;
  std::array<int, 3> order{0, 1, 2};
  do {
    for (int signs = 0; signs < 8; ++signs) {
      Eigen::Matrix3f map = Eigen::Matrix3f::Zero();
      for (int c = 0; c < 3; ++c) map(order[c], c) = (signs >> c & 1) != 0 ? -1.0F : 1.0F;
      maps.push_back(map);
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return maps;
}

}  // namespace

Transformation Transformation::affine(const Eigen::Matrix3d& linear,
                                      const Eigen::RowVector3d& translation) {
  Eigen::Matrix4d matrix = Eigen::Matrix4d::Identity();
  matrix.topLeftCorner<3, 3>() = linear;
  matrix.bottomLeftCorner<1, 3>() = translation;
  return Transformation(matrix);
}

Points Transformation::apply(const PointsView& points) const {
  return transformed<float>(points, matrix_);
}

PointsOf<double> Transformation::apply(const PointsViewOf<double>& points) const {
  return transformed<double>(points, matrix_);
}

Eigen::Matrix3d random_rotation(Random& random) {
  // Four independent normal numbers, normalised, are a uniform unit quaternion.
  Eigen::Vector4d q;
  do {
    for (double& component : q) component = random.normal();
  } while (q.norm() < 1e-3);
  q.normalize();
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
}

const std::vector<Eigen::Matrix3f>& signed_permutations() {
  static const std::vector<Eigen::Matrix3f> kMaps = make_signed_permutations();
  return kMaps;
}

}  // namespace pointtree::geometry
