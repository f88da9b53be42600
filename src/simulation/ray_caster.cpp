// SPDX-License-Identifier: Apache-2.0
#include "simulation/ray_caster.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace pointtree::simulation {
namespace {

constexpr std::int32_t kLeafTriangles = 4;
constexpr int kBins = 12;
constexpr int kStackSize = 128;
constexpr float kFar = std::numeric_limits<float>::max();

// Half the surface of a box, to which the number of rays that meet it is proportional.
float half_surface(const Eigen::AlignedBox3f& box) {
  if (box.isEmpty()) return 0.0F;
  const Eigen::Vector3f s = box.sizes();
  return s.x() * s.y() + s.y() * s.z() + s.z() * s.x();
}

}  // namespace

// Divides triangles where the surface area heuristic expects the fewest tests.
class RayCaster::Builder {
 public:
  Builder(const TriangleMesh& mesh, RayCaster& caster) : caster_(caster) {
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
      const auto corner = [&](int k) { return mesh.vertices[mesh.triangles[i][k]]; };
      const Triangle triangle{corner(0), corner(1) - corner(0), corner(2) - corner(0),
                              static_cast<std::int32_t>(i)};
      if (!(triangle.edge1.cross(triangle.edge2).squaredNorm() > 0.0F)) continue;
      source_.push_back(triangle);
      Eigen::AlignedBox3f box(corner(0));
      box.extend(corner(1));
      box.extend(corner(2));
      boxes_.push_back(box);
    }
    order_.resize(source_.size());
    std::iota(order_.begin(), order_.end(), 0);
    if (source_.empty()) return;
    caster_.nodes_.emplace_back();
    divide(0, 0, static_cast<std::int32_t>(order_.size()), 0);
    for (const std::int32_t i : order_) caster_.triangles_.push_back(source_[i]);
  }

 private:
  struct Split {
    int axis = -1;
    float place = 0.0F;
  };

  const Eigen::AlignedBox3f& box(std::int32_t at) const { return boxes_[order_[at]]; }

  void divide(std::size_t node, std::int32_t first, std::int32_t last, int depth) {
    Eigen::AlignedBox3f all;
    Eigen::AlignedBox3f centres;
    for (std::int32_t i = first; i < last; ++i) {
      all.extend(box(i));
      centres.extend(box(i).center());
    }
    caster_.nodes_[node].low = all.min();
    caster_.nodes_[node].high = all.max();
    const std::int32_t middle = last - first > kLeafTriangles && depth < kStackSize / 2
                                    ? partition(first, last, all, centres)
                                    : first;
    if (middle == first || middle == last) {
      caster_.nodes_[node].first = first;
      caster_.nodes_[node].count = last - first;
      return;
    }
    const std::size_t left = caster_.nodes_.size();
    caster_.nodes_[node].first = static_cast<std::int32_t>(left);
    caster_.nodes_.resize(left + 2);
    divide(left, first, middle, depth + 1);
    divide(left + 1, middle, last, depth + 1);
  }

  std::int32_t partition(std::int32_t first, std::int32_t last, const Eigen::AlignedBox3f& all,
                         const Eigen::AlignedBox3f& centres) {
    const Split split = best_split(first, last, all, centres);
    if (split.axis < 0) return first;
    const auto middle = std::partition(
        order_.begin() + first, order_.begin() + last,
        [&](std::int32_t triangle) { return boxes_[triangle].center()[split.axis] < split.place; });
    return static_cast<std::int32_t>(middle - order_.begin());
  }

  Split best_split(std::int32_t first, std::int32_t last, const Eigen::AlignedBox3f& all,
                   const Eigen::AlignedBox3f& centres) const {
    Split best;
    // Dividing must beat testing every triangle of the node.
    float best_cost = half_surface(all) * static_cast<float>(last - first);
    for (int axis = 0; axis < 3; ++axis) {
      const float low = centres.min()[axis];
      const float extent = centres.sizes()[axis];
      if (!(extent > 0.0F)) continue;
      std::array<Eigen::AlignedBox3f, kBins> bins;
      std::array<int, kBins> counts{};
      for (std::int32_t i = first; i < last; ++i) {
        const float place = (box(i).center()[axis] - low) / extent * kBins;
        const auto bin =
            static_cast<std::size_t>(std::clamp(static_cast<int>(place), 0, kBins - 1));
        bins[bin].extend(box(i));
        ++counts[bin];
      }
      std::array<float, kBins> right_cost{};
      Eigen::AlignedBox3f right;
      int right_count = 0;
      for (std::size_t bin = kBins - 1; bin > 0; --bin) {
        right.extend(bins[bin]);
        right_count += counts[bin];
        right_cost[bin] = half_surface(right) * static_cast<float>(right_count);
      }
      Eigen::AlignedBox3f left;
      int left_count = 0;
      for (std::size_t bin = 0; bin + 1 < kBins; ++bin) {
        left.extend(bins[bin]);
        left_count += counts[bin];
        if (left_count == 0 || left_count == last - first) continue;
        const float cost =
            half_surface(left) * static_cast<float>(left_count) + right_cost[bin + 1];
        if (cost >= best_cost) continue;
        best_cost = cost;
        best = {axis, low + extent * static_cast<float>(bin + 1) / kBins};
      }
    }
    return best;
  }

  RayCaster& caster_;
  std::vector<Triangle> source_;
  std::vector<Eigen::AlignedBox3f> boxes_;
  std::vector<std::int32_t> order_;
};

