// SPDX-License-Identifier: Apache-2.0
#include "pointtree/perception/reject_reason.hpp"

namespace pointtree::perception {

std::string_view to_string(RejectKind kind) {
  switch (kind) {
    case RejectKind::no_points:
      return "no_points";
    case RejectKind::too_many_points:
      return "too_many_points";
    case RejectKind::missing_coordinates:
      return "missing_coordinates";
    case RejectKind::coordinate_type:
      return "coordinate_type";
    case RejectKind::field_layout:
      return "field_layout";
    case RejectKind::row_layout:
      return "row_layout";
    case RejectKind::short_data:
      return "short_data";
    case RejectKind::no_valid_points:
      return "no_valid_points";
    case RejectKind::processing_failed:
      return "processing_failed";
  }
  return "unknown";
}

}  // namespace pointtree::perception
