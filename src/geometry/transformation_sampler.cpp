// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "pointtree/geometry/expected_angle_difference.hpp"
#include "pointtree/geometry/transformation.hpp"

namespace pointtree::geometry {
namespace {

constexpr double kPi = 3.14159265358979323846;

Eigen::Matrix3d uniform_matrix(double bound, Random& random) {
  Eigen::Matrix3d matrix;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) matrix(row, column) = random.uniform(-bound, bound);
  }
  return matrix;
}

Eigen::Matrix3d draw_affine(Random& random) { return uniform_matrix(1.0 / std::sqrt(3.0), random); }

Eigen::RowVector3d in_ball(double radius, Random& random) {
  const Eigen::RowVector3d direction = random.direction();
  return direction * random.uniform(0.0, radius);
}

Eigen::RowVector3d in_box(double bound, Random& random) {
  Eigen::RowVector3d point;
  for (double& component : point) component = random.uniform(-bound, bound);
  return point;
}

Transformation draw_similarity(const PointsView& points, Random& random) {
  const Eigen::RowVector3d centre = points.cast<double>().colwise().mean();
  const double radius = (points.cast<double>().rowwise() - centre).rowwise().norm().mean();
  Eigen::Matrix3d linear = random_rotation(random) * std::exp2(random.uniform(-1.0, 1.0));
  if (random.uniform() < 0.5) linear = -linear;
  const Eigen::RowVector3d direction = random.direction();
  const double distance = random.uniform(0.0, radius);
  return Transformation::affine(linear, direction * distance);
}

/// Angles of a cloud that stand for all of them while affine candidates are compared: only their
/// arms are moved.
class SampleAngles {
 public:
  SampleAngles(const PointsView& points, Random& random) {
    const auto n = static_cast<std::int32_t>(points.rows());
    const std::uint64_t seed = random.below(~std::uint64_t{0});
    for (const Triple& triple : draw_triples(n, std::max(n / 2, 1), seed)) {
      const Eigen::RowVector3d corner = points.row(triple[0]).cast<double>();
      Angle angle{points.row(triple[1]).cast<double>() - corner,
                  points.row(triple[2]).cast<double>() - corner, 0.0};
      angle.radians = measure(angle.u, angle.v);
      angles_.push_back(angle);
    }
  }

  double difference_after(const Eigen::Matrix3d& linear) const {
    double sum = 0.0;
    for (const Angle& angle : angles_) {
      sum += std::abs(measure(angle.u * linear, angle.v * linear) - angle.radians);
    }
    return sum / static_cast<double>(angles_.size());
  }

 private:
  struct Angle {
    Eigen::RowVector3d u, v;
    double radians;
  };

  static double measure(const Eigen::RowVector3d& u, const Eigen::RowVector3d& v) {
    return std::atan2(u.cross(v).norm(), u.dot(v));
  }

  std::vector<Angle> angles_;
};

/// The affine map of largest angle difference out of 5,000.
Transformation draw_aggressive_paper(const PointsView& points, Random& random) {
  constexpr int kDraws = 5000;
  const SampleAngles angles(points, random);
  Eigen::Matrix3d best = Eigen::Matrix3d::Identity();
  double best_difference = -1.0;
  for (int draw = 0; draw < kDraws; ++draw) {
    const Eigen::Matrix3d candidate = draw_affine(random);
    const double difference = angles.difference_after(candidate);
    if (difference <= best_difference) continue;
    best = candidate;
    best_difference = difference;
  }
  return Transformation::affine(best);
}

/// The first map, of up to 3,000, whose angle difference exceeds a threshold that falls slowly from
/// π/4; else the best. The shift is in units of the mean |coordinate|.
Transformation draw_aggressive_authors(const PointsView& points, Random& random) {
  constexpr int kDraws = 3000;
  constexpr double kDecay = 0.9995;
  const double magnitude = points.cast<double>().cwiseAbs().mean();
  const SampleAngles angles(points, random);
  Transformation best;
  double best_difference = -1.0;
  double threshold = kPi / 4.0;
  for (int draw = 0; draw < kDraws; ++draw, threshold *= kDecay) {
    const Eigen::Matrix3d linear = uniform_matrix(0.5, random);
    const Eigen::RowVector3d shift = in_box(0.5 * magnitude, random);
    const double difference = angles.difference_after(linear);
    if (difference > threshold) return Transformation::affine(linear, shift);
    if (difference <= best_difference) continue;
    best = Transformation::affine(linear, shift);
    best_difference = difference;
  }
  return best;
}

