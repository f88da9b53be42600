// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "geometry/detail/surface_patch.hpp"

// The features of a cloud's patches in write_surface_patches(), on the host and on the device.
namespace pointtree::geometry::detail {

constexpr int kPatchChannels = 18;

/// What the density of a patch is fitted with: xx, yy, zz, xy, yz, zx of its normal, and 1.
constexpr int kPatchTerms = 7;

/// The lower triangle of the terms' products, row by row, then the terms times the density.
constexpr int kPatchProducts = kPatchTerms * (kPatchTerms + 1) / 2;
constexpr int kPatchSums = kPatchProducts + kPatchTerms;

/// Adds a patch to the sums that write_surface_patches() takes.
POINTTREE_HOST_DEVICE inline void add_patch(const SurfacePatch& patch, double sums[kPatchSums]) {
  const double x = patch.normal[0], y = patch.normal[1], z = patch.normal[2];
  const double terms[kPatchTerms] = {x * x, y * y, z * z, x * y, y * z, z * x, 1.0};
  int sum = 0;
  for (int i = 0; i < kPatchTerms; ++i) {
    const double weighted = patch.weight * terms[i];
    for (int j = 0; j <= i; ++j) sums[sum++] += weighted * terms[j];
    sums[kPatchProducts + i] += weighted * patch.density;
  }
}

/// Replaces b by the x with m x = b: Cholesky, in place. Of m, which is positive definite, only the
/// lower triangle is read.
POINTTREE_HOST_DEVICE inline void solve_for_terms(double m[kPatchTerms][kPatchTerms],
                                                  double b[kPatchTerms]) {
  for (int i = 0; i < kPatchTerms; ++i) {
    for (int j = 0; j <= i; ++j) {
      for (int k = 0; k < j; ++k) m[i][j] -= m[i][k] * m[j][k];
      m[i][j] = j < i ? m[i][j] / m[j][j] : sqrt(m[i][i]);
    }
    for (int k = 0; k < i; ++k) b[i] -= m[i][k] * b[k];
    b[i] /= m[i][i];
  }
  for (int i = kPatchTerms - 1; i >= 0; --i) {
    for (int k = i + 1; k < kPatchTerms; ++k) b[i] -= m[k][i] * b[k];
    b[i] /= m[i][i];
  }
}

/// Gives put(channel, value) the channels of a cloud by the sums over its patches.
template <typename Put>
POINTTREE_HOST_DEVICE void write_surface_patches(const double sums[kPatchSums], const Put& put) {
  constexpr double kRidge = 0.03;  // of the weights' sum
  constexpr int kOne = kPatchTerms - 1;
  const double weight = sums[kPatchProducts - 1];
  if (!(weight > 0.0)) {
    for (int k = 0; k < kPatchChannels; ++k) put(k, 0.0F);
    return;
  }
  double products[kPatchTerms][kPatchTerms], fitted[kPatchTerms];
  for (int i = 0, sum = 0; i < kPatchTerms; ++i) {
    for (int j = 0; j <= i; ++j) products[i][j] = sums[sum++] / weight;
  }
  const double mean_density = sums[kPatchSums - 1] / weight;  // is taken for 1
  for (int i = 0; i < kPatchTerms; ++i) {
    fitted[i] = sums[kPatchProducts + i] / weight - mean_density * products[kOne][i];
  }
  for (int k = 0; k < kOne; ++k) {
    put(6 + k, static_cast<float>(products[kOne][k]));
    put(12 + k, static_cast<float>(fitted[k]));
    products[k][k] += k < 3 ? kRidge : kRidge / 2.0;  // off the diagonal every entry stands twice
  }
  solve_for_terms(products, fitted);
  const double third = (fitted[0] + fitted[1] + fitted[2]) / 3.0;  // of the trace
  for (int k = 0; k < 3; ++k) {
    put(k, static_cast<float>(fitted[k] - third));
    put(3 + k, static_cast<float>(fitted[3 + k] / 2.0));
  }
}

}  // namespace pointtree::geometry::detail
