// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "pointtree/io/read_limits.hpp"
#include "pointtree/io/scalar_type.hpp"

namespace pointtree::io {

/// How a PCD file stores its points.
enum class PcdEncoding { ascii, binary, binary_compressed };

/// One field of every point; `count` numbers of the same type.
struct PcdField {
  std::string name;
  ScalarType type = ScalarType::float32;
  std::size_t count = 1;

  std::size_t bytes() const { return size_of(type) * count; }
};

/// A PCD header that is consistent in itself; whether the points are there is for the reader to
/// check.
struct PcdHeader {
  std::vector<PcdField> fields;
  std::size_t width = 0;
  std::size_t height = 1;
  std::size_t points = 0;
  PcdEncoding encoding = PcdEncoding::ascii;
  std::size_t size = 0;  ///< bytes of the header; the points follow

  std::size_t point_bytes() const;
  std::size_t values_per_point() const;
};

/// Parses and validates a header; throws ReadError naming the line that is wrong.
PcdHeader parse_pcd_header(std::string_view file, const ReadLimits& limits);

}  // namespace pointtree::io
