#pragma once

#include "cuda/block_sums.hpp"
#include "pointtree/geometry/description.hpp"
#include "pointtree/geometry/detail/neighbourhood.hpp"
#include "pointtree/geometry/detail/sibling_shapes.hpp"

namespace pointtree::geometry::cuda {

/// Which columns describe() writes: from the first to before the last, none where both are the
/// same.
struct DescribedColumns {
  std::uint32_t surroundings;
  std::uint32_t neighbourhoods;
  std::uint32_t subtrees;
  std::uint32_t end;

  DescribedColumns(const Description& description, std::uint32_t first, std::uint32_t points)
      : surroundings(first),
        neighbourhoods(first + channels({description.surroundings, false, false}, points)),
        subtrees(neighbourhoods + channels({false, description.neighbourhoods, false}, points)),
        end(subtrees + channels({false, false, description.subtrees}, points)) {}

 private:
  static std::uint32_t channels(const Description& part, std::uint32_t points) {
    return static_cast<std::uint32_t>(part.channels(static_cast<int>(points)));
  }
};

/// describe() of a batch: one block per cloud, one thread per subtree or pair of siblings of a
/// scale. Sums are taken in another order than on the CPU.
template <typename Block>
struct DescribeClouds {
  static constexpr std::uint32_t kThreads = 256;

  ArrayOf<Block, float> leaves;  ///< [B, points, width]: x y z in leaf order, then what is written
  std::uint32_t clouds;
  std::uint32_t points;
  std::uint32_t width;
  DescribedColumns columns;

  std::uint32_t blocks() const { return clouds; }
  std::uint32_t threads() const { return kThreads; }
  std::size_t shared_bytes() const { return 4 * kThreads * sizeof(double); }

  POINTTREE_HOST_DEVICE void operator()(Block& block) const {
    auto sums = block.template shared<double>(3 * kThreads);
    const std::size_t first = static_cast<std::size_t>(block.index()) * points;
    block.each_thread([&](std::uint32_t thread) {
      double partial[3] = {0.0, 0.0, 0.0};
      for (std::uint32_t i = thread; i < points; i += kThreads) {
        for (std::uint32_t c = 0; c < 3; ++c) partial[c] += leaves[(first + i) * width + c];
        for (std::uint32_t c = columns.subtrees; c < columns.end; ++c) put(first + i, c, 0, 0.0F);
      }
      for (std::uint32_t c = 0; c < 3; ++c) sums[c * kThreads + thread] = partial[c];
    });
    add_up<3>(block, kThreads, sums);
    block.each_thread([&](std::uint32_t thread) {
      double centre[3];
      centre_of(sums, centre);
      if (columns.surroundings < columns.neighbourhoods) {
        describe_surroundings(thread, first, centre);
      }
      if (columns.subtrees < columns.end) describe_subtrees(thread, first, centre);
    });
    if (columns.neighbourhoods == columns.subtrees) return;
    auto squares = block.template shared<double>(kThreads);
    block.each_thread([&](std::uint32_t thread) {
      double centre[3], p[3];
      centre_of(sums, centre);
      double partial = 0.0;
      for (std::uint32_t i = thread; i < points; i += kThreads) {
        centred(first + i, centre, p);
        partial += detail::SubtreeShape::dot(p, p);
      }
      squares[thread] = partial;
    });
    add_up<1>(block, kThreads, squares);
    block.each_thread([&](std::uint32_t thread) {
      double centre[3];
      centre_of(sums, centre);
      const double radius = sqrt(squares[0] / points);
      describe_neighbourhoods(thread, first, centre, radius > 0.0 ? radius : 1.0);
    });
  }

 private:
  POINTTREE_HOST_DEVICE void put(std::size_t row, std::uint32_t column, int channel,
                                 float value) const {
    leaves[row * width + column + static_cast<std::uint32_t>(channel)] = value;
  }

  POINTTREE_HOST_DEVICE void centre_of(const ArrayOf<Block, double>& sums, double centre[3]) const {
    for (std::uint32_t c = 0; c < 3; ++c) centre[c] = sums[c * kThreads] / points;
  }

  POINTTREE_HOST_DEVICE void centred(std::size_t row, const double centre[3], double p[3]) const {
    for (std::uint32_t c = 0; c < 3; ++c) {
      const float coordinate = leaves[row * width + c];
      p[c] = coordinate - centre[c];
    }
  }

