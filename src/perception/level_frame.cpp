// SPDX-License-Identifier: Apache-2.0
#include "perception/level_frame.hpp"

#include <algorithm>
#include <cmath>

namespace pointtree::perception {
namespace {

/// The limits of a range whose unit is not known yet: fourth powers of them fit into a float.
constexpr double kNearest = 1e-9;
constexpr double kFarthest = 1e9;

}  // namespace

void LevelFrame::read(const CloudView& cloud, const PipelineConfig& config) {
  const CropConfig& crop = config.crop;
  const bool metric = config.sensor_height <= 0.0;
  ingest(cloud, metric ? crop.min_range : kNearest, metric ? crop.max_range : kFarthest, frame_);
  const auto seed = static_cast<std::uint32_t>(config.seed);
  ground_ = find_ground_plane(frame_.points, config.up, seed).value_or(GroundPlane{});
  unit_ = 1.0F;
  if (metric) return;
  if (ground_.sensor_height > kNearest) {
    unit_ = static_cast<float>(config.sensor_height) / ground_.sensor_height;
  }
  ingest(cloud, crop.min_range / unit_, crop.max_range / unit_, frame_);
}

void LevelFrame::assign(const CloudView& cloud, const PipelineConfig& config) {
  read(cloud, config);
  to_level_.setIdentity();
  if (config.up == UpDirection::from_ground) to_level_ = scene_axes(frame_.points, ground_.up);
  const auto low = static_cast<float>(config.crop.min_height);
  const auto high = static_cast<float>(config.crop.max_height);
  points_.clear();
  source_.clear();
  for (std::size_t i = 0; i < frame_.points.size(); ++i) {
    const Eigen::Vector3f point = unit_ * (to_level_ * frame_.points[i]);
    if (point.z() < low || point.z() > high) continue;
    points_.push_back(point);
    source_.push_back(frame_.source[i]);
  }
}

float LevelFrame::height_above(double share) const {
  std::vector<float> heights;
  heights.reserve(points_.size());
  for (const Eigen::Vector3f& point : points_) heights.push_back(point.z());
  const auto rank =
      heights.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(heights.size()));
  std::nth_element(heights.begin(), rank, heights.end());
  return *rank;
}

std::vector<float> LevelFrame::intensity(const CloudView& cloud) const {
  std::vector<float> values;
  const auto field = cloud.field("intensity");
  if (!field) return values;
  values.reserve(source_.size());
  for (const std::uint32_t point : source_) {
    const auto value = static_cast<float>(field->read(cloud.address(point)));
    values.push_back(std::isfinite(value) ? value : 0.0F);
  }
  return values;
}

std::vector<std::uint32_t> LevelFrame::colours(const CloudView& cloud) const {
  std::vector<std::uint32_t> values;
  auto field = cloud.field("rgb");
  if (!field) field = cloud.field("rgba");
  if (!field || size_of(field->type) != sizeof(std::uint32_t)) return values;
  field->type = io::ScalarType::uint32;  // often declared a float, in whose bits it lies
  values.reserve(source_.size());
  for (const std::uint32_t point : source_)
    values.push_back(static_cast<std::uint32_t>(field->read(cloud.address(point))) & 0xFFFFFFU);
  return values;
}

OrientedBox LevelFrame::to_cloud(const OrientedBox& box) const {
  // Built from its axes, since the map may mirror.
  const Eigen::Vector3f length =
      to_level_.transpose() * (box.orientation * Eigen::Vector3f::UnitX());
  const Eigen::Vector3f up = to_level_.row(2).transpose();
  Eigen::Matrix3f axes;
  axes << length, up.cross(length), up;
  OrientedBox moved = box;
  moved.size /= unit_;
  moved.center = to_cloud(box.center);
  moved.orientation = Eigen::Quaternionf(axes);
  return moved;
}

Eigen::Vector3f LevelFrame::to_cloud(const Eigen::Vector3f& point) const {
  const Eigen::Matrix3f to_sensor = to_level_.transpose() / unit_;
  return to_sensor * point;
}

}  // namespace pointtree::perception
