// SPDX-License-Identifier: Apache-2.0
#include "geometry/write_features.hpp"

#include "geometry/detail/whitening.hpp"
#include "geometry/local_pca_features.hpp"
#include "geometry/multi_scale_features.hpp"
#include "geometry/proportions.hpp"
#include "geometry/spin_images.hpp"
#include "geometry/subtree_shapes.hpp"

namespace pointtree::geometry {
namespace {

Points whitened(const PointsView& leaves) {
  PointsOf<double> centred = leaves.cast<double>();
  centred.rowwise() -= centred.colwise().mean().eval();
  const Eigen::Matrix3d m = centred.transpose() * centred / static_cast<double>(leaves.rows());
  const detail::Whitening map({m(0, 0), m(0, 1), m(0, 2), m(1, 1), m(1, 2), m(2, 2)});
  for (Eigen::Index row = 0; row < centred.rows(); ++row) map.apply(centred.row(row).data());
  return centred.cast<float>();
}

}  // namespace

int InputFeatures::channels(int leaves) const {
  return (multi_scale ? multi_scale_channels(leaves) : 0) + (local_pca ? kLocalPcaChannels : 0) +
         (local_pca && spin_images ? kSpinImageChannels : 0) +
         (subtree_shapes ? kSubtreeChannels : 0);
}

void write_features(const PointsView& leaves, const Eigen::Matrix3d& linear,
                    const InputFeatures& features, float* rows, std::ptrdiff_t stride,
                    const RepeatedLeaves& repeated) {
  const auto patches =
      features.surface_patches ? surface_patches(leaves) : std::vector<SurfacePatch>();
  write_features(leaves, linear, patches, features, rows, stride, repeated);
}

void write_features(const PointsView& leaves, const Eigen::Matrix3d& linear,
                    const std::vector<SurfacePatch>& patches, const InputFeatures& features,
                    float* rows, std::ptrdiff_t stride, const RepeatedLeaves& repeated) {
  if (leaves.rows() == 0) return;
  if (features.whitened) {
    InputFeatures measured = features;
    measured.whitened = false;
    write_features(whitened(leaves), linear, patches, measured, rows, stride, repeated);
    return;
  }
  if (features.multi_scale) {
    write_multi_scale_features(leaves, rows, stride, repeated);
    rows += multi_scale_channels(static_cast<int>(leaves.rows() * repeated.times));
  }
  if (features.local_pca) {
    const Points normals = write_local_pca_features(leaves, rows, stride);
    rows += kLocalPcaChannels;
    if (features.spin_images) {
      write_spin_images(leaves, normals, rows, stride);
      rows += kSpinImageChannels;
    }
  }
  if (features.subtree_shapes) write_subtree_shapes(leaves, rows, stride, repeated);
  if (features.subtree_shapes && features.proportions) {
    static_assert(kProportionChannels + kPatchChannels <= kSubtreeChannels);
    float* root = rows + proportions_row(leaves.rows()) * stride;
    write_proportions(linear, root);
    if (features.surface_patches) write_surface_patches(patches, root + kProportionChannels);
  }
}

}  // namespace pointtree::geometry