  POINTTREE_HOST_DEVICE detail::SubtreeShape shape_of(std::size_t begin, std::uint32_t count,
                                                      const double centre[3]) const {
    detail::SubtreeMoments moments;
    double p[3];
    for (std::size_t row = begin; row < begin + count; ++row) {
      centred(row, centre, p);
      moments.add_point(p);
    }
    return {moments, static_cast<double>(count), static_cast<double>(points)};
  }

  POINTTREE_HOST_DEVICE void describe_surroundings(std::uint32_t thread, std::size_t first,
                                                   const double centre[3]) const {
    double p[3];
    for (std::uint32_t i = thread; i < points; i += kThreads) {
      centred(first + i, centre, p);
      put(first + i, columns.surroundings, 0,
          static_cast<float>(sqrt(detail::SubtreeShape::dot(p, p))));
    }
    std::uint32_t column = columns.surroundings + 1;
    for (std::uint32_t scale = detail::kSmallestSubtree; scale < points;
         scale *= detail::kSubtreeStep) {
      for (std::uint32_t i = thread; i < points / scale; i += kThreads) {
        const std::size_t begin = first + static_cast<std::size_t>(i) * scale;
        const detail::SubtreeShape shape = shape_of(begin, scale, centre);
        for (std::size_t row = begin; row < begin + scale; ++row) {
          centred(row, centre, p);
          shape.describe(p, [&](int k, float value) { put(row, column, k, value); });
        }
      }
      column += detail::kChannelsPerSubtree;
    }
  }

  // In radii from the centroid.
  POINTTREE_HOST_DEVICE void place_of(std::size_t row, const double centre[3], double radius,
                                      float place[3]) const {
    double p[3];
    centred(row, centre, p);
    for (int c = 0; c < 3; ++c) place[c] = static_cast<float>(p[c] / radius);
  }

  POINTTREE_HOST_DEVICE void describe_neighbourhoods(std::uint32_t thread, std::size_t first,
                                                     const double centre[3], double radius) const {
    float place[3], other[3];
    for (std::uint32_t i = thread; i < points; i += kThreads) {
      place_of(first + i, centre, radius, place);
      for (int n = 0; n < detail::kNeighbourhoods; ++n) {
        const float reach = detail::neighbourhood_reach(n);
        float totals[detail::kNeighbourhoodSums] = {};
        for (std::uint32_t j = 0; j < points; ++j) {
          place_of(first + j, centre, radius, other);
          detail::add_neighbour((other[0] - place[0]) / reach, (other[1] - place[1]) / reach,
                                (other[2] - place[2]) / reach,
                                [&](int k, float value) { totals[k] += value; });
        }
        const std::uint32_t column =
            columns.neighbourhoods +
            static_cast<std::uint32_t>(n * detail::kChannelsPerNeighbourhood);
        const detail::NeighbourhoodShape shape(totals);
        detail::describe_neighbourhood(
            shape.centroid, detail::symmetric_eigen(shape.covariance), place,
            detail::neighbourhood_density(totals[0], static_cast<float>(points), reach),
            [&](int k, float value) { put(first + i, column, k, value); });
      }
    }
  }

  POINTTREE_HOST_DEVICE void describe_subtrees(std::uint32_t thread, std::size_t first,
                                               const double centre[3]) const {
    for (std::uint32_t scale = detail::kSmallestSubtree; scale < points; scale *= 2) {
      for (std::uint32_t i = thread; i < points / (2 * scale); i += kThreads) {
        const std::size_t begin = first + static_cast<std::size_t>(2 * i) * scale;
        detail::SubtreeShape left = shape_of(begin, scale, centre);
        detail::SubtreeShape right = shape_of(begin + scale, scale, centre);
        detail::point_outwards(left);
        detail::point_outwards(right);
        const std::size_t row = begin + scale / 2;
        detail::describe_beside(left, right,
                                [&](int k, float value) { put(row, columns.subtrees, k, value); });
        detail::describe_beside(
            right, left, [&](int k, float value) { put(row + scale, columns.subtrees, k, value); });
      }
    }
  }
};

}  // namespace pointtree::geometry::cuda
