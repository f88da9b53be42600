#pragma once

namespace pointtree::geometry {

/// What a network is told of a cloud beside its points.
struct Description {
  bool surroundings = false;    ///< per leaf, see describe_surroundings()
  bool neighbourhoods = false;  ///< per leaf, see describe_neighbourhoods()
  bool spin_images = false;     ///< per leaf, with neighbourhoods, see describe_spin_images()
  bool subtrees = false;        ///< per subtree, see describe_subtrees()
  bool whitened = false;        ///< of the whitened cloud, which affine maps can only turn
  bool proportions = false;     ///< in the root's row of the subtrees, see describe_proportions()
  bool patches = false;         ///< behind the proportions, see describe_patches()

  bool empty() const { return !surroundings && !neighbourhoods && !subtrees; }

  /// Numbers per row of a cloud with this many leaves.
  int channels(int leaves) const;
};

}  // namespace pointtree::geometry
