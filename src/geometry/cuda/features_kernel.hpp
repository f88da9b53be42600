// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/block_sums.hpp"
#include "geometry/cuda/pose_record.hpp"
#include "geometry/detail/neighbourhood.hpp"
#include "geometry/detail/pose_axes.hpp"
#include "geometry/detail/sibling_shapes.hpp"
#include "geometry/detail/spin_image.hpp"
#include "geometry/detail/whitening.hpp"
#include "geometry/write_features.hpp"

namespace pointtree::geometry::cuda {

/// Which columns write_features() writes: from the first to before the last, none where both are
/// the same.
struct FeatureColumns {
  std::uint32_t multi_scale;
  std::uint32_t local_pca;
  std::uint32_t spin_images;
  std::uint32_t subtrees;
  std::uint32_t end;

  FeatureColumns(const InputFeatures& features, std::uint32_t first, std::uint32_t points) {
    InputFeatures part;
    const auto end_with = [&](bool InputFeatures::*what) {
      part.*what = features.*what;
      return first + static_cast<std::uint32_t>(part.channels(static_cast<int>(points)));
    };
    multi_scale = first;
    local_pca = end_with(&InputFeatures::multi_scale);
    spin_images = end_with(&InputFeatures::local_pca);
    subtrees = end_with(&InputFeatures::spin_images);
    end = end_with(&InputFeatures::subtree_shapes);
  }

  /// In the row of the proportions only.
  std::uint32_t patches() const { return subtrees + detail::kProportionChannels; }
};

/// write_features() of a batch: one block per cloud, one thread per subtree or pair of siblings of
/// a scale. Sums are taken in another order than on the CPU.
struct WriteFeatures {
  static constexpr std::uint32_t kThreads = 256;

  float* leaves;            ///< [B, points, width]: x y z in leaf order, then what is written
  const PoseRecord* poses;  ///< [B], for proportions
  std::uint32_t clouds;
  std::uint32_t points;
  std::uint32_t width;
  FeatureColumns columns;
  bool whitened;
  bool proportions;

  std::uint32_t blocks() const { return clouds; }
  std::uint32_t threads() const { return kThreads; }
  std::size_t shared_bytes() const { return 10 * kThreads * sizeof(double); }

  POINTTREE_HOST_DEVICE void operator()(Block& block) const {
    auto sums = block.shared<double>(3 * kThreads);
    auto products = block.shared<double>(6 * kThreads);
    auto squares = block.shared<double>(kThreads);
    const std::size_t first = static_cast<std::size_t>(block.index()) * points;
    sum_coordinates(block, first, sums);
    if (whitened) sum_products(block, first, sums, products);
    block.each_thread([&](std::uint32_t thread) {
      const Frame frame = frame_of(sums, products);
      if (columns.multi_scale < columns.local_pca) {
        write_multi_scale_features(thread, first, frame);
      }
      if (columns.subtrees < columns.end) write_subtree_shapes(thread, first, frame);
      if (columns.subtrees < columns.end && proportions && thread == 0) {
        write_proportions(block.index(), first);
      }
    });
    if (columns.local_pca == columns.spin_images) return;
    block.each_thread([&](std::uint32_t thread) {
      squares[thread] = sum_of_squares(thread, first, frame_of(sums, products));
    });
    add_up<1>(block, kThreads, squares);
    block.last_phase([&](std::uint32_t thread) {
      const double radius = sqrt(squares[0] / points);
      write_around(thread, {first, frame_of(sums, products), radius > 0.0 ? radius : 1.0});
    });
  }

 private:
  using Sums = double*;

  /// What coordinates are measured in.
  struct Frame {
    double centre[3];
    detail::Whitening whitening;
  };

  /// Where the points of a cloud are found, and what they are measured in.
  struct Cloud {
    std::size_t first;
    Frame frame;
    double radius;
  };

  /// Also clears the rows in which no subtree's shape is.
  POINTTREE_HOST_DEVICE void sum_coordinates(Block& block, std::size_t first, Sums& sums) const {
    block.each_thread([&](std::uint32_t thread) {
      double partial[3] = {0.0, 0.0, 0.0};
      for (std::uint32_t i = thread; i < points; i += kThreads) {
        for (std::uint32_t c = 0; c < 3; ++c) partial[c] += leaves[(first + i) * width + c];
        for (std::uint32_t c = columns.subtrees; c < columns.end; ++c) put(first + i, c, 0, 0.0F);
      }
      for (std::uint32_t c = 0; c < 3; ++c) sums[c * kThreads + thread] = partial[c];
    });
    add_up<3>(block, kThreads, sums);
  }

