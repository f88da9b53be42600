// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include "io/compression.hpp"
#include "io/npy.hpp"

namespace pointtree::io {
namespace {

bool is_cloud(const NpyArray& array) { return array.shape.size() == 2 && array.shape[1] >= 3; }

const NpyArray* first_of(const NpzArrays& arrays, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const auto found = arrays.find(name);
    if (found != arrays.end()) return &found->second;
  }
  return nullptr;
}

const NpyArray& points_of(const NpzArrays& arrays) {
  if (const NpyArray* named = first_of(arrays, {"points", "xyz", "data", "orig"})) return *named;
  const NpyArray* only = nullptr;
  for (const auto& [name, array] : arrays) {
    if (!is_cloud(array)) continue;
    if (only != nullptr)
      throw ReadError("npz: several arrays could be the cloud; name one of them 'points'");
    only = &array;
  }
  if (only == nullptr) throw ReadError("npz: no array of shape [n, 3] or [n, 4]");
  return *only;
}

std::vector<std::int32_t> labels_of(const NpyArray& array) {
  std::vector<std::int32_t> labels(array.count());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const double value = array[i];
    if (!(value >= INT32_MIN && value <= INT32_MAX)) {
      throw ReadError("npz: label of point " + std::to_string(i) + " should be a 32-bit integer");
    }
    labels[i] = static_cast<std::int32_t>(value);
  }
  return labels;
}

}  // namespace

NpzArrays parse_npz(ByteView file, const ReadLimits& limits) {
  NpzArrays arrays;
  for (const auto& [name, bytes] : unzip(file, limits)) {
    constexpr std::string_view kSuffix = ".npy";
    const bool is_npy = name.size() > kSuffix.size() &&
                        name.compare(name.size() - kSuffix.size(), kSuffix.size(), kSuffix) == 0;
    if (!is_npy) continue;
    arrays.emplace(name.substr(0, name.size() - kSuffix.size()), parse_npy(bytes, limits));
  }
  return arrays;
}

Cloud cloud_from(const NpzArrays& arrays, const ReadLimits& limits) {
  const NpyArray& points = points_of(arrays);
  Cloud cloud = cloud_from(points, limits);
  const NpyArray* labels = first_of(arrays, {"label", "labels", "ans"});
  if (labels != nullptr && labels->count() == points.shape[0]) cloud.labels = labels_of(*labels);
  return cloud;
}

}  // namespace pointtree::io
