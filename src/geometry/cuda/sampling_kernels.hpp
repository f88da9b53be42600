// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/block_sums.hpp"

// Sampling on the device. Which points a uniform choice or a repetition takes depends on numbers
// and the seed only, so the host lists them without having seen a point; the device gathers.
namespace pointtree::geometry::cuda {

/// Rows of `channels` numbers in a new order, cloud by cloud: one thread per number.
struct GatherRows {
  static constexpr std::uint32_t kThreads = 256;

  const float* rows;               ///< [total, channels]
  const std::int32_t* first_rows;  ///< [B]: where each cloud begins
  const std::int32_t* chosen;      ///< [B, count], within each cloud
  float* gathered;                 ///< [B, count, width], `channels` written from `at` on
  std::uint32_t clouds;
  std::uint32_t count;
  std::uint32_t channels;
  std::uint32_t width;  ///< of a gathered row
  std::uint32_t at;     ///< first column written

  std::uint32_t blocks() const { return (clouds * count * channels + kThreads - 1) / kThreads; }
  std::uint32_t threads() const { return kThreads; }
  std::size_t shared_bytes() const { return 0; }

  POINTTREE_HOST_DEVICE void operator()(Block& block) const {
    block.last_phase([&](std::uint32_t thread) {
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

}  // namespace pointtree::geometry::cuda
