// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "pointtree/geometry/enum_names.hpp"

namespace pointtree::perception {

/// The rule that a rejected cloud broke.
enum class RejectKind {
  no_points,            ///< width or height is zero
  too_many_points,      ///< more points than the configured ceiling
  missing_coordinates,  ///< no field x, y or z
  coordinate_type,      ///< x, y or z is neither float32 nor float64
  field_layout,         ///< a field lies outside its point, or has no elements
  row_layout,           ///< rows overlap: row_step is smaller than width * point_step
  short_data,           ///< the buffer ends before the last point
  no_valid_points,      ///< every point is non-finite or outside the range limits
  processing_failed,    ///< the network or the memory failed on this frame
};
constexpr std::array<std::string_view, 9> names_of(RejectKind /*of*/) {
  return {"no_points",       "too_many_points", "missing_coordinates",
          "coordinate_type", "field_layout",    "row_layout",
          "short_data",      "no_valid_points", "processing_failed"};
}
using pointtree::to_string;

/// Why a cloud was refused: the rule, and a sentence with what was expected and found.
struct RejectReason {
  RejectKind kind;
  std::string message;
};

}  // namespace pointtree::perception