RayCaster::RayCaster(const TriangleMesh& mesh) { const Builder builder(mesh, *this); }

RayHit RayCaster::cast(const Eigen::Vector3f& origin, const Eigen::Vector3f& direction,
                       float farthest) const {
  RayHit hit{farthest, -1};
  if (triangles_.empty()) return hit;
  // A finite stand-in for 1/0 keeps 0 · ∞ out of the box test.
  const Eigen::Vector3f inverse =
      direction.unaryExpr([](float d) { return std::abs(d) < 1e-20F ? 1e20F : 1.0F / d; });
  // Distance at which the ray enters a box, or kFar where it misses it or something nearer was met.
  const auto entry = [&](const Node& node) {
    const Eigen::Vector3f a = (node.low - origin).cwiseProduct(inverse);
    const Eigen::Vector3f b = (node.high - origin).cwiseProduct(inverse);
    const float near = std::max(a.cwiseMin(b).maxCoeff(), 0.0F);
    const float far = a.cwiseMax(b).minCoeff();
    return near <= far && near < hit.distance ? near : kFar;
  };
  const auto meet = [&](const Triangle& triangle) {
    const Eigen::Vector3f p = direction.cross(triangle.edge2);
    const float determinant = triangle.edge1.dot(p);
    if (determinant == 0.0F) return;
    const float scale = 1.0F / determinant;
    const Eigen::Vector3f from = origin - triangle.corner;
    const float u = from.dot(p) * scale;
    if (!(u >= 0.0F && u <= 1.0F)) return;
    const Eigen::Vector3f q = from.cross(triangle.edge1);
    const float v = direction.dot(q) * scale;
    if (!(v >= 0.0F && u + v <= 1.0F)) return;
    const float distance = triangle.edge2.dot(q) * scale;
    if (distance > 0.0F && distance < hit.distance) hit = {distance, triangle.index};
  };

  std::array<std::pair<std::int32_t, float>, kStackSize> stack;
  int top = 0;
  if (entry(nodes_[0]) < kFar) stack[top++] = {0, 0.0F};
  while (top > 0) {
    const auto [index, distance] = stack[--top];
    if (distance >= hit.distance) continue;
    const Node& node = nodes_[index];
    if (node.count > 0) {
      for (std::int32_t i = 0; i < node.count; ++i) meet(triangles_[node.first + i]);
      continue;
    }
    std::int32_t near_child = node.first;
    std::int32_t far_child = node.first + 1;
    float near = entry(nodes_[near_child]);
    float far = entry(nodes_[far_child]);
    if (far < near) {
      std::swap(near, far);
      std::swap(near_child, far_child);
    }
    if (far < kFar) stack[top++] = {far_child, far};
    if (near < kFar) stack[top++] = {near_child, near};
  }
  return hit;
}

}  // namespace pointtree::simulation
