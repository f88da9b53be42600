// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "geometry/host_device.hpp"

// The features of one point in write_spin_images(), on the host and on the device.
namespace pointtree::geometry::detail {

constexpr int kSpinImages = 3;
constexpr int kSpinHeights = 5;
constexpr int kSpinDistances = 3;
constexpr int kSpinHeightsBelow = 3;  // the others are at the point and above
constexpr int kSpinPixels = kSpinHeights * kSpinDistances;

/// Side of a pixel of the k-th image in root mean square radii of the cloud.
POINTTREE_HOST_DEVICE constexpr float spin_pixel(int k) {
  return k == 0 ? 0.15F : k == 1 ? 0.35F : 0.8F;
}

/// How many adjacent leaves the k-th image sees as one, in their middle.
POINTTREE_HOST_DEVICE constexpr int spin_merged(int k) { return 1 << k; }

/// How many places the k-th image sees of so many leaves.
POINTTREE_HOST_DEVICE constexpr int spin_places(int leaves, int k) {
  return (leaves + spin_merged(k) - 1) / spin_merged(k);
}

/// The farthest that a point of an image can be, in pixels: √(4² + 3²).
constexpr float kSpinReach = 5.0F;

/// How much a value at this distance from a pixel's middle, in pixels, belongs to it.
POINTTREE_HOST_DEVICE POINTTREE_ALWAYS_INLINE float spin_share(float distance) {
  const float share = 1.0F - fabsf(distance);
  return share > 0.0F ? share : 0.0F;
}

/// Gives add(pixel, value) what a point at this offset, in pixels, adds to the image of a point
/// with this normal.
template <typename Add>
POINTTREE_HOST_DEVICE POINTTREE_ALWAYS_INLINE void add_to_spin_image(float x, float y, float z,
                                                                     const float normal[3],
                                                                     const Add& add) {
  const float height = x * normal[0] + y * normal[1] + z * normal[2];
  const float square = x * x + y * y + z * z - height * height;
  const float distance = sqrtf(square > 0.0F ? square : 0.0F);
  float near[kSpinDistances];
  for (int d = 0; d < kSpinDistances; ++d) near[d] = spin_share(distance - static_cast<float>(d));
  for (int h = 0; h < kSpinHeights; ++h) {
    const float level = spin_share(height - static_cast<float>(h - kSpinHeightsBelow));
    for (int d = 0; d < kSpinDistances; ++d) add(h * kSpinDistances + d, level * near[d]);
  }
}

/// A pixel's channel: the square root of its share of the points that are seen, in units of the
/// square of its side: about the same at every scale on a surface.
POINTTREE_HOST_DEVICE inline float spin_brightness(float sum, float seen, float pixel) {
  return sqrtf(sum / seen) / pixel;
}

}  // namespace pointtree::geometry::detail
