// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/block_sums.hpp"
#include "cuda/pose.hpp"

namespace pointtree::geometry::cuda {

/// Brings every cloud to its standard pose: one block per cloud. Points are always mapped from the
/// input, so that no pass needs memory of its own.
struct AlignClouds {
  static constexpr std::uint32_t kThreads = 256;

  const float* points;  ///< [B, n, 3]
  float* aligned;       ///< [B, n, 3], written
  PoseRecord* records;  ///< [B], written
  AlignRules rules;
  std::uint32_t clouds;
  std::uint32_t n;

  std::uint32_t blocks() const { return clouds; }
  std::uint32_t threads() const { return kThreads; }
  std::size_t shared_bytes() const {
    Block block;
    const Memory memory(block);
    return block.shared_bytes();
  }

  POINTTREE_HOST_DEVICE void operator()(Block& block) const {
    const Memory memory(block);
    load(block, memory);
    switch (rules.mode) {
      case PreAlignMode::none:
        alter(block, memory, [](Pose& pose, const double*) { find_rank(pose); });
        break;
      case PreAlignMode::plain:
        alter(block, memory, [](Pose& pose, const double*) { whiten(pose); });
        break;
      case PreAlignMode::iterative:
        alter(block, memory, [](Pose& pose, const double*) { whiten(pose); });
        measure<Magnitudes>(block, memory);
        alter(block, memory, [](Pose& pose, const double* sums) {
          double third[3] = {sums[3], sums[4], sums[5]};
          sort_and_scale(pose, sums, third);
          fix_signs(pose, third, pose.rank);
        });
        break;
      case PreAlignMode::canonical:
        alter(block, memory, [](Pose& pose, const double*) { whiten(pose); });
        measure<FourthMoments>(block, memory);
        alter<FourthMoments::kSums>(block, memory, [&](Pose& pose, const double* sums) {
          turn_to_independent_axes(pose, fourth_moments(sums), rules.canonical_scale);
        });
        break;
      case PreAlignMode::upright:
        alter(block, memory, [](Pose& pose, const double*) {
          find_rank(pose);
          turn_level(pose);
        });
        break;
      case PreAlignMode::metric:  // refused on the host
        break;
    }
    finish(block, memory);
  }

 private:
  static constexpr std::uint32_t kLoadedSums = 9;
  static constexpr std::uint32_t kMostSums = 15;

  struct Memory {
    POINTTREE_HOST_DEVICE explicit Memory(Block& block)
        : pose(block.shared<Pose>(1)), partial(block.shared<double>(kMostSums * kThreads)) {}

    Pose* pose;       ///< [1]
    double* partial;  ///< [kMostSums, kThreads]
  };

  /// Σ|x| and Σx³ of three axes.
  struct Magnitudes {
    static constexpr std::uint32_t kSums = 6;
    POINTTREE_HOST_DEVICE static void add(const Pose&, const double p[3], double* sums) {
      for (int c = 0; c < 3; ++c) {
        sums[c] += fabs(p[c]);
        sums[3 + c] += p[c] * p[c] * p[c];
      }
    }
  };

  /// All products of four coordinates.
  struct FourthMoments {
    static constexpr std::uint32_t kSums = 15;
    POINTTREE_HOST_DEVICE static void add(const Pose&, const double p[3], double* sums) {
      detail::FourthMomentsOf<double> m = fourth_moments(sums);
      detail::add_fourth(p[0], p[1], p[2], m);
      const double all[kSums] = {m.xx_xx, m.xx_xy, m.xx_xz, m.xx_yy, m.xx_yz,
                                 m.xx_zz, m.xy_yy, m.xy_yz, m.xz_yz, m.xz_zz,
                                 m.yy_yy, m.yy_yz, m.yy_zz, m.yz_zz, m.zz_zz};
      for (std::uint32_t k = 0; k < kSums; ++k) sums[k] = all[k];
    }
  };

  /// Σx³ of three axes and the sum of norms after scaling.
  struct ThirdMomentsAndNorm {
    static constexpr std::uint32_t kSums = 4;
    POINTTREE_HOST_DEVICE static void add(const Pose& pose, const double p[3], double* sums) {
      double square = 0.0;
      for (int c = 0; c < 3; ++c) {
        sums[c] += p[c] * p[c] * p[c];
        const double scaled = p[c] * pose.scale[c];
        square += scaled * scaled;
      }
      sums[3] += sqrt(square);
    }
  };

  POINTTREE_HOST_DEVICE std::size_t row(const Block& block, std::uint32_t i) const {
    return (static_cast<std::size_t>(block.index()) * n + i) * 3;
  }

  /// Where a point is under the pose so far.
  POINTTREE_HOST_DEVICE void map_point(const Pose& pose, std::size_t place, double out[3]) const {
    double d[3];
    for (int c = 0; c < 3; ++c) d[c] = (points[place + c] - pose.start[c]) - pose.rest[c];
    for (int c = 0; c < 3; ++c) {
      out[c] =
          (d[0] * pose.linear.at[0][c] + d[1] * pose.linear.at[1][c]) + d[2] * pose.linear.at[2][c];
    }
  }

