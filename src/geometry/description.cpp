#include "pointtree/geometry/description.hpp"

#include "pointtree/geometry/neighbourhoods.hpp"
#include "pointtree/geometry/subtree_shapes.hpp"
#include "pointtree/geometry/surroundings.hpp"

namespace pointtree::geometry {

int Description::channels(int leaves) const {
  return (surroundings ? surroundings_channels(leaves) : 0) +
         (neighbourhoods ? kNeighbourhoodChannels : 0) + (subtrees ? kSubtreeChannels : 0);
}

void describe(const PointsView& leaves, const Description& description, float* rows,
              std::ptrdiff_t stride) {
  if (description.surroundings) {
    describe_surroundings(leaves, rows, stride);
    rows += surroundings_channels(static_cast<int>(leaves.rows()));
  }
  if (description.neighbourhoods) {
    describe_neighbourhoods(leaves, rows, stride);
    rows += kNeighbourhoodChannels;
  }
  if (description.subtrees) describe_subtrees(leaves, rows, stride);
}

}  // namespace pointtree::geometry
