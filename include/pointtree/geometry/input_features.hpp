// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pointtree::geometry {

/// Input features of a network beside the points.
struct InputFeatures {
  bool multi_scale = false;      ///< per leaf, see write_multi_scale_features()
  bool local_pca = false;        ///< per leaf, see write_local_pca_features()
  bool spin_images = false;      ///< per leaf, with local_pca, see write_spin_images()
  bool subtree_shapes = false;   ///< per subtree, see write_subtree_shapes()
  bool whitened = false;         ///< of the whitened cloud, which affine maps can only turn
  bool proportions = false;      ///< in the root's row of the subtrees, see write_proportions()
  bool surface_patches = false;  ///< behind the proportions, see write_surface_patches()

  bool empty() const { return !multi_scale && !local_pca && !subtree_shapes; }

  /// Numbers per row of a cloud with this many leaves.
  int channels(int leaves) const;
};

}  // namespace pointtree::geometry
