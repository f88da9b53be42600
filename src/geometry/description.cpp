// SPDX-License-Identifier: Apache-2.0
#include "geometry/describe.hpp"
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

int Description::channels(int leaves) const {
  return (multi_scale_features ? multi_scale_channels(leaves) : 0) +
         (local_pca_features ? kLocalPcaChannels : 0) +
         (local_pca_features && spin_images ? kSpinImageChannels : 0) +
         (subtrees ? kSubtreeChannels : 0);
}

void describe(const PointsView& leaves, const Eigen::Matrix3d& linear,
              const Description& description, float* rows, std::ptrdiff_t stride) {
  const auto patches = description.patches ? surface_patches(leaves) : std::vector<SurfacePatch>();
  describe(leaves, linear, patches, description, rows, stride);
}

void describe(const PointsView& leaves, const Eigen::Matrix3d& linear,
              const std::vector<SurfacePatch>& patches, const Description& description, float* rows,
              std::ptrdiff_t stride) {
  if (leaves.rows() == 0) return;
  if (description.whitened) {
    Description measured = description;
    measured.whitened = false;
    describe(whitened(leaves), linear, patches, measured, rows, stride);
    return;
  }
  if (description.multi_scale_features) {
    write_multi_scale_features(leaves, rows, stride);
    rows += multi_scale_channels(static_cast<int>(leaves.rows()));
  }
  if (description.local_pca_features) {
    const Points normals = write_local_pca_features(leaves, rows, stride);
    rows += kLocalPcaChannels;
    if (description.spin_images) {
      describe_spin_images(leaves, normals, rows, stride);
      rows += kSpinImageChannels;
    }
  }
  if (description.subtrees) describe_subtrees(leaves, rows, stride);
  if (description.subtrees && description.proportions) {
    static_assert(kProportionChannels + kPatchChannels <= kSubtreeChannels);
    float* root = rows + proportions_row(leaves.rows()) * stride;
    describe_proportions(linear, root);
    if (description.patches) describe_patches(patches, root + kProportionChannels);
  }
}

}  // namespace pointtree::geometry
