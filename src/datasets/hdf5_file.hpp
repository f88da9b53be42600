// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace pointtree::datasets {

/// An HDF5 file of plain numeric arrays. All calls of the process are serialised, since the library
/// may have been built without thread safety. Errors are std::runtime_error naming the file and the
/// array.
class Hdf5File {
 public:
  static Hdf5File open(const std::filesystem::path& path);
  static Hdf5File create(const std::filesystem::path& path);
  Hdf5File(Hdf5File&& other) noexcept;
  Hdf5File& operator=(Hdf5File&&) = delete;
  ~Hdf5File();

  const std::filesystem::path& path() const { return path_; }
  bool has(const std::string& name) const;

  /// Lengths of the array's dimensions, slowest first.
  std::vector<std::size_t> shape(const std::string& name) const;

  /// Rows first … first + count − 1 of the first dimension, converted to the wanted type.
  std::vector<float> read_floats(const std::string& name, std::size_t first,
                                 std::size_t count) const;
  std::vector<std::int32_t> read_ints(const std::string& name, std::size_t first,
                                      std::size_t count) const;

  /// Stores an array, compressed in chunks of a few rows where it has any.
  void write_floats(const std::string& name, const std::vector<std::size_t>& shape,
                    const float* values);
  void write_ints(const std::string& name, const std::vector<std::size_t>& shape,
                  const std::int32_t* values);

 private:
  Hdf5File(std::filesystem::path path, std::int64_t handle);

  std::filesystem::path path_;
  std::int64_t handle_;
};

}  // namespace pointtree::datasets
