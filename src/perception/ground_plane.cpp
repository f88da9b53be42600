// SPDX-License-Identifier: Apache-2.0
#include "pointtree/perception/ground_plane.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "perception/voxel_grid.hpp"

namespace pointtree::perception {
namespace {

constexpr std::size_t kSampleSize = 4096;
/// Planes tried on every kPreviewStride-th point, and how many of them are then tried on all.
constexpr int kHypotheses = 2400;
constexpr std::size_t kPreviewStride = 8;
constexpr std::size_t kFinalists = 40;
constexpr int kRefinements = 12;
/// Points taken for the final fit and for the scene's axes, by their number and not by their place.
constexpr std::size_t kFitSize = 16384;
/// Share of the scene's area that a plane needs: less where z is known to be up, since a furnished
/// room shows little of its floor.
constexpr float kLeastSupport = 0.1F;
constexpr float kLeastLevelSupport = 0.03F;
/// Thickness of the plane and edge of the thinning voxels, in median ranges of the cloud.
constexpr float kThickness = 0.015F;
constexpr float kVoxel = 0.03F;
/// The thinning voxels are at least this share of the farthest range, so that a few far points
/// among many near ones don't ask for more cells than can be numbered.
constexpr float kLeastVoxel = 1e-5F;
/// cos 25°: a level sensor on a slope sees ground tilted by less.
constexpr float kLevelCosine = 0.906F;

struct Candidate {
  Eigen::Vector3f normal = Eigen::Vector3f::UnitZ();
  float offset = 0.0F;  ///< normal · p = offset on the plane
  float score = 0.0F;
};

float farthest_range(const PointBuffer& points) {
  float squared = 0.0F;
  for (const Eigen::Vector3f& point : points) squared = std::max(squared, point.squaredNorm());
  return std::sqrt(squared);
}

float median_range(const PointBuffer& points) {
  std::vector<float> ranges;
  const std::size_t step = 1 + points.size() / kSampleSize;
  for (std::size_t i = 0; i < points.size(); i += step) ranges.push_back(points[i].norm());
  const auto middle = ranges.begin() + static_cast<std::ptrdiff_t>(ranges.size() / 2);
  std::nth_element(ranges.begin(), middle, ranges.end());
  return *middle;
}

/// One point per voxel, so that area counts instead of the density near the sensor; then a stride.
PointBuffer thin_out(const PointBuffer& points, float voxel) {
  PointBuffer some;
  // A quarter million points show every surface; more would only cost time.
  const std::size_t step = 1 + points.size() / (kSampleSize * 16);
  for (std::size_t i = 0; i < points.size(); i += step) some.push_back(points[i]);
  VoxelGrid grid;
  grid.assign(some, voxel);
  const PointBuffer& centroids = grid.centroids();
  PointBuffer sample;
  const std::size_t stride = 1 + centroids.size() / kSampleSize;
  for (std::size_t i = 0; i < centroids.size(); i += stride) sample.push_back(centroids[i]);
  return sample;
}

/// The area in the plane, less what lies beneath it: nothing lies under the ground. Walls share
/// that property; a mounting is more often upright or hanging than sideways, which decides between
/// them.
float score_plane(const PointBuffer& sample, const Candidate& plane, float thickness,
                  std::size_t stride) {
  int inside = 0;
  int beneath = 0;
  for (std::size_t i = 0; i < sample.size(); i += stride) {
    const float distance = plane.normal.dot(sample[i]) - plane.offset;
    inside += static_cast<int>(std::abs(distance) <= thickness);
    beneath += static_cast<int>(distance < -2.0F * thickness);
  }
  return static_cast<float>(inside - beneath) * (0.5F + 0.5F * std::abs(plane.normal.z()));
}

/// Normal towards the sensor, which stands above its ground.
void face_sensor(Candidate& plane) {
  if (plane.offset <= 0.0F) return;
  plane.normal = -plane.normal;
  plane.offset = -plane.offset;
}

Candidate search(const PointBuffer& sample, UpDirection up, float thickness, std::uint32_t seed) {
  std::mt19937 random(seed);
  // Not std::uniform_int_distribution, whose numbers differ between standard libraries.
  const auto draw = [&]() -> const Eigen::Vector3f& {
    return sample[std::uint64_t{random()} * sample.size() >> 32];
  };
  std::vector<Candidate> candidates;
  for (int trial = 0; trial < kHypotheses; ++trial) {
    const Eigen::Vector3f& a = draw();
    Eigen::Vector3f normal = (draw() - a).cross(draw() - a);
    // A level sensor's floor is hit by one point where three seldom hit it together: indoors it is
    // a small part of what is seen.
    if (up == UpDirection::z && trial % 2 == 0) normal = Eigen::Vector3f::UnitZ();
    if (normal.norm() < thickness * thickness) continue;
    Candidate plane;
    plane.normal = normal.normalized();
    plane.offset = plane.normal.dot(a);
    face_sensor(plane);
    if (up == UpDirection::z && plane.normal.z() < kLevelCosine) continue;
    plane.score = score_plane(sample, plane, thickness, kPreviewStride);
    candidates.push_back(plane);
  }
  const std::size_t finalists = std::min(kFinalists, candidates.size());
  const auto better = [](const Candidate& a, const Candidate& b) { return a.score > b.score; };
  std::stable_sort(candidates.begin(), candidates.end(), better);
  Candidate best;
  for (std::size_t k = 0; k < finalists; ++k) {
    candidates[k].score = score_plane(sample, candidates[k], thickness, 1);
    if (candidates[k].score > best.score) best = candidates[k];
  }
  return best;
}

/// Iterated least squares with weights that fade out away from the plane and even out the density
/// of a scan: nothing in it depends on the frame, so a turned cloud gets the turned plane.
void refine(const PointBuffer& points, Candidate& plane, float thickness, float range) {
  const std::size_t step = 1 + points.size() / kFitSize;
  for (int round = 0; round < kRefinements; ++round) {
    Eigen::Vector3d mean = Eigen::Vector3d::Zero();
    Eigen::Matrix3d moments = Eigen::Matrix3d::Zero();
    double total = 0.0;
    for (std::size_t i = 0; i < points.size(); i += step) {
      const Eigen::Vector3d p = points[i].cast<double>();
      const float distance = (plane.normal.dot(points[i]) - plane.offset) / thickness;
      const double fading = 1.0 / (1.0 + static_cast<double>(distance * distance));
      const double weight =
          fading * fading * fading * std::min(p.squaredNorm(), 4.0 * range * range);
      mean += weight * p;
      moments += weight * p * p.transpose();
      total += weight;
    }
    if (!(total > 0.0)) return;
    mean /= total;
    const Eigen::Matrix3d covariance = moments / total - mean * mean.transpose();
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(covariance);
    plane.normal = solver.eigenvectors().col(0).cast<float>().normalized();
    plane.offset = plane.normal.dot(mean.cast<float>());
    face_sensor(plane);
  }
}

}  // namespace

std::optional<GroundPlane> find_ground_plane(const PointBuffer& points, UpDirection up,
                                             std::uint32_t seed) {
  if (points.size() < 3) return std::nullopt;
  const float range = median_range(points);
  if (!(range > 0.0F)) return std::nullopt;
  const float thickness = kThickness * range;
  const float voxel = std::max(kVoxel * range, kLeastVoxel * farthest_range(points));
  const PointBuffer sample = thin_out(points, voxel);
  Candidate plane = search(sample, up, thickness, seed);
  const float least = up == UpDirection::z ? kLeastLevelSupport : kLeastSupport;
  if (plane.score < least * static_cast<float>(sample.size())) return std::nullopt;
  refine(points, plane, thickness, range);
  return GroundPlane{plane.normal, -plane.offset, plane.score / static_cast<float>(sample.size())};
}

Eigen::Quaternionf level_rotation(const Eigen::Vector3f& up) {
  // Straight down has no shortest turn to z; half a turn about x is as good as any.
  if (up.z() < -0.999999F) return Eigen::Quaternionf(0.0F, 1.0F, 0.0F, 0.0F);
  // In double: near straight down the quaternion comes from a difference of almost equal numbers.
  return Eigen::Quaterniond::FromTwoVectors(up.cast<double>(), Eigen::Vector3d::UnitZ())
      .normalized()
      .cast<float>();
}

Eigen::Matrix3f scene_axes(const PointBuffer& points, const Eigen::Vector3f& up) {
  const Eigen::Matrix3d level = level_rotation(up).toRotationMatrix().cast<double>();
  const std::size_t step = 1 + points.size() / kFitSize;
  std::vector<Eigen::Vector2d> places;
  Eigen::Vector2d mean = Eigen::Vector2d::Zero();
  for (std::size_t i = 0; i < points.size(); i += step) {
    places.emplace_back((level * points[i].cast<double>()).head<2>());
    mean += places.back();
  }
  if (places.empty()) return level.cast<float>();
  mean /= static_cast<double>(places.size());
  Eigen::Matrix2d covariance = Eigen::Matrix2d::Zero();
  for (const Eigen::Vector2d& place : places)
    covariance += (place - mean) * (place - mean).transpose();
  Eigen::Matrix2d axes = Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d>(covariance).eigenvectors();
  axes.col(0).swap(axes.col(1));
  Eigen::Array2d skew = Eigen::Array2d::Zero();
  for (const Eigen::Vector2d& place : places)
    skew += (axes.transpose() * (place - mean)).array().cube();
  for (int axis = 0; axis < 2; ++axis) {
    if (skew[axis] < 0.0) axes.col(axis) *= -1.0;
  }
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  turn.topLeftCorner<2, 2>() = axes.transpose();
  return (turn * level).cast<float>();
}

}  // namespace pointtree::perception
