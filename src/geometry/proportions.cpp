#include "geometry/proportions.hpp"

namespace pointtree::geometry {

void describe_proportions(const Eigen::Matrix3d& linear, float* values) {
  const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> rows = linear;
  detail::describe_proportions(rows.data(), [values](int k, float value) { values[k] = value; });
}

void mirror_proportions(int axes, float* values) {
  const auto mirrored = [axes](int axis) { return (axes >> axis & 1) != 0; };
  for (int k = 0; k < 3; ++k) {
    if (mirrored(k) != mirrored((k + 1) % 3)) values[3 + k] = -values[3 + k];
  }
}

}  // namespace pointtree::geometry
