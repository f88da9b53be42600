#pragma once

#include "cuda/block_sums.hpp"
#include "pointtree/geometry/detail/sibling_shapes.hpp"

namespace pointtree::geometry::cuda {

/// describe() of a batch: one block per cloud, one thread per subtree or pair of siblings of a
/// scale. Sums are taken in another order than on the CPU.
template <typename Block>
struct DescribeClouds {
  static constexpr std::uint32_t kThreads = 256;

  ArrayOf<Block, float> leaves;  ///< [B, points, width]: x y z in leaf order, channels from `at` on
  std::uint32_t clouds;
  std::uint32_t points;
  std::uint32_t width;
  std::uint32_t at;           ///< first column written
  std::uint32_t subtrees_at;  ///< first column of the subtrees' channels
  bool surroundings;
  bool subtrees;

  std::uint32_t blocks() const { return clouds; }
  std::uint32_t threads() const { return kThreads; }
  std::size_t shared_bytes() const { return 3 * kThreads * sizeof(double); }

  POINTTREE_HOST_DEVICE void operator()(Block& block) const {
    auto sums = block.template shared<double>(3 * kThreads);
    const std::size_t first = static_cast<std::size_t>(block.index()) * points;
    block.each_thread([&](std::uint32_t thread) {
      double partial[3] = {0.0, 0.0, 0.0};
      for (std::uint32_t i = thread; i < points; i += kThreads) {
        for (std::uint32_t c = 0; c < 3; ++c) partial[c] += leaves[(first + i) * width + c];
        for (int k = 0; subtrees && k < detail::kChannelsBesideSibling; ++k) {
          put(first + i, subtrees_at, k, 0.0F);
        }
      }
      for (std::uint32_t c = 0; c < 3; ++c) sums[c * kThreads + thread] = partial[c];
    });
    add_up<3>(block, kThreads, sums);
    block.each_thread([&](std::uint32_t thread) {
      double centre[3];
      for (std::uint32_t c = 0; c < 3; ++c) centre[c] = sums[c * kThreads] / points;
      if (surroundings) describe_surroundings(thread, first, centre);
      if (subtrees) describe_subtrees(thread, first, centre);
    });
  }

 private:
  POINTTREE_HOST_DEVICE void put(std::size_t row, std::uint32_t column, int channel,
                                 float value) const {
    leaves[row * width + column + static_cast<std::uint32_t>(channel)] = value;
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
      put(first + i, at, 0, static_cast<float>(sqrt(detail::SubtreeShape::dot(p, p))));
    }
    std::uint32_t column = at + 1;
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
                                [&](int k, float value) { put(row, subtrees_at, k, value); });
        detail::describe_beside(
            right, left, [&](int k, float value) { put(row + scale, subtrees_at, k, value); });
      }
    }
  }
};

}  // namespace pointtree::geometry::cuda