  /// xx, xy, xz, yy, yz, zz about the centroid.
  POINTTREE_HOST_DEVICE void sum_products(Block& block, std::size_t first, const Sums& sums,
                                          Sums& products) const {
    block.each_thread([&](std::uint32_t thread) {
      const Frame frame = centred_frame(sums);
      double partial[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
      double p[3];
      for (std::uint32_t i = thread; i < points; i += kThreads) {
        in_frame(first + i, frame, p);
        int k = 0;
        for (int a = 0; a < 3; ++a) {
          for (int b = a; b < 3; ++b) partial[k++] += p[a] * p[b];
        }
      }
      for (std::uint32_t k = 0; k < 6; ++k) products[k * kThreads + thread] = partial[k];
    });
    add_up<6>(block, kThreads, products);
  }

  /// Of a thread's share of the points.
  POINTTREE_HOST_DEVICE double sum_of_squares(std::uint32_t thread, std::size_t first,
                                              const Frame& frame) const {
    double sum = 0.0;
    double p[3];
    for (std::uint32_t i = thread; i < points; i += kThreads) {
      in_frame(first + i, frame, p);
      sum += detail::SubtreeShape::dot(p, p);
    }
    return sum;
  }

  POINTTREE_HOST_DEVICE void put(std::size_t row, std::uint32_t column, int channel,
                                 float value) const {
    leaves[row * width + column + static_cast<std::uint32_t>(channel)] = value;
  }

  /// About the centroid, not whitened.
  POINTTREE_HOST_DEVICE Frame centred_frame(const Sums& sums) const {
    Frame frame;
    for (std::uint32_t c = 0; c < 3; ++c) frame.centre[c] = sums[c * kThreads] / points;
    return frame;
  }

  POINTTREE_HOST_DEVICE Frame frame_of(const Sums& sums, const Sums& products) const {
    Frame frame = centred_frame(sums);
    if (whitened) {
      const auto mean = [&](std::uint32_t k) { return products[k * kThreads] / points; };
      frame.whitening = detail::Whitening({mean(0), mean(1), mean(2), mean(3), mean(4), mean(5)});
    }
    return frame;
  }

  POINTTREE_HOST_DEVICE void in_frame(std::size_t row, const Frame& frame, double p[3]) const {
    for (std::uint32_t c = 0; c < 3; ++c) {
      const float coordinate = leaves[row * width + c];
      p[c] = coordinate - frame.centre[c];
    }
    if (whitened) frame.whitening.apply(p);
  }

  POINTTREE_HOST_DEVICE detail::SubtreeShape shape_of(std::size_t begin, std::uint32_t count,
                                                      const Frame& frame) const {
    detail::SubtreeMoments moments;
    double p[3];
    for (std::size_t row = begin; row < begin + count; ++row) {
      in_frame(row, frame, p);
      moments.add_point(p);
    }
    return {moments, static_cast<double>(count), static_cast<double>(points)};
  }

  POINTTREE_HOST_DEVICE void write_multi_scale_features(std::uint32_t thread, std::size_t first,
                                                        const Frame& frame) const {
    double p[3];
    for (std::uint32_t i = thread; i < points; i += kThreads) {
      in_frame(first + i, frame, p);
      put(first + i, columns.multi_scale, 0,
          static_cast<float>(sqrt(detail::SubtreeShape::dot(p, p))));
    }
    std::uint32_t column = columns.multi_scale + 1;
    for (std::uint32_t scale = detail::kSmallestSubtree; scale < points;
         scale *= detail::kSubtreeStep) {
      for (std::uint32_t i = thread; i < points / scale; i += kThreads) {
        const std::size_t begin = first + static_cast<std::size_t>(i) * scale;
        const detail::SubtreeShape shape = shape_of(begin, scale, frame);
        for (std::size_t row = begin; row < begin + scale; ++row) {
          in_frame(row, frame, p);
          shape.write(p, [&](int k, float value) { put(row, column, k, value); });
        }
      }
      column += detail::kChannelsPerSubtree;
    }
  }

  // In radii from the centroid.
  POINTTREE_HOST_DEVICE void place_of(const Cloud& cloud, std::uint32_t leaf,
                                      float place[3]) const {
    double p[3];
    in_frame(cloud.first + leaf, cloud.frame, p);
    for (int c = 0; c < 3; ++c) place[c] = static_cast<float>(p[c] / cloud.radius);
  }

  /// Gives visit(x, y, z) the offsets from `place`, in so many radii, of the means of so many
  /// adjacent leaves each.
  template <typename Visit>
  POINTTREE_HOST_DEVICE void each_offset(const Cloud& cloud, const float place[3],
                                         std::uint32_t merged, float unit,
                                         const Visit& visit) const {
    for (std::uint32_t j = 0; j < points; j += merged) {
      const std::uint32_t count = points - j < merged ? points - j : merged;
      float mean[3] = {0.0F, 0.0F, 0.0F}, other[3];
      for (std::uint32_t i = 0; i < count; ++i) {
        place_of(cloud, j + i, other);
        for (int c = 0; c < 3; ++c) mean[c] += other[c] / static_cast<float>(count);
      }
      visit((mean[0] - place[0]) / unit, (mean[1] - place[1]) / unit, (mean[2] - place[2]) / unit);
    }
  }

  POINTTREE_HOST_DEVICE void write_around(std::uint32_t thread, const Cloud& cloud) const {
    float place[3], normal[3];
    for (std::uint32_t leaf = thread; leaf < points; leaf += kThreads) {
      place_of(cloud, leaf, place);
      for (int n = detail::kNeighbourhoods - 1; n >= 0; --n) {  // the normal of the first remains
        write_neighbourhood(cloud, leaf, place, n, normal);
      }
      if (columns.spin_images == columns.subtrees) continue;
      for (int n = 0; n < detail::kSpinImages; ++n) {
        write_spin_image(cloud, leaf, place, normal, n);
      }
    }
  }

  POINTTREE_HOST_DEVICE void write_neighbourhood(const Cloud& cloud, std::uint32_t leaf,
                                                 const float place[3], int n,
                                                 float normal[3]) const {
    const float reach = detail::neighbourhood_reach(n);
    float sums[detail::kNeighbourhoodSums] = {};
    each_offset(cloud, place, 1, reach, [&](float x, float y, float z) {
      detail::add_neighbour(x, y, z, [&](int k, float value) { sums[k] += value; });
    });
    const detail::NeighbourhoodShape shape(sums);
    detail::Eigen3 axes = detail::symmetric_eigen(shape.covariance);
    detail::point_outwards(axes, place);
    for (int c = 0; c < 3; ++c) normal[c] = static_cast<float>(axes.vectors[2][c]);
    const int first_channel = n * detail::kChannelsPerNeighbourhood;
    detail::write_neighbourhood(
        shape.centroid, axes, place,
        detail::neighbourhood_density(sums[0], static_cast<float>(points), reach),
        [&](int k, float value) {
          put(cloud.first + leaf, columns.local_pca, first_channel + k, value);
        });
  }

  POINTTREE_HOST_DEVICE void write_spin_image(const Cloud& cloud, std::uint32_t leaf,
                                              const float place[3], const float normal[3],
                                              int n) const {
    const float pixel = detail::spin_pixel(n);
    const auto merged = static_cast<std::uint32_t>(detail::spin_merged(n));
    float sums[detail::kSpinPixels] = {};
    each_offset(cloud, place, merged, pixel, [&](float x, float y, float z) {
      detail::add_to_spin_image(x, y, z, normal, [&](int k, float value) { sums[k] += value; });
    });
    const auto seen = static_cast<float>(detail::spin_places(static_cast<int>(points), n));
    for (int k = 0; k < detail::kSpinPixels; ++k) {
      put(cloud.first + leaf, columns.spin_images, n * detail::kSpinPixels + k,
          detail::spin_brightness(sums[k], seen, pixel));
    }
  }

  POINTTREE_HOST_DEVICE void write_subtree_shapes(std::uint32_t thread, std::size_t first,
                                                  const Frame& frame) const {
    for (std::uint32_t scale = detail::kSmallestSubtree; scale < points; scale *= 2) {
      for (std::uint32_t i = thread; i < points / (2 * scale); i += kThreads) {
        const std::size_t begin = first + static_cast<std::size_t>(2 * i) * scale;
        detail::SubtreeShape left = shape_of(begin, scale, frame);
        detail::SubtreeShape right = shape_of(begin + scale, scale, frame);
        detail::point_outwards(left);
        detail::point_outwards(right);
        const std::size_t row = begin + scale / 2;
        detail::write_siblings(left, right,
                               [&](int k, float value) { put(row, columns.subtrees, k, value); });
        detail::write_siblings(
            right, left, [&](int k, float value) { put(row + scale, columns.subtrees, k, value); });
      }
    }
  }

  POINTTREE_HOST_DEVICE void write_proportions(std::uint32_t cloud, std::size_t first) const {
    const PoseRecord pose = poses[cloud];
    const std::size_t row = first + static_cast<std::size_t>(proportions_row(points));
    detail::write_proportions(pose.linear,
                              [&](int k, float value) { put(row, columns.subtrees, k, value); });
  }
};

}  // namespace pointtree::geometry::cuda
