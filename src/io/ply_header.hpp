// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pointtree/io/read_limits.hpp"
#include "pointtree/io/scalar_type.hpp"

namespace pointtree::io {

/// How a PLY file stores its elements.
enum class PlyEncoding { ascii, little_endian, big_endian };

/// One property of an element: a number, or a list preceded by its length.
struct PlyProperty {
  std::string name;
  ScalarType type = ScalarType::float32;
  std::optional<ScalarType> list_length;
};

/// A kind of element and how many there are.
struct PlyElement {
  std::string name;
  std::size_t count = 0;
  std::vector<PlyProperty> properties;

  /// Bytes of one element; of lists only the length counts, so with lists this is the least it can
  /// have.
  std::size_t bytes() const;
  bool has_list() const;
};

/// A PLY header.
struct PlyHeader {
  PlyEncoding encoding = PlyEncoding::ascii;
  std::vector<PlyElement> elements;
  std::size_t size = 0;  ///< bytes of the header; the elements follow
};

/// Parses a header; throws ReadError naming the line that is wrong.
PlyHeader parse_ply_header(std::string_view file);

}  // namespace pointtree::io