  /// Moments about a point near the centroid, and the pose that they begin.
  POINTTREE_HOST_DEVICE void load(Block& block, const Memory& memory) const {
    const auto start_of = [&](double start[3]) {
      const std::uint32_t samples =
          n < align::kCentreSamples ? n : std::uint32_t{align::kCentreSamples};
      for (int c = 0; c < 3; ++c) {
        start[c] = 0.0;
        for (std::uint32_t k = 0; k < samples; ++k) {
          const auto sample = static_cast<std::uint32_t>(std::uint64_t{k} * n / samples);
          start[c] += points[row(block, sample) + c];
        }
        start[c] /= samples;
      }
    };
    block.each_thread([&](std::uint32_t thread) {
      double start[3];
      start_of(start);
      double sums[3] = {0.0, 0.0, 0.0};
      detail::SymmetricOf<double> second{0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
      for (std::uint32_t i = thread; i < n; i += kThreads) {
        const std::size_t place = row(block, i);
        double p[3];
        for (int c = 0; c < 3; ++c) {
          p[c] = points[place + c] - start[c];
          sums[c] += p[c];
        }
        detail::add_products(p[0], p[1], p[2], second);
      }
      const double all[kLoadedSums] = {sums[0],   sums[1],   sums[2],   second.xx, second.xy,
                                       second.xz, second.yy, second.yz, second.zz};
      for (std::uint32_t c = 0; c < kLoadedSums; ++c)
        memory.partial[c * kThreads + thread] = all[c];
    });
    add_up<kLoadedSums>(block, kThreads, memory.partial);
    block.each_thread([&](std::uint32_t thread) {
      if (thread != 0) return;
      double start[3];
      start_of(start);
      double sums[kLoadedSums];
      for (std::uint32_t c = 0; c < kLoadedSums; ++c) sums[c] = memory.partial[c * kThreads];
      memory.pose[0] = make_pose(start, sums, n);
    });
  }

  /// Adds up one kind of moments of the points under the pose so far.
  template <typename Moments>
  POINTTREE_HOST_DEVICE void measure(Block& block, const Memory& memory) const {
    block.each_thread([&](std::uint32_t thread) {
      const Pose pose = memory.pose[0];
      double sums[Moments::kSums] = {};
      for (std::uint32_t i = thread; i < n; i += kThreads) {
        double p[3];
        map_point(pose, row(block, i), p);
        Moments::add(pose, p, sums);
      }
      for (std::uint32_t c = 0; c < Moments::kSums; ++c) {
        memory.partial[c * kThreads + thread] = sums[c];
      }
    });
    add_up<Moments::kSums>(block, kThreads, memory.partial);
  }

  /// One thread changes the pose, knowing the first of the sums measured last.
  template <std::uint32_t kSums = 6, typename Change>
  POINTTREE_HOST_DEVICE void alter(Block& block, const Memory& memory, const Change& change) const {
    block.each_thread([&](std::uint32_t thread) {
      if (thread != 0) return;
      double sums[kSums];
      for (std::uint32_t c = 0; c < kSums; ++c) sums[c] = memory.partial[c * kThreads];
      Pose pose = memory.pose[0];
      change(pose, sums);
      memory.pose[0] = pose;
    });
  }

  /// Signs and size, then the points themselves.
  POINTTREE_HOST_DEVICE void finish(Block& block, const Memory& memory) const {
    measure<ThirdMomentsAndNorm>(block, memory);
    alter(block, memory, [&](Pose& pose, const double* sums) {
      const bool by_skewness =
          rules.mode == PreAlignMode::plain || rules.mode == PreAlignMode::canonical;
      if (by_skewness) fix_signs(pose, sums, pose.rank);
      if (rules.mode == PreAlignMode::upright) fix_signs(pose, sums, 2);
      pose.norm = sums[3];
    });
    block.last_phase([&](std::uint32_t thread) {
      const Pose pose = memory.pose[0];
      const bool keeps_centre = rules.mode == PreAlignMode::none;
      const PoseRecord record = finished(pose, keeps_centre);
      if (thread == 0) records[block.index()] = record;
      const double norm = pose.norm / pose.count;
      for (std::uint32_t i = thread; i < n; i += kThreads) {
        double p[3];
        map_point(pose, row(block, i), p);
        for (int c = 0; c < 3; ++c) {
          const double scale = norm > 0.0 ? pose.scale[c] / norm : pose.scale[c];
          const double kept = keeps_centre ? pose.start[c] + pose.rest[c] : 0.0;
          aligned[row(block, i) + static_cast<std::size_t>(c)] =
              pose.finite != 0 ? static_cast<float>(p[c] * scale + kept) : 0.0F;
        }
      }
    });
  }
};

}  // namespace pointtree::geometry::cuda
