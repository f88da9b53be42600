// SPDX-License-Identifier: Apache-2.0
#include "safetensors_content.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

namespace pointtree::io {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kLengthBytes = 8;
// About a hundred thousand tensors; no network of ours has a thousand.
constexpr std::uint64_t kMaxHeader = 16ULL << 20;
constexpr std::size_t kMaxDimensions = 8;
constexpr std::uint64_t kMaxBytes = 1ULL << 62;

[[noreturn]] void refuse(const std::string& source, const std::string& key,
                         const std::string& expected, const std::string& found) {
  throw std::runtime_error(source + ": " + key + ": expected " + expected + ", found " + found);
}

std::optional<DType> dtype_named(const std::string& name) {
  for (const DType dtype :
       {DType::f32, DType::bf16, DType::f16, DType::i8, DType::i32, DType::i64, DType::u8}) {
    if (to_string(dtype) == name) return dtype;
  }
  return std::nullopt;
}

/// A short quotation of somebody else's JSON for a message.
std::string quoted(const Json& value) {
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (text.size() > 80) text = text.substr(0, 77) + "...";
  return text;
}

std::string_view header_text(const std::string& source, const std::byte* bytes, std::size_t size) {
  if (size < kLengthBytes) {
    refuse(source, "header length", "8 bytes", std::to_string(size) + " bytes");
  }
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < kLengthBytes; ++i) {
    length |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
  }
  const std::uint64_t limit = std::min<std::uint64_t>(kMaxHeader, size - kLengthBytes);
  if (length < 2 || length > limit) {
    refuse(source, "header length", "2 to " + std::to_string(limit) + " bytes",
           std::to_string(length));
  }
  return {reinterpret_cast<const char*>(bytes) + kLengthBytes, static_cast<std::size_t>(length)};
}

/// Parses the header; a name given twice would hide the first tensor, so it is refused.
Json parse_header(const std::string& source, std::string_view text) {
  std::set<std::string> names;
  const auto remember = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > 4) refuse(source, "header", "at most 4 nested levels", "more");
    if (depth == 1 && event == Json::parse_event_t::key &&
        !names.insert(parsed.get<std::string>()).second) {
      refuse(source, parsed.get<std::string>(), "each name once", "it twice");
    }
    return true;
  };
  Json header;
  try {
    header = Json::parse(text.begin(), text.end(), remember);
  } catch (const Json::exception& error) {
    refuse(source, "header", "JSON", error.what());
  }
  if (!header.is_object()) refuse(source, "header", "a JSON object", quoted(header));
  return header;
}

std::map<std::string, std::string> read_metadata(const std::string& source, const Json& value) {
  std::map<std::string, std::string> metadata;
  if (!value.is_object()) refuse(source, "__metadata__", "an object of texts", quoted(value));
  for (const auto& [key, text] : value.items()) {
    if (!text.is_string()) refuse(source, "__metadata__." + key, "a text", quoted(text));
    metadata[key] = text.get<std::string>();
  }
  return metadata;
}

/// Reads one header entry; the data pointer is set relative to `data`.
TensorView read_entry(const std::string& source, const std::string& name, const Json& entry,
                      const std::byte* data, std::uint64_t data_size) {
  const auto refuse_key = [&](const char* key, const std::string& expected,
                              const std::string& found) {
    refuse(source, name + "." + key, expected, found);
  };
  if (!entry.is_object()) refuse(source, name, "an object", quoted(entry));
  for (const char* key : {"dtype", "shape", "data_offsets"}) {
    if (!entry.contains(key)) refuse_key(key, "a value", "none");
  }
  const Json& dtype_text = entry["dtype"];
  const auto dtype =
      dtype_text.is_string() ? dtype_named(dtype_text.get<std::string>()) : std::nullopt;
  if (!dtype) refuse_key("dtype", "F32 | BF16 | F16 | I8 | I32 | I64 | U8", quoted(dtype_text));

  TensorView tensor{name, *dtype, {}, nullptr, 0};
  const Json& shape = entry["shape"];
  if (!shape.is_array() || shape.size() > kMaxDimensions) {
    refuse_key("shape", "a list of up to 8 sizes", quoted(shape));
  }
  std::uint64_t bytes = size_of(*dtype);
  for (const Json& size : shape) {
    if (!size.is_number_unsigned()) refuse_key("shape", "sizes from 0", quoted(shape));
    const auto count = size.get<std::uint64_t>();
    // Bounding every partial product keeps the multiplication from wrapping.
    if (count > kMaxBytes || (count != 0 && bytes > kMaxBytes / count)) {
      refuse_key("shape", "at most 2^62 bytes", quoted(shape));
    }
    bytes *= count;
    tensor.shape.push_back(static_cast<std::int64_t>(count));
  }
  const Json& offsets = entry["data_offsets"];
  if (!offsets.is_array() || offsets.size() != 2 || !offsets[0].is_number_unsigned() ||
      !offsets[1].is_number_unsigned()) {
    refuse_key("data_offsets", "two offsets", quoted(offsets));
  }
  const auto begin = offsets[0].get<std::uint64_t>();
  const auto end = offsets[1].get<std::uint64_t>();
  if (begin > end || end > data_size) {
    refuse_key("data_offsets", "a range within " + std::to_string(data_size) + " bytes",
               quoted(offsets));
  }
  if (end - begin != bytes) {
    refuse_key("data_offsets", std::to_string(bytes) + " bytes for " + to_string(tensor.shape),
               std::to_string(end - begin));
  }
  tensor.data = data + begin;
  tensor.bytes = static_cast<std::size_t>(bytes);
  return tensor;
}

/// The tensors must cover the data exactly: no overlap, no gap, nothing left over.
void check_cover(const std::string& source, const std::vector<TensorView>& tensors,
                 const std::byte* data, std::size_t data_size) {
  const std::byte* next = data;
  for (const TensorView& tensor : tensors) {
    if (tensor.data != next) {
      refuse(source, tensor.name + ".data_offsets", "data from byte " + std::to_string(next - data),
             "from " + std::to_string(tensor.data - data));
    }
    next += tensor.bytes;
  }
  if (next != data + data_size) {
    refuse(source, "size", std::to_string(next - data) + " bytes of data",
           std::to_string(data_size));
  }
}

}  // namespace

SafetensorsContent parse_safetensors(const std::string& source, const std::byte* bytes,
                                     std::size_t size) {
  const std::string_view text = header_text(source, bytes, size);
  const Json header = parse_header(source, text);
  const std::byte* data = bytes + kLengthBytes + text.size();
  const std::size_t data_size = size - kLengthBytes - text.size();
  SafetensorsContent content;
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") {
      content.metadata = read_metadata(source, entry);
    } else {
      content.tensors.push_back(read_entry(source, name, entry, data, data_size));
    }
  }
  std::sort(content.tensors.begin(), content.tensors.end(),
            [](const TensorView& a, const TensorView& b) {
              return std::pair(a.data, a.bytes) < std::pair(b.data, b.bytes);
            });
  check_cover(source, content.tensors, data, data_size);
  return content;
}

}  // namespace pointtree::io
