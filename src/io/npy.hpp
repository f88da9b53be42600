// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "pointtree/io/byte_view.hpp"
#include "pointtree/io/cloud_file.hpp"
#include "pointtree/io/scalar_type.hpp"

namespace pointtree::io {

/// A NumPy array of numbers.
struct NpyArray {
  ScalarType type = ScalarType::float32;
  bool big_endian = false;
  bool column_major = false;
  std::vector<std::size_t> shape;
  Bytes bytes;

  /// Number of elements.
  std::size_t count() const { return bytes.size() / size_of(type); }
  /// Element `index` as the bytes lie.
  double operator[](std::size_t index) const {
    return load_scalar(bytes.data() + index * size_of(type), type, big_endian);
  }
};

/// Arrays of an archive by name, without their ".npy".
using NpzArrays = std::map<std::string, NpyArray>;

/// Reads an array of numbers; Python objects and records are refused. Throws ReadError.
NpyArray parse_npy(ByteView file, const ReadLimits& limits = {});

/// Reads an archive of arrays, stored or deflated, checking each one's CRC. Throws ReadError.
NpzArrays parse_npz(ByteView file, const ReadLimits& limits = {});

/// The rows of an [n, ≥ 3] array as points; a fourth column is taken as intensity where there are
/// exactly four.
Cloud cloud_from(const NpyArray& rows, const ReadLimits& limits = {});

/// The cloud in an archive: the array `points`, `xyz`, `data` or `orig`, or else the only one of
/// shape [n, ≥ 3], with `label`, `labels` or `ans` of n integers as labels where present. Throws
/// ReadError.
Cloud cloud_from(const NpzArrays& arrays, const ReadLimits& limits = {});

/// Writes float32 [n, 3], or [n, 4] with intensity; other attributes have no place in such a file.
void write_npy(const std::filesystem::path& path, const Cloud& cloud);

}  // namespace pointtree::io
