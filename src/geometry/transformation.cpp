// SPDX-License-Identifier: Apache-2.0
#include "pointtree/geometry/transformation.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

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

constexpr std::array<std::string_view, 5> kKindNames{"none", "similarity", "affine",
                                                     "affine_aggressive", "projective"};
constexpr std::array<std::string_view, 2> kFormNames{"authors", "paper"};

template <std::size_t Count>
std::size_t find_name(const std::array<std::string_view, Count>& names, std::string_view name,
                      const char* what) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  std::string message = std::string(what) + " '" + std::string(name) + "' is none of";
  for (std::string_view known : names) message += ' ' + std::string(known);
  throw std::invalid_argument(message);
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

std::string_view to_string(TransformationKind kind) {
  return kKindNames.at(static_cast<std::size_t>(kind));
}

std::string_view to_string(TransformationForm form) {
  return kFormNames.at(static_cast<std::size_t>(form));
}

TransformationKind transformation_kind(std::string_view name) {
  return static_cast<TransformationKind>(find_name(kKindNames, name, "transformation"));
}

TransformationForm transformation_form(std::string_view name) {
  return static_cast<TransformationForm>(find_name(kFormNames, name, "transformation form"));
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
