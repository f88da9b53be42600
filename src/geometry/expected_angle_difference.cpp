// SPDX-License-Identifier: Apache-2.0
#include "pointtree/geometry/expected_angle_difference.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "pointtree/geometry/random.hpp"

namespace pointtree::geometry {
namespace {

template <typename Scalar>
double angle_at_first(const PointsViewOf<Scalar>& points, const Triple& triple) {
  const Eigen::Vector3d corner = points.row(triple[0]).template cast<double>();
  const Eigen::Vector3d u = points.row(triple[1]).template cast<double>().transpose() - corner;
  const Eigen::Vector3d v = points.row(triple[2]).template cast<double>().transpose() - corner;
  return std::atan2(u.cross(v).norm(), u.dot(v));
}

template <typename Scalar>
double mean_difference(const PointsViewOf<Scalar>& before, const PointsViewOf<Scalar>& after,
                       const std::vector<Triple>& triples) {
  if (before.rows() != after.rows()) {
    throw std::invalid_argument("angles are compared between clouds of the same points, found " +
                                std::to_string(before.rows()) + " and " +
                                std::to_string(after.rows()) + " points");
  }
  if (triples.empty()) throw std::invalid_argument("angles are compared over at least one triple");
  double sum = 0.0;
  for (const Triple& triple : triples) {
    sum += std::abs(angle_at_first<Scalar>(before, triple) - angle_at_first<Scalar>(after, triple));
  }
  return sum / static_cast<double>(triples.size());
}

}  // namespace

std::vector<Triple> draw_triples(std::int32_t points, std::int32_t count, std::uint64_t seed) {
  if (points < 3) {
    throw std::invalid_argument("an angle needs 3 points, found " + std::to_string(points));
  }
  Random random(seed);
  std::vector<Triple> triples(static_cast<std::size_t>(count < 0 ? 0 : count));
  for (Triple& triple : triples) {
    for (std::int32_t& index : triple) index = static_cast<std::int32_t>(random.below(points));
    while (triple[1] == triple[0]) triple[1] = static_cast<std::int32_t>(random.below(points));
    while (triple[2] == triple[0] || triple[2] == triple[1]) {
      triple[2] = static_cast<std::int32_t>(random.below(points));
    }
  }
  return triples;
}

double expected_angle_difference(const PointsView& before, const PointsView& after,
                                 const std::vector<Triple>& triples) {
  return mean_difference<float>(before, after, triples);
}

double expected_angle_difference(const PointsViewOf<double>& before,
                                 const PointsViewOf<double>& after,
                                 const std::vector<Triple>& triples) {
  return mean_difference<double>(before, after, triples);
}

double expected_angle_difference(const PointsView& before, const PointsView& after,
                                 std::int32_t triples, std::uint64_t seed) {
  const auto n = static_cast<std::int32_t>(before.rows());
  return mean_difference<float>(before, after, draw_triples(n, triples, seed));
}

}  // namespace pointtree::geometry
