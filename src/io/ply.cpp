// SPDX-License-Identifier: Apache-2.0
#include <sstream>
#include <string>

#include "byte_reader.hpp"
#include "file_bytes.hpp"
#include "io/cloud_formats.hpp"
#include "ply_header.hpp"
#include "point_table.hpp"
#include "text_scanner.hpp"

namespace pointtree::io {
namespace {

[[noreturn]] void fail_short(const PlyElement& element, std::size_t found) {
  throw ReadError("PLY: " + std::to_string(element.count) + " elements '" + element.name +
                  "' are promised, the " + std::to_string(found) +
                  " bytes there are can't hold them");
}

/// Reads elements one after the other from either encoding.
class PlyBody {
 public:
  PlyBody(ByteView bytes, PlyEncoding encoding)
      : bytes_(bytes), encoding_(encoding), reader_(bytes, "PLY"), scanner_(bytes.text()) {}

  void skip(const PlyElement& element) {
    check_promise(element);
    if (!is_ascii() && !element.has_list()) {
      reader_.bytes(element.count * element.bytes());
      return;
    }
    if (element.properties.empty()) return;
    for (std::size_t i = 0; i < element.count; ++i) walk(element, nullptr);
  }

  /// The element's plain numbers, interleaved; lists are left out.
  Bytes take(const PlyElement& element) {
    check_promise(element);
    std::size_t step = 0;
    for (const auto& property : element.properties)
      step += property.list_length ? 0 : size_of(property.type);
    Bytes out(element.count * step);
    for (std::size_t i = 0; i < element.count && step > 0; ++i)
      walk(element, out.data() + i * step);
    return out;
  }

 private:
  bool is_ascii() const { return encoding_ == PlyEncoding::ascii; }
  std::size_t left() const {
    return is_ascii() ? bytes_.size - scanner_.position() : reader_.remaining();
  }

  /// Every value takes its bytes, or a character and a separator, so an impossible count is seen
  /// before any allocation.
  void check_promise(const PlyElement& element) const {
    const std::size_t least = is_ascii() ? 2 * element.properties.size() : element.bytes();
    if (least > 0 && element.count > (left() + 1) / least) fail_short(element, left());
  }

  void walk(const PlyElement& element, std::uint8_t* out) {
    for (const auto& property : element.properties) {
      std::size_t repeats = 1;
      if (property.list_length) repeats = list_length(*property.list_length, element);
      for (std::size_t k = 0; k < repeats; ++k) {
        const double value = number(property.type, element);
        if (out == nullptr || property.list_length) continue;
        store_scalar(out, property.type, value);
        out += size_of(property.type);
      }
    }
  }

  double number(ScalarType type, const PlyElement& element) {
    if (!is_ascii()) {
      return load_scalar(reader_.bytes(size_of(type)).data, type,
                         encoding_ == PlyEncoding::big_endian);
    }
    const auto word = scanner_.next_word();
    const auto value = word ? parse_number<double>(*word) : std::nullopt;
    if (!value) {
      throw ReadError(
          "PLY: element '" + element.name + "' should hold a number, found " +
          (word ? "'" + std::string(word->substr(0, 40)) + "'" : "the end of the file"));
    }
    return *value;
  }

  std::size_t list_length(ScalarType type, const PlyElement& element) {
    const double length = number(type, element);
    if (!(length >= 0.0 && length <= static_cast<double>(left()))) fail_short(element, left());
    return static_cast<std::size_t>(length);
  }

  ByteView bytes_;
  PlyEncoding encoding_;
  ByteReader reader_;
  TextScanner scanner_;
};

std::vector<Column> columns_of(const PlyElement& element) {
  std::vector<Column> columns;
  std::size_t offset = 0;
  for (const auto& property : element.properties) {
    if (property.list_length) continue;
    columns.push_back({property.name, property.type, offset, 0});
    offset += size_of(property.type);
  }
  for (auto& column : columns) column.stride = offset;
  return columns;
}

}  // namespace

Cloud parse_ply(ByteView file, const ReadLimits& limits) {
  const PlyHeader header = parse_ply_header(file.text());
  PlyBody body({file.data + header.size, file.size - header.size}, header.encoding);
  for (const auto& element : header.elements) {
    if (element.name != "vertex") {
      body.skip(element);
      continue;
    }
    if (element.count > limits.max_points) {
      throw ReadError("PLY: " + std::to_string(element.count) +
                      " vertices are more than the ceiling of " +
                      std::to_string(limits.max_points));
    }
    const Bytes points = body.take(element);
    PointTable table;
    table.columns = columns_of(element);
    table.bytes = points;
    table.count = element.count;
    return cloud_from(table);
  }
  throw ReadError("PLY: the file has no element 'vertex'");
}

void write_ply(const std::filesystem::path& path, const Cloud& cloud) {
  PackedPoints packed = pack_points(cloud);
  std::ostringstream header;
  header << "ply\nformat binary_little_endian 1.0\nelement vertex " << cloud.points.rows() << '\n';
  for (const auto& column : packed.columns) {
    if (column.name == "rgb") continue;
    header << "property " << (column.type == ScalarType::int32 ? "int " : "float ") << column.name
           << '\n';
  }
  if (!cloud.colours.empty()) {
    // PLY knows single channels only; the packed colour's bytes are blue, green, red and one that
    // is always zero.
    header << "property uchar blue\nproperty uchar green\nproperty uchar red\nproperty uchar "
              "padding\n";
  }
  header << "end_header\n";
  write_file(path, {bytes_of(header.str()), packed.bytes});
}

}  // namespace pointtree::io
