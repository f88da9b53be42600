#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "pointtree/model/safetensors.hpp"

namespace pointtree::model {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kLengthBytes = 8;
// About a hundred thousand tensors; no network of ours has a thousand.
constexpr std::uint64_t kMaxHeader = 16ULL << 20;
constexpr std::size_t kMaxDimensions = 8;
constexpr std::uint64_t kMaxBytes = 1ULL << 62;

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& key,
                         const std::string& expected, const std::string& found) {
  throw std::runtime_error(path.string() + ": " + key + ": expected " + expected + ", found " +
                           found);
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

std::string_view header_text(const std::filesystem::path& path, const MappedFile& file) {
  if (file.size() < kLengthBytes) {
    refuse(path, "header length", "8 bytes", std::to_string(file.size()) + " bytes");
  }
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < kLengthBytes; ++i) {
    length |= std::to_integer<std::uint64_t>(file.data()[i]) << (8 * i);
  }
  const std::uint64_t limit = std::min<std::uint64_t>(kMaxHeader, file.size() - kLengthBytes);
  if (length < 2 || length > limit) {
    refuse(path, "header length", "2 to " + std::to_string(limit) + " bytes",
           std::to_string(length));
  }
  return {reinterpret_cast<const char*>(file.data()) + kLengthBytes,
          static_cast<std::size_t>(length)};
}

/// Parses the header; a name given twice would hide the first tensor, so it is refused.
Json parse_header(const std::filesystem::path& path, std::string_view text) {
  std::set<std::string> names;
  const auto remember = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > 4) refuse(path, "header", "at most 4 nested levels", "more");
    if (depth == 1 && event == Json::parse_event_t::key &&
        !names.insert(parsed.get<std::string>()).second) {
      refuse(path, parsed.get<std::string>(), "each name once", "it twice");
    }
    return true;
  };
  Json header;
  try {
    header = Json::parse(text.begin(), text.end(), remember);
  } catch (const Json::exception& error) {
    refuse(path, "header", "JSON", error.what());
  }
  if (!header.is_object()) refuse(path, "header", "a JSON object", quoted(header));
  return header;
}

std::map<std::string, std::string> read_metadata(const std::filesystem::path& path,
                                                 const Json& value) {
  std::map<std::string, std::string> metadata;
  if (!value.is_object()) refuse(path, "__metadata__", "an object of texts", quoted(value));
  for (const auto& [key, text] : value.items()) {
    if (!text.is_string()) refuse(path, "__metadata__." + key, "a text", quoted(text));
    metadata[key] = text.get<std::string>();
  }
  return metadata;
}

/// Reads one header entry; the data pointer is set relative to `data`.
TensorView read_entry(const std::filesystem::path& path, const std::string& name, const Json& entry,
                      const std::byte* data, std::uint64_t data_size) {
  const auto refuse_key = [&](const char* key, const std::string& expected,
                              const std::string& found) {
    refuse(path, name + "." + key, expected, found);
  };
  if (!entry.is_object()) refuse(path, name, "an object", quoted(entry));
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
void check_cover(const std::filesystem::path& path, const std::vector<TensorView>& tensors,
                 const std::byte* data, std::size_t data_size) {
  const std::byte* next = data;
  for (const TensorView& tensor : tensors) {
    if (tensor.data != next) {
      refuse(path, tensor.name + ".data_offsets", "data from byte " + std::to_string(next - data),
             "from " + std::to_string(tensor.data - data));
    }
    next += tensor.bytes;
  }
  if (next != data + data_size) {
    refuse(path, "size", std::to_string(next - data) + " bytes of data", std::to_string(data_size));
  }
}

}  // namespace

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
  const std::string_view text = header_text(path, file_);
  const Json header = parse_header(path, text);
  const std::byte* data = file_.data() + kLengthBytes + text.size();
  const std::size_t data_size = file_.size() - kLengthBytes - text.size();
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") {
      metadata_ = read_metadata(path, entry);
    } else {
      tensors_.push_back(read_entry(path, name, entry, data, data_size));
    }
  }
  std::sort(tensors_.begin(), tensors_.end(), [](const TensorView& a, const TensorView& b) {
    return std::pair(a.data, a.bytes) < std::pair(b.data, b.bytes);
  });
  check_cover(path, tensors_, data, data_size);
  for (std::size_t i = 0; i < tensors_.size(); ++i) index_[tensors_[i].name] = i;
}

const TensorView* SafetensorsFile::find(const std::string& name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &tensors_[found->second];
}

}  // namespace pointtree::model
