// SPDX-License-Identifier: Apache-2.0
#include "io/safetensors.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "io/atomic_file.hpp"
#include "io/checksum.hpp"

namespace pointtree::io {

MappedFile::MappedFile(const std::filesystem::path& path) {
  const auto fail = [&](const std::string& reason) {
    throw std::runtime_error(path.string() + ": cannot read this file: " + reason);
  };
  const auto reason = [] { return std::error_code(errno, std::generic_category()).message(); };
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) fail(reason());
  struct stat status {};
  const bool known = fstat(descriptor, &status) == 0;
  void* memory = nullptr;
  if (known && S_ISREG(status.st_mode) && status.st_size > 0) {
    size_ = static_cast<std::size_t>(status.st_size);
    memory = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
  }
  const std::string map_reason = reason();
  close(descriptor);
  if (!known || memory == MAP_FAILED) fail(map_reason);
  if (!S_ISREG(status.st_mode)) fail("it is not a regular file");
  data_ = static_cast<const std::byte*>(memory);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(const_cast<std::byte*>(data_), size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path) : path_(path), file_(path) {
  SafetensorsContent content = parse_safetensors(path.string(), file_.data(), file_.size());
  tensors_ = std::move(content.tensors);
  metadata_ = std::move(content.metadata);
  for (std::size_t i = 0; i < tensors_.size(); ++i) index_[tensors_[i].name] = i;
}

const TensorView* SafetensorsFile::find(const std::string& name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &tensors_[found->second];
}

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

namespace {

constexpr std::size_t kAlignment = 8;

void check_size(const TensorView& tensor) {
  std::size_t bytes = size_of(tensor.dtype);
  for (const std::int64_t size : tensor.shape) bytes *= static_cast<std::size_t>(size);
  if (bytes != tensor.bytes) {
    throw std::invalid_argument(tensor.name + ": expected " + std::to_string(bytes) +
                                " bytes for " + to_string(tensor.shape) + ", found " +
                                std::to_string(tensor.bytes));
  }
}

std::string header_of(const std::vector<TensorView>& tensors,
                      const std::map<std::string, std::string>& metadata) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::size_t offset = 0;
  for (const TensorView& tensor : tensors) {
    check_size(tensor);
    if (header.contains(tensor.name)) throw std::invalid_argument(tensor.name + ": given twice");
    header[tensor.name] = {{"dtype", to_string(tensor.dtype)},
                           {"shape", tensor.shape},
                           {"data_offsets", {offset, offset + tensor.bytes}}};
    offset += tensor.bytes;
  }
  std::string text = header.dump();
  text.resize((text.size() + kAlignment - 1) / kAlignment * kAlignment, ' ');
  return text;
}

}  // namespace

WrittenFile write_safetensors(const std::filesystem::path& path, std::vector<TensorView> tensors,
                              const std::map<std::string, std::string>& metadata) {
  std::sort(tensors.begin(), tensors.end(), [](const TensorView& a, const TensorView& b) {
    const auto widest_first = [](const TensorView& t) { return kAlignment - size_of(t.dtype); };
    return std::pair(widest_first(a), std::string_view(a.name)) <
           std::pair(widest_first(b), std::string_view(b.name));
  });
  const std::string header = header_of(tensors, metadata);
  std::array<unsigned char, 8> length{};
  for (std::size_t i = 0; i < length.size(); ++i) {
    length[i] = static_cast<unsigned char>(std::uint64_t{header.size()} >> (8 * i));
  }

  AtomicFile file(path);
  file.write(length.data(), length.size());
  file.write(header);
  for (const TensorView& tensor : tensors) file.write(tensor.data, tensor.bytes);
  file.commit();
  const MappedFile written(path);
  return {written.size(), sha256(written.data(), written.size())};
}

namespace {

struct Format {
  std::string_view name;
  std::size_t size;
};

const Format& format_of(DType dtype) {
  static constexpr std::array<Format, 7> kFormats{
      {{"F32", 4}, {"BF16", 2}, {"F16", 2}, {"I8", 1}, {"I32", 4}, {"I64", 8}, {"U8", 1}}};
  return kFormats.at(static_cast<std::size_t>(dtype));
}

template <typename T>
T read_at(const std::byte* data, std::size_t index) {
  T value;
  std::memcpy(&value, data + index * sizeof(T), sizeof(T));
  return value;
}

float float_of_bits(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

float float_of_half(std::uint16_t half) {
  const int exponent = (half >> 10) & 0x1F;
  const int mantissa = half & 0x3FF;
  float magnitude;
  if (exponent == 31) {
    magnitude = mantissa == 0 ? INFINITY : NAN;
  } else if (exponent == 0) {
    magnitude = std::ldexp(static_cast<float>(mantissa), -24);
  } else {
    magnitude = std::ldexp(static_cast<float>(mantissa + 0x400), exponent - 25);
  }
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

}  // namespace

std::size_t size_of(DType dtype) { return format_of(dtype).size; }

std::string_view to_string(DType dtype) { return format_of(dtype).name; }

std::string to_string(const std::vector<std::int64_t>& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(shape[i]);
  }
  return text + "]";
}

std::vector<float> to_float32(const TensorView& tensor) {
  std::vector<float> values(tensor.bytes / size_of(tensor.dtype));
  const auto fill = [&](auto number_at) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = number_at(i);
  };
  switch (tensor.dtype) {
    case DType::f32:
      if (!values.empty()) std::memcpy(values.data(), tensor.data, tensor.bytes);
      break;
    case DType::bf16:
      fill([&](std::size_t i) {
        return float_of_bits(std::uint32_t{read_at<std::uint16_t>(tensor.data, i)} << 16);
      });
      break;
    case DType::f16:
      fill([&](std::size_t i) { return float_of_half(read_at<std::uint16_t>(tensor.data, i)); });
      break;
    case DType::i8:
      fill([&](std::size_t i) {
        return float{static_cast<float>(read_at<std::int8_t>(tensor.data, i))};
      });
      break;
    case DType::u8:
      fill(
          [&](std::size_t i) { return static_cast<float>(read_at<std::uint8_t>(tensor.data, i)); });
      break;
    case DType::i32:
    case DType::i64:
      throw std::invalid_argument(tensor.name + ": expected a format that fits float32, found " +
                                  std::string(to_string(tensor.dtype)));
  }
  return values;
}

std::uint16_t to_bfloat16(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if (std::isnan(value)) return static_cast<std::uint16_t>((bits >> 16) | 0x40);
  const std::uint32_t to_even = 0x7FFF + ((bits >> 16) & 1);
  return static_cast<std::uint16_t>((bits + to_even) >> 16);
}

}  // namespace pointtree::io
