// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pointtree::io {

/// Number formats that a weights file may hold.
enum class DType { f32, bf16, f16, i8, i32, i64, u8 };

/// Bytes per number.
std::size_t size_of(DType dtype);

/// The format's name in a safetensors header, such as "BF16".
std::string_view to_string(DType dtype);

/// A named tensor in somebody else's memory, row-major, little-endian, at any alignment.
struct TensorView {
  std::string name;
  DType dtype = DType::f32;
  std::vector<std::int64_t> shape;
  const std::byte* data = nullptr;
  std::size_t bytes = 0;
};

/// "[4096, 1024]", for messages.
std::string to_string(const std::vector<std::int64_t>& shape);

/// The numbers of a tensor as float32; throws std::invalid_argument for formats that lose digits
/// (I32, I64).
std::vector<float> to_float32(const TensorView& tensor);

/// A float rounded to the nearest bfloat16, ties to even; NaN stays NaN.
std::uint16_t to_bfloat16(float value);

/// A whole file mapped read-only into memory.
class MappedFile {
 public:
  /// Throws std::runtime_error naming the path where it is not a readable regular file.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  const std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A safetensors file, mapped; every name, format, shape and bound was checked before it is handed
/// out.
class SafetensorsFile {
 public:
  /// Throws std::runtime_error naming the file, the tensor, what was expected and what was found.
  explicit SafetensorsFile(const std::filesystem::path& path);

  /// In the order of their data.
  const std::vector<TensorView>& tensors() const { return tensors_; }

  /// The tensor of that name, or null.
  const TensorView* find(const std::string& name) const;

  /// Free text pairs of the header.
  const std::map<std::string, std::string>& metadata() const { return metadata_; }

  const std::filesystem::path& path() const { return path_; }
  const MappedFile& file() const { return file_; }

 private:
  std::filesystem::path path_;
  MappedFile file_;
  std::vector<TensorView> tensors_;
  std::map<std::string, std::size_t> index_;
  std::map<std::string, std::string> metadata_;
};

/// What was written, for a manifest.
struct WrittenFile {
  std::size_t bytes = 0;
  std::string sha256;
};

/// Writes tensors atomically, widest numbers first so that all of them are aligned; throws
/// std::runtime_error naming the path, or std::invalid_argument where two tensors share a name or a
/// size does not fit its shape.
WrittenFile write_safetensors(const std::filesystem::path& path, std::vector<TensorView> tensors,
                              const std::map<std::string, std::string>& metadata = {});

/// What the bytes of a safetensors file hold; the views point into those bytes.
struct SafetensorsContent {
  std::vector<TensorView> tensors;  ///< in the order of their data
  std::map<std::string, std::string> metadata;
};

/// Checks every name, format, shape and bound of a whole file in memory before a view is handed
/// out; throws std::runtime_error naming the source, the tensor, what was expected and what was
/// found.
SafetensorsContent parse_safetensors(const std::string& source, const std::byte* bytes,
                                     std::size_t size);

}  // namespace pointtree::io
