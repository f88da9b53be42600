#pragma once

#include <cmath>

#include "cuda/block_sums.hpp"

// Sampling on the device. Which points a uniform choice or a repetition takes depends on numbers
// and the seed only, so the host lists them without having seen a point; the device gathers. Where
// places matter, the device chooses.
namespace pointtree::geometry::cuda {

/// Rows of `channels` numbers in a new order, cloud by cloud: one thread per number.
template <typename Block>
struct GatherRows {
  static constexpr std::uint32_t kThreads = 256;

  ArrayOf<Block, const float> rows;               ///< [total, channels]
  ArrayOf<Block, const std::int32_t> first_rows;  ///< [B]: where each cloud begins
  ArrayOf<Block, const std::int32_t> chosen;      ///< [B, count], within each cloud
  ArrayOf<Block, float> gathered;  ///< [B, count, width], `channels` written from `at` on
  std::uint32_t clouds;
  std::uint32_t count;
  std::uint32_t channels;
  std::uint32_t width;  ///< of a gathered row
  std::uint32_t at;     ///< first column written

  std::uint32_t blocks() const { return (clouds * count * channels + kThreads - 1) / kThreads; }
  std::uint32_t threads() const { return kThreads; }
  std::size_t shared_bytes() const { return 0; }

  POINTTREE_HOST_DEVICE void operator()(Block& block) const {
    block.each_thread([&](std::uint32_t thread) {
      const std::uint32_t i = block.index() * kThreads + thread;
      if (i >= clouds * count * channels) return;
      const std::uint32_t place = i / channels;
      const std::uint32_t channel = i % channels;
      const std::int32_t from = first_rows[place / count] + chosen[place];
      const float value = rows[static_cast<std::size_t>(from) * channels + channel];
      gathered[static_cast<std::size_t>(place) * width + at + channel] = value;
    });
  }
};

/// Farthest points of clouds of different sizes: one block per cloud, every choice a pass over it.
template <typename Block>
struct FarthestPoints {
  static constexpr std::uint32_t kThreads = 256;

  ArrayOf<Block, const float> points;  ///< [total, 3]
  ArrayOf<Block, const std::int32_t>
      first_rows;  ///< [B + 1]: where each cloud begins and the last ends
  ArrayOf<Block, const std::int32_t> starts;  ///< [B]: the first choice, within each cloud
  ArrayOf<Block, float> distances;            ///< [total], scratch
  ArrayOf<Block, std::int32_t> chosen;        ///< [B, count], written
  std::uint32_t clouds;
  std::uint32_t count;  ///< less than the points of any cloud

  std::uint32_t blocks() const { return clouds; }
  std::uint32_t threads() const { return kThreads; }
  std::size_t shared_bytes() const {
    return 3 * kThreads * sizeof(double) + kThreads * (sizeof(float) + sizeof(std::int32_t));
  }

  POINTTREE_HOST_DEVICE void operator()(Block& block) const {
    auto sums = block.template shared<double>(3 * kThreads);
    auto best = block.template shared<float>(kThreads);
    auto best_at = block.template shared<std::int32_t>(kThreads);
    const std::int32_t first = first_rows[block.index()];
    const std::int32_t end = first_rows[block.index() + 1];
    const auto n = static_cast<std::uint32_t>(end - first);
    block.each_thread([&](std::uint32_t thread) {
      double partial[3] = {0.0, 0.0, 0.0};
      for (std::uint32_t i = thread; i < n; i += kThreads) {
        for (std::uint32_t c = 0; c < 3; ++c) partial[c] += points[place(first, i) + c];
        distances[static_cast<std::uint32_t>(first) + i] = INFINITY;
      }
      for (std::uint32_t c = 0; c < 3; ++c) sums[c * kThreads + thread] = partial[c];
    });
    add_up<3>(block, kThreads, sums);
    for (std::uint32_t taken = 0; taken < count; ++taken) {
      const std::int32_t last = taken == 0 ? starts[block.index()] : best_at[0];
      block.each_thread([&](std::uint32_t thread) {
        if (thread == 0) chosen[block.index() * count + taken] = last;
      });
      block.each_thread([&](std::uint32_t thread) {
        double centre[3];
        for (std::uint32_t c = 0; c < 3; ++c) centre[c] = sums[c * kThreads] / n;
        update(first, n, static_cast<std::uint32_t>(last), centre, thread, best, best_at);
      });
      for (std::uint32_t half = kThreads / 2; half > 0; half /= 2) {
        block.each_thread([&](std::uint32_t thread) {
          if (thread >= half) return;
          const float mine = best[thread];
          const float other = best[thread + half];
          const std::int32_t at = best_at[thread];
          const std::int32_t other_at = best_at[thread + half];
          if (other > mine || (other == mine && other_at < at)) {
            best[thread] = other;
            best_at[thread] = other_at;
          }
        });
      }
    }
  }

 private:
  POINTTREE_HOST_DEVICE static std::size_t place(std::int32_t first, std::uint32_t i) {
    return (static_cast<std::size_t>(first) + i) * 3;
  }

  /// Distances to the chosen points after one more, and the farthest of a thread's points.
  POINTTREE_HOST_DEVICE void update(std::int32_t first, std::uint32_t n, std::uint32_t last,
                                    const double centre[3], std::uint32_t thread,
                                    const ArrayOf<Block, float>& best,
                                    const ArrayOf<Block, std::int32_t>& best_at) const {
    float origin[3];
    for (std::uint32_t c = 0; c < 3; ++c) {
      origin[c] = static_cast<float>(points[place(first, last) + c] - centre[c]);
    }
    float farthest = -2.0F;
    std::int32_t farthest_at = 0;
    for (std::uint32_t i = thread; i < n; i += kThreads) {
      float d[3];
      for (std::uint32_t c = 0; c < 3; ++c) {
        d[c] = static_cast<float>(points[place(first, i) + c] - centre[c]) - origin[c];
      }
      const float square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
      const std::size_t at = static_cast<std::size_t>(first) + i;
      float distance = distances[at];
      distance = square < distance ? square : distance;
      if (i == last) distance = -1.0F;  // never again, even among duplicates
      distances[at] = distance;
      if (distance > farthest) {
        farthest = distance;
        farthest_at = static_cast<std::int32_t>(i);
      }
    }
    best[thread] = farthest;
    best_at[thread] = farthest_at;
  }
};

}  // namespace pointtree::geometry::cuda
