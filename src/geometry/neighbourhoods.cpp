#include "pointtree/geometry/neighbourhoods.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "pointtree/geometry/target_clones.hpp"
#include "side_by_side_eigen.hpp"

namespace pointtree::geometry {
namespace {

// Adjacent leaves that are passed over together where they are too far, and described side by side.
constexpr int kGroup = side_by_side::kMatrices;

/// Coordinates of a group, one array each, in radii from the cloud's centroid. A group that is not
/// full is filled with points beyond every reach.
struct Group {
  std::array<std::array<float, kGroup>, 3> at;
  std::array<float, 3> low, high;
};

using Sums = std::array<float, detail::kNeighbourhoodSums>;

/// Sums over the points of groups around a place. Lane by lane, so that every instruction set adds
/// in the same order.
POINTTREE_CLONES Sums sums_around(const float* place, float reach,
                                  const std::vector<const Group*>& groups) {
  float lanes[detail::kNeighbourhoodSums][kGroup] = {};
  const float per_reach = 1.0F / reach;
  for (const Group* group : groups) {
    for (int j = 0; j < kGroup; ++j) {
      const float x = (group->at[0][j] - place[0]) * per_reach;
      const float y = (group->at[1][j] - place[1]) * per_reach;
      const float z = (group->at[2][j] - place[2]) * per_reach;
      detail::add_neighbour(x, y, z, [&](int k, float value) { lanes[k][j] += value; });
    }
  }
  Sums sums{};
  for (std::size_t k = 0; k < sums.size(); ++k) {
    for (int half = kGroup / 2; half > 0; half /= 2) {
      for (int j = 0; j < half; ++j) lanes[k][j] += lanes[k][j + half];
    }
    sums[k] = lanes[k][0];
  }
  return sums;
}

std::vector<Group> grouped(const Points& places) {
  constexpr float kBeyond = 1e9F;
  std::vector<Group> groups(static_cast<std::size_t>((places.rows() + kGroup - 1) / kGroup));
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto first = static_cast<Eigen::Index>(g) * kGroup;
    const auto count = std::min<Eigen::Index>(kGroup, places.rows() - first);
    for (int c = 0; c < 3; ++c) {
      groups[g].at[c].fill(kBeyond);
      for (Eigen::Index j = 0; j < count; ++j) groups[g].at[c][j] = places(first + j, c);
      groups[g].low[c] = places.col(c).segment(first, count).minCoeff();
      groups[g].high[c] = places.col(c).segment(first, count).maxCoeff();
    }
  }
  return groups;
}

POINTTREE_CLONES void find_axes(side_by_side::Matrices& matrices) {
  side_by_side::diagonalise(matrices);
}

bool within_reach(const Group& one, const Group& other, float reach) {
  float square = 0.0F;
  for (int c = 0; c < 3; ++c) {
    const float gap = std::max({0.0F, one.low[c] - other.high[c], other.low[c] - one.high[c]});
    square += gap * gap;
  }
  return square < reach * reach;
}

/// Describes the points at `places`, whose neighbours are all in the groups of `near`.
void describe_group(const PointsView& places, const std::vector<const Group*>& near, float reach,
                    float count, float* rows, std::ptrdiff_t stride) {
  side_by_side::Matrices covariances;
  std::array<std::array<double, 3>, kGroup> centroids{};
  std::array<float, kGroup> densities{};
  for (int i = 0; i < places.rows(); ++i) {
    const Sums sums = sums_around(places.row(i).data(), reach, near);
    const detail::NeighbourhoodShape shape(sums.data());
    covariances.set(i, shape.covariance);
    std::copy_n(shape.centroid, 3, centroids[i].data());
    densities[i] = detail::neighbourhood_density(sums[0], count, reach);
  }
  find_axes(covariances);
  for (int i = 0; i < places.rows(); ++i) {
    float* row = rows + i * stride;
    detail::describe_neighbourhood(centroids[i].data(), covariances.eigen(i), places.row(i).data(),
                                   densities[i],
                                   [row](int channel, float value) { row[channel] = value; });
  }
}

/// In root mean square radii from the centroid.
Points places_of(const PointsView& leaves) {
  PointsOf<double> centred = leaves.cast<double>();
  centred.rowwise() -= centred.colwise().mean().eval();
  const double radius = std::sqrt(centred.rowwise().squaredNorm().mean());
  return (centred / (radius > 0.0 ? radius : 1.0)).cast<float>();
}

}  // namespace

void describe_neighbourhoods(const PointsView& leaves, float* rows, std::ptrdiff_t stride) {
  if (leaves.rows() == 0) return;
  const Points places = places_of(leaves);
  const auto groups = grouped(places);
  const auto count = static_cast<float>(places.rows());
  std::vector<const Group*> near;
  for (int k = 0; k < detail::kNeighbourhoods; ++k) {
    const float reach = detail::neighbourhood_reach(k);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      near.clear();
      for (const Group& other : groups) {
        if (within_reach(groups[g], other, reach)) near.push_back(&other);
      }
      const auto first = static_cast<Eigen::Index>(g) * kGroup;
      const auto members = std::min<Eigen::Index>(kGroup, places.rows() - first);
      describe_group(places.middleRows(first, members), near, reach, count, rows + first * stride,
                     stride);
    }
    rows += detail::kChannelsPerNeighbourhood;
  }
}

}  // namespace pointtree::geometry
