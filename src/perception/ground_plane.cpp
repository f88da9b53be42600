#include "pointtree/perception/ground_plane.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "pointtree/perception/voxel_grid.hpp"

namespace pointtree::perception {
namespace {

constexpr std::size_t kSampleSize = 4096;
constexpr int kHypotheses = 400;
constexpr int kRefinements = 3;
constexpr float kLeastSupport = 0.1F;
/// Thickness of the plane and edge of the thinning voxels, in median ranges of the cloud.
constexpr float kThickness = 0.015F;
constexpr float kVoxel = 0.03F;
/// cos 25°: a level sensor on a slope sees ground tilted by less.
constexpr float kLevelCosine = 0.906F;

struct Candidate {
  Eigen::Vector3f normal = Eigen::Vector3f::UnitZ();
  float offset = 0.0F;  ///< normal · p = offset on the plane
  float score = 0.0F;
};

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
float score_plane(const PointBuffer& sample, const Candidate& plane, float thickness) {
  int inside = 0;
  int beneath = 0;
  for (const Eigen::Vector3f& point : sample) {
    const float distance = plane.normal.dot(point) - plane.offset;
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
  Candidate best;
  for (int trial = 0; trial < kHypotheses; ++trial) {
    const Eigen::Vector3f& a = draw();
    const Eigen::Vector3f normal = (draw() - a).cross(draw() - a);
    if (normal.norm() < thickness * thickness) continue;
    Candidate plane;
    plane.normal = normal.normalized();
    plane.offset = plane.normal.dot(a);
    face_sensor(plane);
    if (up == UpDirection::z && plane.normal.z() < kLevelCosine) continue;
    plane.score = score_plane(sample, plane, thickness);
    if (plane.score > best.score) best = plane;
  }
  return best;
}

/// Least squares over the points near the plane, a few times as it moves.
void refine(const PointBuffer& sample, Candidate& plane, float thickness) {
  for (int round = 0; round < kRefinements; ++round) {
    Eigen::Vector3d mean = Eigen::Vector3d::Zero();
    Eigen::Matrix3d moments = Eigen::Matrix3d::Zero();
    int count = 0;
    for (const Eigen::Vector3f& point : sample) {
      if (std::abs(plane.normal.dot(point) - plane.offset) > thickness) continue;
      const Eigen::Vector3d p = point.cast<double>();
      mean += p;
      moments += p * p.transpose();
      ++count;
    }
    if (count < 3) return;
    mean /= count;
    const Eigen::Matrix3d covariance = moments / count - mean * mean.transpose();
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
  const PointBuffer sample = thin_out(points, kVoxel * range);
  Candidate plane = search(sample, up, thickness, seed);
  if (plane.score < kLeastSupport * static_cast<float>(sample.size())) return std::nullopt;
  refine(sample, plane, thickness);
  return GroundPlane{plane.normal, -plane.offset, plane.score / static_cast<float>(sample.size())};
}

Eigen::Quaternionf level_rotation(const Eigen::Vector3f& up) {
  // Straight down has no shortest turn to z; half a turn about x is as good as any.
  if (up.z() < -0.999999F) return Eigen::Quaternionf(0.0F, 1.0F, 0.0F, 0.0F);
  return Eigen::Quaternionf::FromTwoVectors(up, Eigen::Vector3f::UnitZ());
}

}  // namespace pointtree::perception
