// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "pointtree/perception/reject_reason.hpp"

namespace pointtree::perception {

/// Element types of a cloud's fields, numbered as in sensor_msgs/PointField.
enum class FieldType : std::uint8_t {
  int8 = 1,
  uint8 = 2,
  int16 = 3,
  uint16 = 4,
  int32 = 5,
  uint32 = 6,
  float32 = 7,
  float64 = 8,
};

/// Bytes of one element; 0 for a number that is no FieldType.
std::size_t size_of(FieldType type);

/// One named field of a point, as a PointCloud2 describes it.
struct CloudField {
  std::string name;
  std::uint32_t offset = 0;  ///< bytes from the start of the point
  FieldType type = FieldType::float32;
  std::uint32_t count = 1;
};

/// What a PointCloud2 says about itself, and its bytes in somebody else's memory; nothing here is
/// trusted.
struct RawCloud {
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  std::vector<CloudField> fields;
  bool is_bigendian = false;
  std::uint32_t point_step = 0;  ///< bytes from one point to the next
  std::uint32_t row_step = 0;    ///< bytes from one row to the next; not used by a single row
  const std::uint8_t* data = nullptr;
  std::size_t size = 0;  ///< bytes at `data`
};

/// A field whose every element is known to lie inside the buffer.
struct FieldReader {
  std::uint32_t offset = 0;
  FieldType type = FieldType::float32;
  bool swapped = false;  ///< the bytes are in the other order than this machine's

  /// The field's first element in the point at `point`, whatever its type.
  double read(const std::uint8_t* point) const;
};

/// A validated view of a cloud's bytes: any field order, stride and byte order, no copy.
///
/// Valid for as long as the bytes it was made from.
class CloudView {
 public:
  /// Checks every size against the buffer before anything is read; O(fields).
  static tl::expected<CloudView, RejectReason> make(const RawCloud& cloud, std::size_t max_points);

  /// Points in the cloud, valid or not.
  std::size_t size() const { return std::size_t{height_} * width_; }

  /// Where point `index`, counted row by row, begins.
  const std::uint8_t* address(std::size_t index) const {
    if (height_ == 1) return data_ + index * point_step_;
    return data_ + index / width_ * row_step_ + index % width_ * point_step_;
  }

  /// Coordinates as they are in the message; may be non-finite.
  Eigen::Vector3d position(std::size_t index) const {
    const std::uint8_t* point = address(index);
    return {coordinates_[0].read(point), coordinates_[1].read(point), coordinates_[2].read(point)};
  }

  /// A further field such as "intensity" or "label"; empty where the cloud has none that fits its
  /// point.
  std::optional<FieldReader> field(std::string_view name) const;

 private:
  CloudView() = default;

  std::uint32_t height_ = 0;
  std::uint32_t width_ = 0;
  std::size_t point_step_ = 0;
  std::size_t row_step_ = 0;
  const std::uint8_t* data_ = nullptr;
  bool swapped_ = false;
  std::array<FieldReader, 3> coordinates_;
  std::vector<CloudField> fields_;
};

}  // namespace pointtree::perception
