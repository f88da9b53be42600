#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "pointtree/geometry/detail/principal_direction.hpp"
#include "pointtree/geometry/detail/projection.hpp"
#include "pointtree/geometry/relaxed_kd_tree.hpp"

namespace pointtree::geometry {
namespace {

struct Entry {
  double x, y, z;
  std::int32_t index;
  double key;
};

class Builder {
 public:
  Builder(std::vector<Entry> entries, TreeOptions options)
      : entries_(std::move(entries)), options_(options), planes_(entries_.size() - 1) {
    if (entries_.size() > 1) split(0, 0, entries_.size());
  }

  RelaxedKdTree tree(const Eigen::Vector3d& centre) && {
    std::vector<std::int32_t> leaf_order(entries_.size());
    std::transform(entries_.begin(), entries_.end(), leaf_order.begin(),
                   [](const Entry& e) { return e.index; });
    return {std::move(leaf_order), std::move(planes_), centre, tied_nodes_};
  }

 private:
  void direction(const Entry* first, std::size_t n, double w[3]) {
    double mean[3] = {0, 0, 0};
    for (std::size_t i = 0; i < n; ++i) {
      mean[0] += first[i].x;
      mean[1] += first[i].y;
      mean[2] += first[i].z;
    }
    for (double& m : mean) m /= static_cast<double>(n);
    detail::Symmetric3 m;
    double skew[3] = {0, 0, 0};
    double skew_scale = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double x = first[i].x - mean[0];
      const double y = first[i].y - mean[1];
      const double z = first[i].z - mean[2];
      m.xx += x * x;
      m.xy += x * y;
      m.xz += x * z;
      m.yy += y * y;
      m.yz += y * z;
      m.zz += z * z;
      const double square = x * x + y * y + z * z;
      skew[0] += square * x;
      skew[1] += square * y;
      skew[2] += square * z;
      skew_scale += square * std::sqrt(square);
    }
    const detail::Eigen3 e = detail::symmetric_eigen(m);
    const int tied = detail::tied_dimensions(e);
    if (tied == 1) {
      std::copy(e.vectors[0], e.vectors[0] + 3, w);
    } else {
      tied_nodes_ += n > 2;
      detail::tied_direction(e, tied, skew, skew_scale, w);
    }
  }

  void split(std::size_t node, std::size_t begin, std::size_t end) {
    Entry* first = entries_.data() + begin;
    const std::size_t n = end - begin;
    double w[3];
    direction(first, n, w);
    detail::make_largest_component_positive(w);
    if (options_.rule == SplitRule::axis_aligned) {
      const double x = std::abs(w[0]), y = std::abs(w[1]), z = std::abs(w[2]);
      const int axis = (x >= y && x >= z) ? 0 : (y >= z ? 1 : 2);
      for (int c = 0; c < 3; ++c) w[c] = c == axis ? 1.0 : 0.0;
    }
    double third = 0, centre = 0;
    for (std::size_t i = 0; i < n; ++i) {
      first[i].key = detail::project(w, first[i].x, first[i].y, first[i].z);
      centre += first[i].key;
    }
    centre /= static_cast<double>(n);
    for (std::size_t i = 0; i < n; ++i) third += std::pow(first[i].key - centre, 3);
    if (options_.sign == SignRule::third_moment && third < 0) {
      for (double& c : w) c = -c;
      for (std::size_t i = 0; i < n; ++i) first[i].key = -first[i].key;
    }
    const auto before = [](const Entry& a, const Entry& b) {
      return detail::comes_before(a.key, a.index, b.key, b.index);
    };
    std::nth_element(first, first + n / 2, first + n, before);
    const double left = std::max_element(first, first + n / 2, before)->key;
    planes_[node].normal = Eigen::Vector3d(w[0], w[1], w[2]);
    planes_[node].offset = detail::plane_offset(left, first[n / 2].key);
    if (n == 2) return;
    split(2 * node + 1, begin, begin + n / 2);
    split(2 * node + 2, begin + n / 2, end);
  }

  std::vector<Entry> entries_;
  TreeOptions options_;
  std::vector<Plane> planes_;
  std::int32_t tied_nodes_ = 0;
};

template <typename Scalar>
RelaxedKdTree build(const PointsViewOf<Scalar>& points, const TreeOptions& options) {
  const Eigen::Index n = points.rows();
  if (n < 1 || (n & (n - 1)) != 0) {
    throw std::invalid_argument("a tree needs 2^d points, found " + std::to_string(n));
  }
  if (!points.allFinite()) throw std::invalid_argument("a tree needs finite points");
  Eigen::RowVector3d centre = Eigen::RowVector3d::Zero();
  for (Eigen::Index i = 0; i < n; ++i) centre += points.row(i).template cast<double>();
  centre /= static_cast<double>(n);
  std::vector<Entry> entries(static_cast<std::size_t>(n));
  for (Eigen::Index i = 0; i < n; ++i) {
    entries[i] = {points(i, 0) - centre.x(), points(i, 1) - centre.y(), points(i, 2) - centre.z(),
                  static_cast<std::int32_t>(i), 0.0};
  }
  return Builder(std::move(entries), options).tree(centre.transpose());
}

}  // namespace

RelaxedKdTree build_tree(const PointsView& points, const TreeOptions& options) {
  return build<float>(points, options);
}

RelaxedKdTree build_tree(const PointsViewOf<double>& points, const TreeOptions& options) {
  return build<double>(points, options);
}

RelaxedKdTree build_tree(const PointsView& points, SplitRule rule) {
  TreeOptions options;
  options.rule = rule;
  return build<float>(points, options);
}

RelaxedKdTree build_tree(const PointsViewOf<double>& points, SplitRule rule) {
  TreeOptions options;
  options.rule = rule;
  return build<double>(points, options);
}

std::vector<RelaxedKdTree> build_trees(const std::vector<PointsView>& clouds, int threads,
                                       SplitRule rule) {
  TreeOptions options;
  options.rule = rule;
  std::vector<std::unique_ptr<RelaxedKdTree>> trees(clouds.size());
  std::vector<std::exception_ptr> errors(clouds.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < clouds.size(); i = next++) {
      try {
        trees[i] = std::make_unique<RelaxedKdTree>(build<float>(clouds[i], options));
      } catch (...) {
        errors[i] = std::current_exception();
      }
    }
  };
  std::size_t count = threads > 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
  count = std::min(count, clouds.size());
  std::vector<std::thread> pool;
  for (std::size_t t = 1; t < count; ++t) pool.emplace_back(work);
  work();
  for (std::thread& t : pool) t.join();
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  std::vector<RelaxedKdTree> result;
  result.reserve(trees.size());
  for (auto& tree : trees) result.push_back(std::move(*tree));
  return result;
}

}  // namespace pointtree::geometry
