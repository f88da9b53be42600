// SPDX-License-Identifier: Apache-2.0
#include "pointtree/perception/oriented_box.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace pointtree::perception {
namespace {

using Vector2 = Eigen::Vector2d;

/// Twice the signed area of the triangle o a b.
double cross(const Vector2& o, const Vector2& a, const Vector2& b) {
  return (a.x() - o.x()) * (b.y() - o.y()) - (a.y() - o.y()) * (b.x() - o.x());
}

/// Corners of the convex hull, counter-clockwise (Andrew's monotone chain).
std::vector<Vector2> convex_hull(std::vector<Vector2> points) {
  std::sort(points.begin(), points.end(), [](const Vector2& a, const Vector2& b) {
    return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y();
  });
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() < 3) return points;
  std::vector<Vector2> hull;
  const auto extend = [&](const Vector2& point, std::size_t keep) {
    while (hull.size() >= keep + 2 && cross(hull[hull.size() - 2], hull.back(), point) <= 0.0) {
      hull.pop_back();
    }
    hull.push_back(point);
  };
  for (const Vector2& point : points) extend(point, 0);
  const std::size_t lower = hull.size() - 1;
  for (std::size_t i = points.size() - 1; i-- > 0;) extend(points[i], lower);
  hull.pop_back();
  return hull;
}

struct Rectangle {
  Vector2 axis = Vector2::UnitX();
  Vector2 low = Vector2::Zero();  ///< least coordinates along (axis, its left normal)
  Vector2 high = Vector2::Zero();
  double area() const { return (high - low).prod(); }
};

Rectangle enclose(const std::vector<Vector2>& hull, const Vector2& axis) {
  Rectangle rectangle;
  rectangle.axis = axis;
  rectangle.low.setConstant(std::numeric_limits<double>::max());
  rectangle.high.setConstant(std::numeric_limits<double>::lowest());
  const Vector2 normal(-axis.y(), axis.x());
  for (const Vector2& corner : hull) {
    const Vector2 local(corner.dot(axis), corner.dot(normal));
    rectangle.low = rectangle.low.cwiseMin(local);
    rectangle.high = rectangle.high.cwiseMax(local);
  }
  return rectangle;
}

/// More sides than this are thinned out: neighbouring ones then differ by less than a degree or
/// two.
constexpr std::size_t kMaxSidesTried = 256;

/// One side of the smallest rectangle lies on a side of the hull, so only those are tried: O(h)
/// each, and an object seen by a lidar has some dozens.
Rectangle smallest_rectangle(const std::vector<Vector2>& hull) {
  Rectangle best = enclose(hull, Vector2::UnitX());
  if (hull.size() < 2) return best;
  const std::size_t stride = 1 + hull.size() / kMaxSidesTried;
  for (std::size_t i = 0; i < hull.size(); i += stride) {
    const Vector2 side = hull[(i + 1) % hull.size()] - hull[i];
    if (side.norm() <= 0.0) continue;
    const Rectangle candidate = enclose(hull, side.normalized());
    if (candidate.area() < best.area()) best = candidate;
  }
  return best;
}

}  // namespace

OrientedBox bounding_box(const PointBuffer& points) {
  // Relative to the first point, so that far objects keep their precision.
  const Eigen::Vector3f& origin = points.front();
  std::vector<Vector2> footprint;
  footprint.reserve(points.size());
  float low_z = std::numeric_limits<float>::max();
  float high_z = std::numeric_limits<float>::lowest();
  for (const Eigen::Vector3f& point : points) {
    footprint.emplace_back((point - origin).head<2>().cast<double>());
    low_z = std::min(low_z, point.z());
    high_z = std::max(high_z, point.z());
  }
  Rectangle rectangle = smallest_rectangle(convex_hull(std::move(footprint)));
  const Vector2 normal(-rectangle.axis.y(), rectangle.axis.x());
  const Vector2 middle = 0.5 * (rectangle.low + rectangle.high);
  const Vector2 center = middle.x() * rectangle.axis + middle.y() * normal;
  Vector2 size = rectangle.high - rectangle.low;
  Vector2 length_axis = rectangle.axis;
  if (size.x() < size.y()) {
    std::swap(size.x(), size.y());
    length_axis = normal;
  }
  // A rectangle looks the same turned by half: keep the direction within (−90°, 90°].
  if (length_axis.x() < 0.0 || (length_axis.x() == 0.0 && length_axis.y() < 0.0))
    length_axis = -length_axis;
  OrientedBox box;
  box.center << center.cast<float>() + origin.head<2>(), 0.5F * (low_z + high_z);
  box.size << size.cast<float>(), high_z - low_z;
  const float yaw = static_cast<float>(std::atan2(length_axis.y(), length_axis.x()));
  box.orientation = Eigen::AngleAxisf(yaw, Eigen::Vector3f::UnitZ());
  return box;
}

}  // namespace pointtree::perception
