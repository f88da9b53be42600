// SPDX-License-Identifier: Apache-2.0
#include "geometry/proportions.hpp"

namespace pointtree::geometry {

void write_proportions(const Eigen::Matrix3d& linear, float* values) {
  const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> rows = linear;
  detail::write_proportions(rows.data(), [values](int k, float value) { values[k] = value; });
}

}  // namespace pointtree::geometry
