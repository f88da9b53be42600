// SPDX-License-Identifier: Apache-2.0
#include "pointtree/perception/cloud_view.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <limits>

namespace pointtree::perception {
namespace {

tl::unexpected<RejectReason> reject(RejectKind kind, std::string message) {
  return tl::unexpected(RejectReason{kind, std::move(message)});
}

/// Inside the point, in 64 bits so that no hostile offset or count can wrap around.
bool fits(const io::PointField& field, std::uint32_t point_step) {
  const std::uint64_t size = field.type <= io::ScalarType::float64 ? size_of(field.type) : 0;
  return size > 0 && field.count > 0 && field.offset + size * field.count <= point_step;
}

const io::PointField* find(const std::vector<io::PointField>& fields, std::string_view name) {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const io::PointField& field) { return field.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

tl::expected<FieldReader, RejectReason> coordinate(const io::PointCloud2Message& cloud,
                                                   std::string_view name) {
  const io::PointField* field = find(cloud.fields, name);
  if (field == nullptr) {
    return reject(RejectKind::missing_coordinates,
                  fmt::format("the cloud has no field '{}'", name));
  }
  if (field->type != io::ScalarType::float32 && field->type != io::ScalarType::float64) {
    return reject(RejectKind::coordinate_type,
                  fmt::format("field '{}' has datatype {}; expected 7 (float32) or 8 (float64)",
                              name, static_cast<int>(field->type)));
  }
  if (!fits(*field, cloud.point_step)) {
    return reject(
        RejectKind::field_layout,
        fmt::format("field '{}' ({} element(s) of {} bytes at offset {}) does not fit a "
                    "point of {} bytes",
                    name, field->count, size_of(field->type), field->offset, cloud.point_step));
  }
  return FieldReader{field->offset, field->type, cloud.is_bigendian};
}

/// Bytes from the first to just after the last point; saturates where 64 bits don't hold the sum.
std::uint64_t needed_bytes(const io::PointCloud2Message& cloud) {
  const std::uint64_t last_row = std::uint64_t{cloud.width} * cloud.point_step;
  const std::uint64_t rows_before =
      cloud.height > 1 ? std::uint64_t{cloud.height - 1} * cloud.row_step : 0;
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return rows_before > most - last_row ? most : rows_before + last_row;
}

std::optional<RejectReason> check_layout(const io::PointCloud2Message& cloud,
                                         std::size_t max_points) {
  const std::uint64_t points = std::uint64_t{cloud.height} * cloud.width;
  if (points == 0) {
    return RejectReason{RejectKind::no_points,
                        fmt::format("the cloud is {} x {} points", cloud.width, cloud.height)};
  }
  if (points > max_points) {
    return RejectReason{RejectKind::too_many_points,
                        fmt::format("the cloud says it has {} x {} points; at most {} are accepted",
                                    cloud.width, cloud.height, max_points)};
  }
  const std::uint64_t row = std::uint64_t{cloud.width} * cloud.point_step;
  if (cloud.height > 1 && cloud.row_step < row) {
    return RejectReason{RejectKind::row_layout,
                        fmt::format("row_step is {} bytes; {} points of {} bytes need {}",
                                    cloud.row_step, cloud.width, cloud.point_step, row)};
  }
  return std::nullopt;
}

}  // namespace

tl::expected<CloudView, RejectReason> CloudView::make(const io::PointCloud2Message& cloud,
                                                      std::size_t max_points) {
  if (auto reason = check_layout(cloud, max_points)) return tl::unexpected(std::move(*reason));
  CloudView view;
  view.big_endian_ = cloud.is_bigendian;
  constexpr std::array<std::string_view, 3> kNames{"x", "y", "z"};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    auto reader = coordinate(cloud, kNames[axis]);
    if (!reader) return tl::unexpected(std::move(reader.error()));
    view.coordinates_[axis] = *reader;
  }
  const std::uint64_t needed = needed_bytes(cloud);
  if (cloud.data.data == nullptr || cloud.data.size < needed) {
    return reject(RejectKind::short_data,
                  fmt::format("the cloud's data has {} bytes; {} x {} points need {}",
                              cloud.data.size, cloud.width, cloud.height, needed));
  }
  view.height_ = cloud.height;
  view.width_ = cloud.width;
  view.point_step_ = cloud.point_step;
  view.row_step_ = cloud.row_step;
  view.data_ = cloud.data.data;
  for (const io::PointField& field : cloud.fields) {
    if (fits(field, cloud.point_step)) view.fields_.push_back(field);
  }
  return view;
}

std::optional<FieldReader> CloudView::field(std::string_view name) const {
  const io::PointField* found = find(fields_, name);
  if (found == nullptr) return std::nullopt;
  return FieldReader{found->offset, found->type, big_endian_};
}

void CloudView::write_position(std::size_t index, std::uint8_t* point) const {
  const Eigen::Vector3d moved = position(index);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::uint8_t* to = point + coordinates_[axis].offset;
    io::store_scalar(to, coordinates_[axis].type, moved[static_cast<Eigen::Index>(axis)]);
    if (big_endian_) std::reverse(to, to + size_of(coordinates_[axis].type));
  }
}

}  // namespace pointtree::perception
