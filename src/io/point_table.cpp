// SPDX-License-Identifier: Apache-2.0
#include "point_table.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string_view>

namespace pointtree::io {
namespace {

using Names = std::vector<std::string_view>;

// The spellings that exporters use, the best first.
const Names kIntensityNames = {"intensity", "Intensity",   "scalar_Intensity", "scalar_intensity",
                               "i",         "reflectance", "reflectivity",     "remission"};
const Names kLabelNames = {"label",        "labels",       "class_id",      "class",
                           "scalar_Label", "scalar_label", "classification"};

const Column* find(const PointTable& table, const Names& names) {
  for (const auto name : names) {
    for (const auto& column : table.columns) {
      if (column.name == name) return &column;
    }
  }
  return nullptr;
}

void check_fits(const PointTable& table) {
  if (table.count > std::numeric_limits<std::uint32_t>::max()) {
    throw ReadError("a cloud of " + std::to_string(table.count) +
                    " points is beyond 32-bit counts");
  }
  if (table.count == 0) return;
  for (const auto& column : table.columns) {
    const std::size_t width = size_of(column.type);
    const std::size_t size = table.bytes.size;
    const bool fits = column.offset <= size && width <= size - column.offset &&
                      (table.count == 1 || column.stride == 0 ||
                       table.count - 1 <= (size - column.offset - width) / column.stride);
    if (!fits) {
      throw ReadError("column '" + column.name + "' of " + std::to_string(table.count) +
                      " points does not fit into the " + std::to_string(size) + " bytes there are");
    }
  }
}

double value_at(const PointTable& table, const Column& column, std::size_t row) {
  return load_scalar(table.bytes.data + column.offset + row * column.stride, column.type,
                     table.big_endian);
}

ScalarColumn scalars(const PointTable& table, const Column& column) {
  return {table.bytes.data + column.offset, column.stride, table.count, column.type,
          table.big_endian};
}

std::int32_t label_at(const PointTable& table, const Column& column, std::size_t row) {
  const double value = value_at(table, column, row);
  // "no label" is often written as the largest 32-bit number, which reads as −1.
  if (value == std::numeric_limits<std::uint32_t>::max()) return -1;
  if (!(value >= std::numeric_limits<std::int32_t>::min() &&
        value <= std::numeric_limits<std::int32_t>::max()) ||
      std::floor(value) != value) {
    throw ReadError("label of point " + std::to_string(row) +
                    " should be a 32-bit integer, found " + std::to_string(value));
  }
  return static_cast<std::int32_t>(value);
}

std::uint32_t packed_colour_at(const PointTable& table, const Column& column, std::size_t row) {
  // "rgb" is four bytes whatever its declared type: PCL stores it in the bits of a float.
  Column bits = column;
  bits.type = ScalarType::uint32;
  return static_cast<std::uint32_t>(value_at(table, bits, row)) & 0xFFFFFFU;
}

std::uint32_t channel_at(const PointTable& table, const Column& column, std::size_t row) {
  double value = value_at(table, column, row);
  if (column.type == ScalarType::float32 || column.type == ScalarType::float64) value *= 255.0;
  if (!(value > 0.0)) return 0;
  return value >= 255.0 ? 255U : static_cast<std::uint32_t>(std::lround(value));
}

void take_colours(const PointTable& table, Cloud& cloud) {
  const Column* packed = find(table, {"rgb", "rgba"});
  if (packed != nullptr && size_of(packed->type) == 4) {
    cloud.colours.resize(table.count);
    for (std::size_t i = 0; i < table.count; ++i)
      cloud.colours[i] = packed_colour_at(table, *packed, i);
    return;
  }
  const Column* red = find(table, {"red", "r", "diffuse_red"});
  const Column* green = find(table, {"green", "g", "diffuse_green"});
  const Column* blue = find(table, {"blue", "b", "diffuse_blue"});
  if (red == nullptr || green == nullptr || blue == nullptr) return;
  cloud.colours.resize(table.count);
  for (std::size_t i = 0; i < table.count; ++i) {
    cloud.colours[i] = channel_at(table, *red, i) << 16 | channel_at(table, *green, i) << 8 |
                       channel_at(table, *blue, i);
  }
}

}  // namespace

Cloud cloud_from(const PointTable& table) {
  const Column* axes[3] = {find(table, {"x"}), find(table, {"y"}), find(table, {"z"})};
  for (int axis = 0; axis < 3; ++axis) {
    if (axes[axis] == nullptr)
      throw ReadError(std::string("the cloud has no field '") + "xyz"[axis] + "'");
  }
  check_fits(table);
  Cloud cloud;
  if (table.count == 0) return cloud;  // there are no bytes to point into
  cloud.width = static_cast<std::uint32_t>(table.count);
  cloud.points.resize(static_cast<Eigen::Index>(table.count), 3);
  for (int axis = 0; axis < 3; ++axis)
    load_floats(scalars(table, *axes[axis]), cloud.points.data() + axis, 3);
  if (const Column* intensity = find(table, kIntensityNames)) {
    cloud.intensity.resize(table.count);
    load_floats(scalars(table, *intensity), cloud.intensity.data(), 1);
  }
  if (const Column* label = find(table, kLabelNames)) {
    cloud.labels.resize(table.count);
    for (std::size_t i = 0; i < table.count; ++i) cloud.labels[i] = label_at(table, *label, i);
  }
  take_colours(table, cloud);
  return cloud;
}

PackedPoints pack_points(const Cloud& cloud) {
  const auto count = static_cast<std::size_t>(cloud.points.rows());
  const auto check = [&](const char* name, std::size_t size) {
    if (size == 0 || size == count) return;
    throw std::invalid_argument("cloud has " + std::to_string(count) + " points but " +
                                std::to_string(size) + " values of " + name);
  };
  check("intensity", cloud.intensity.size());
  check("label", cloud.labels.size());
  check("rgb", cloud.colours.size());

  PackedPoints packed;
  std::size_t step = 0;
  const auto add = [&](const char* name, ScalarType type) {
    packed.columns.push_back({name, type, step, 0});
    step += size_of(type);
    return step - size_of(type);
  };
  for (const char* axis : {"x", "y", "z"}) add(axis, ScalarType::float32);
  const std::size_t intensity = cloud.intensity.empty() ? 0 : add("intensity", ScalarType::float32);
  const std::size_t label = cloud.labels.empty() ? 0 : add("label", ScalarType::int32);
  const std::size_t colour = cloud.colours.empty() ? 0 : add("rgb", ScalarType::uint32);
  for (auto& column : packed.columns) column.stride = step;

  packed.bytes.resize(count * step);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint8_t* point = packed.bytes.data() + i * step;
    for (int axis = 0; axis < 3; ++axis) {
      store_scalar(point + 4 * axis, ScalarType::float32,
                   cloud.points(static_cast<Eigen::Index>(i), axis));
    }
    if (intensity > 0) store_scalar(point + intensity, ScalarType::float32, cloud.intensity[i]);
    if (label > 0) store_scalar(point + label, ScalarType::int32, cloud.labels[i]);
    if (colour > 0) store_scalar(point + colour, ScalarType::uint32, cloud.colours[i]);
  }
  const bool organised = std::size_t{cloud.width} * cloud.height == count && cloud.height > 0;
  packed.width = organised ? cloud.width : count;
  packed.height = organised ? cloud.height : 1;
  return packed;
}

}  // namespace pointtree::io