/// The last entry of the projective matrix: the homogeneous weight s + d of every point keeps one
/// sign and stays at least 0.1 away from zero.
double safe_weight(const Eigen::VectorXd& s, Random& random) {
  const double u = random.uniform();
  const double margin = u * u * u * u + 0.1;
  const double low = std::min(s.minCoeff(), 0.0);
  const double high = std::max(s.maxCoeff(), 0.0);
  return -low > high ? -low + margin : -high - margin;
}

Eigen::Matrix4d projective_matrix(const PointsOf<double>& points, TransformationForm form,
                                  Random& random) {
  const bool authors = form == TransformationForm::authors;
  const auto draw_point = [&] { return authors ? in_ball(2.0, random) : in_box(2.0, random); };
  Eigen::Matrix<double, 4, 3>
      images;  // the vanishing points of the axes and the image of the origin
  for (int row = 0; row < 4; ++row) images.row(row) = draw_point();
  const Eigen::RowVector3d weights = authors ? in_ball(1.0, random) : in_box(1.0, random);
  const double last = safe_weight(points * weights.transpose(), random);
  Eigen::Matrix4d matrix;
  for (int row = 0; row < 3; ++row) matrix.row(row) << weights[row] * images.row(row), weights[row];
  matrix.row(3) << (authors ? 1.0 : last) * images.row(3), last;
  return matrix;
}

/// Moves the centroid to the origin and the farthest point to distance 1.
Transformation to_unit_ball(const PointsOf<double>& points) {
  const Eigen::RowVector3d centre = points.colwise().mean();
  const double radius = (points.rowwise() - centre).rowwise().norm().maxCoeff();
  const double scale = radius > 0.0 ? 1.0 / radius : 1.0;
  return Transformation::affine(Eigen::Matrix3d::Identity() * scale, -centre * scale);
}

/// Moves the bounding box's middle to the origin and its longest side to [-1, 1].
Transformation to_unit_box(const PointsOf<double>& points) {
  const Eigen::RowVector3d low = points.colwise().minCoeff();
  const Eigen::RowVector3d high = points.colwise().maxCoeff();
  const double half = (high - low).maxCoeff() / 2.0;
  const double scale = half > 0.0 ? 1.0 / half : 1.0;
  return Transformation::affine(Eigen::Matrix3d::Identity() * scale, -(low + high) / 2.0 * scale);
}

Transformation draw_projective(const PointsView& cloud, TransformationForm form, Random& random) {
  const bool authors = form == TransformationForm::authors;
  const int rounds = authors ? 3 : 1;
  const PointsOf<double> original = cloud.cast<double>();
  Transformation total;
  for (int round = 0; round < rounds; ++round) {
    const Transformation affine = Transformation::affine(draw_affine(random));
    if (authors) {
      total = total.then(affine);
      total = total.then(to_unit_ball(total.apply(original)));
    } else {
      total = total.then(to_unit_box(total.apply(original))).then(affine);
    }
    total = total.then(Transformation(projective_matrix(total.apply(original), form, random)));
  }
  // An image may lie many of its own thicknesses from the origin; rounded there, it would lose its
  // shape.
  return total.then(to_unit_ball(total.apply(original)));
}

}  // namespace

Transformation TransformationSampler::draw(const PointsView& points, Random& random) const {
  if (points.rows() == 0) throw std::invalid_argument("no transformation for an empty cloud");
  if (!points.allFinite()) throw std::invalid_argument("a transformation needs finite points");
  switch (kind_) {
    case TransformationKind::none:
      return {};
    case TransformationKind::similarity:
      return draw_similarity(points, random);
    case TransformationKind::affine:
      return Transformation::affine(draw_affine(random));
    case TransformationKind::affine_aggressive:
      return form_ == TransformationForm::authors ? draw_aggressive_authors(points, random)
                                                  : draw_aggressive_paper(points, random);
    case TransformationKind::projective:
      return draw_projective(points, form_, random);
  }
  throw std::invalid_argument("unknown transformation kind");
}

}  // namespace pointtree::geometry
