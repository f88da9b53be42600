// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "pointtree/io/point_cloud2.hpp"
#include "pointtree/perception/reject_reason.hpp"

namespace pointtree::perception {

/// A field whose every element is known to lie inside the buffer.
struct FieldReader {
  std::uint32_t offset = 0;
  io::ScalarType type = io::ScalarType::float32;
  bool big_endian = false;

  /// The field's first element in the point at `point`, whatever its type.
  double read(const std::uint8_t* point) const {
    return io::load_scalar(point + offset, type, big_endian);
  }
};

/// A validated view of a cloud's bytes: any field order, stride and byte order, no copy.
///
/// Valid for as long as the bytes it was made from.
class CloudView {
 public:
  /// Checks every size against the buffer before anything is read; O(fields).
  static tl::expected<CloudView, RejectReason> make(const io::PointCloud2Message& cloud,
                                                    std::size_t max_points);

  /// Points in the cloud, valid or not.
  std::size_t size() const { return std::size_t{height_} * width_; }

  /// Where point `index`, counted row by row, begins.
  const std::uint8_t* address(std::size_t index) const {
    if (height_ == 1) return data_ + index * point_step_;
    return data_ + index / width_ * row_step_ + index % width_ * point_step_;
  }

  /// Coordinates as they are in the message, moved where move() said so; may be non-finite.
  Eigen::Vector3d position(std::size_t index) const {
    const std::uint8_t* point = address(index);
    const Eigen::Vector3d found(coordinates_[0].read(point), coordinates_[1].read(point),
                                coordinates_[2].read(point));
    return moves_ ? motion_ * found : found;
  }

  /// Positions are given in another frame from now on; the bytes stay as they are.
  void move(const Eigen::Isometry3d& motion) {
    motion_ = motion;
    moves_ = true;
  }

  bool moves() const { return moves_; }

  /// Writes the position into a copy of the point, in its own types and byte order.
  void write_position(std::size_t index, std::uint8_t* point) const;

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
  bool big_endian_ = false;
  bool moves_ = false;
  Eigen::Isometry3d motion_ = Eigen::Isometry3d::Identity();
  std::array<FieldReader, 3> coordinates_;
  std::vector<io::PointField> fields_;
};

}  // namespace pointtree::perception
