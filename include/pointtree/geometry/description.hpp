#pragma once

#include <cstddef>
#include <vector>

#include "pointtree/geometry/host_device.hpp"
#include "pointtree/geometry/points.hpp"
#include "pointtree/geometry/surface_patches.hpp"

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

/// Writes surroundings, neighbourhoods, spin images, then subtrees, of points in leaf order, which
/// came to their pose by `linear` (that of a PreAlignment); row r begins at rows + r · stride.
void describe(const PointsView& leaves, const Eigen::Matrix3d& linear,
              const Description& description, float* rows, std::ptrdiff_t stride);

/// The same of leaves with noise, whose surface was seen before it was added.
void describe(const PointsView& leaves, const Eigen::Matrix3d& linear,
              const std::vector<SurfacePatch>& patches, const Description& description, float* rows,
              std::ptrdiff_t stride);

/// The row that holds the proportions of a cloud with this many leaves; no subtree has it.
POINTTREE_HOST_DEVICE constexpr std::ptrdiff_t proportions_row(std::ptrdiff_t leaves) {
  return leaves / 2;
}

}  // namespace pointtree::geometry
