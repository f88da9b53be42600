// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pointtree::geometry {

/// What a network is told of a cloud beside its points.
struct Description {
  bool multi_scale_features = false;  ///< per leaf, see write_multi_scale_features()
  bool local_pca_features = false;    ///< per leaf, see write_local_pca_features()
  bool spin_images = false;  ///< per leaf, with local_pca_features, see describe_spin_images()
  bool subtrees = false;     ///< per subtree, see describe_subtrees()
  bool whitened = false;     ///< of the whitened cloud, which affine maps can only turn
  bool proportions = false;  ///< in the root's row of the subtrees, see describe_proportions()
  bool patches = false;      ///< behind the proportions, see describe_patches()

  bool empty() const { return !multi_scale_features && !local_pca_features && !subtrees; }

  /// Numbers per row of a cloud with this many leaves.
  int channels(int leaves) const;
};

}  // namespace pointtree::geometry
