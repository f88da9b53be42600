// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "pointtree/perception/cloud_view.hpp"
#include "pointtree/perception/point_buffer.hpp"

namespace pointtree::perception {

/// A cloud message that owns its bytes, laid out as a test wants it.
class CloudBytes {
 public:
  CloudBytes(std::uint32_t width, std::uint32_t height, std::uint32_t point_step,
             std::uint32_t row_padding = 0) {
    raw_.width = width;
    raw_.height = height;
    raw_.point_step = point_step;
    raw_.row_step = width * point_step + row_padding;
    bytes_.assign(std::size_t{raw_.row_step} * height, 0xAB);
  }

  void add_field(const std::string& name, std::uint32_t offset, io::ScalarType type) {
    raw_.fields.push_back({name, offset, type, 1});
  }

  /// Writes one element in the byte order that was asked for.
  template <typename T>
  void put(std::uint32_t row, std::uint32_t column, std::uint32_t offset, T value) {
    std::uint8_t* to = bytes_.data() + std::size_t{row} * raw_.row_step +
                       std::size_t{column} * raw_.point_step + offset;
    std::memcpy(to, &value, sizeof(T));
    if (raw_.is_bigendian) std::reverse(to, to + sizeof(T));
  }

  /// The message; writable, so that tests can break it.
  io::PointCloud2Message& raw() {
    raw_.data = bytes_;
    return raw_;
  }

  std::vector<std::uint8_t>& bytes() { return bytes_; }

 private:
  io::PointCloud2Message raw_;
  std::vector<std::uint8_t> bytes_;
};

/// Points as the plainest message: x y z float32 in one row.
inline CloudBytes to_cloud(const PointBuffer& points) {
  CloudBytes cloud(static_cast<std::uint32_t>(points.size()), 1, 12);
  cloud.add_field("x", 0, io::ScalarType::float32);
  cloud.add_field("y", 4, io::ScalarType::float32);
  cloud.add_field("z", 8, io::ScalarType::float32);
  if (!points.empty()) std::memcpy(cloud.bytes().data(), points.front().data(), points.size() * 12);
  return cloud;
}

}  // namespace pointtree::perception
