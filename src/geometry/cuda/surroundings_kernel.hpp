#pragma once

#include "cuda/block_sums.hpp"
#include "pointtree/geometry/detail/subtree_shape.hpp"

namespace pointtree::geometry::cuda {

/// describe_surroundings() of a batch: one block per cloud, one thread per subtree of a scale. Sums
/// are taken in another order than on the CPU.
template <typename Block>
struct DescribeSurroundings {
  static constexpr std::uint32_t kThreads = 256;

  ArrayOf<Block, float> leaves;  ///< [B, points, width]: x y z in leaf order, channels from `at` on
  std::uint32_t clouds;
  std::uint32_t points;
  std::uint32_t width;
  std::uint32_t at;  ///< first column written

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
      }
      for (std::uint32_t c = 0; c < 3; ++c) sums[c * kThreads + thread] = partial[c];
    });
    add_up<3>(block, kThreads, sums);
    block.each_thread([&](std::uint32_t thread) {
      double centre[3];
      for (std::uint32_t c = 0; c < 3; ++c) centre[c] = sums[c * kThreads] / points;
      for (std::uint32_t i = thread; i < points; i += kThreads) {
        double p[3];
        centred(first + i, centre, p);
        leaves[(first + i) * width + at] =
            static_cast<float>(sqrt(detail::SubtreeShape::dot(p, p)));
      }
      std::uint32_t column = at + 1;
      for (std::uint32_t scale = detail::kSmallestSubtree; scale < points;
           scale *= detail::kSubtreeStep) {
        for (std::uint32_t i = thread; i < points / scale; i += kThreads) {
          describe_subtree(first + static_cast<std::size_t>(i) * scale, scale, centre, column);
        }
        column += detail::kChannelsPerSubtree;
      }
    });
  }

 private:
  POINTTREE_HOST_DEVICE void centred(std::size_t row, const double centre[3], double p[3]) const {
    for (std::uint32_t c = 0; c < 3; ++c) {
      const float coordinate = leaves[row * width + c];
      p[c] = coordinate - centre[c];
    }
  }

  POINTTREE_HOST_DEVICE void describe_subtree(std::size_t begin, std::uint32_t count,
                                              const double centre[3], std::uint32_t column) const {
    detail::SubtreeMoments moments;
    double p[3];
    for (std::size_t row = begin; row < begin + count; ++row) {
      centred(row, centre, p);
      moments.add_point(p);
    }
    const detail::SubtreeShape shape(moments, count, points);
    for (std::size_t row = begin; row < begin + count; ++row) {
      centred(row, centre, p);
      shape.describe(p, [&](int channel, float value) {
        leaves[row * width + column + static_cast<std::uint32_t>(channel)] = value;
      });
    }
  }
};

}  // namespace pointtree::geometry::cuda
