// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "io/tensor_view.hpp"

namespace pointtree::io {

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

}  // namespace pointtree::io
