// SPDX-License-Identifier: Apache-2.0
#include "geometry/spin_images.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "geometry/target_clones.hpp"
#include "leaf_groups.hpp"

namespace pointtree::geometry {
namespace {

using Image = std::array<float, detail::kSpinPixels>;

POINTTREE_CLONES Image image_of(const float* place, const float* normal, float pixel,
                                const std::vector<const LeafGroup*>& groups) {
  float lanes[detail::kSpinPixels][LeafGroup::kSize] = {};
  const float per_pixel = 1.0F / pixel;
  for (const LeafGroup* group : groups) {
    for (int j = 0; j < LeafGroup::kSize; ++j) {
      const float x = (group->at[0][j] - place[0]) * per_pixel;
      const float y = (group->at[1][j] - place[1]) * per_pixel;
      const float z = (group->at[2][j] - place[2]) * per_pixel;
      detail::add_to_spin_image(x, y, z, normal, [&](int k, float value) { lanes[k][j] += value; });
    }
  }
  Image image{};
  for (std::size_t k = 0; k < image.size(); ++k) image[k] = sum_of(lanes[k]);
  return image;
}

}  // namespace

void write_spin_images(const PointsView& leaves, const PointsView& normals, float* rows,
                       std::ptrdiff_t stride) {
  if (leaves.rows() == 0) return;
  const Points places = places_of(leaves);
  const auto groups = leaf_groups(places);
  std::vector<const LeafGroup*> near;
  for (int k = 0; k < detail::kSpinImages; ++k) {
    const float pixel = detail::spin_pixel(k);
    const auto seen_groups = leaf_groups(places, detail::spin_merged(k));
    const auto seen = static_cast<float>(detail::spin_places(static_cast<int>(places.rows()), k));
    for (Eigen::Index row = 0; row < places.rows(); ++row) {
      if (row % LeafGroup::kSize == 0) {
        find_groups_near(groups[static_cast<std::size_t>(row / LeafGroup::kSize)], seen_groups,
                         detail::kSpinReach * pixel, near);
      }
      const Image image = image_of(places.row(row).data(), normals.row(row).data(), pixel, near);
      std::transform(image.begin(), image.end(), rows + row * stride,
                     [&](float sum) { return detail::spin_brightness(sum, seen, pixel); });
    }
    rows += detail::kSpinPixels;
  }
}

}  // namespace pointtree::geometry
