// SPDX-License-Identifier: Apache-2.0
#include "perception/cell_index.hpp"

#include <spdlog/fmt/fmt.h>

#include <array>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace pointtree::perception {
namespace {

/// Empty cells kept around the cloud so that neighbours two cells away have keys of their own.
constexpr int kMargin = 2;
constexpr float kMaxCells = 1 << 20;
constexpr int kRadixBits = 11;

int bits_for(std::uint64_t count) {
  int bits = 1;
  while ((std::uint64_t{1} << bits) < count) ++bits;
  return bits;
}

}  // namespace

void CellIndex::assign(const PointBuffer& points, float cell_size) {
  cells_.clear();
  order_.resize(points.size());
  keys_.resize(points.size());
  if (points.empty()) return;
  Eigen::Array3f low = points.front().array();
  Eigen::Array3f high = low;
  for (const Eigen::Vector3f& point : points) {
    low = low.min(point.array());
    high = high.max(point.array());
  }
  const Eigen::Array3f counts = ((high - low) / cell_size).floor() + 1.0F;
  if (!(counts <= kMaxCells).all()) {
    throw std::invalid_argument(
        fmt::format("cells of {} m are too small for a cloud of {} x {} x {} m", cell_size,
                    high.x() - low.x(), high.y() - low.y(), high.z() - low.z()));
  }
  const auto bits_of = [&](int axis) {
    return bits_for(static_cast<std::uint64_t>(counts[axis]) + 2 * kMargin + 1);
  };
  shift_y_ = bits_of(2);
  shift_x_ = shift_y_ + bits_of(1);
  const float scale = 1.0F / cell_size;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Eigen::Array3i cell = ((points[i].array() - low) * scale).cast<int>() + kMargin;
    keys_[i] = (static_cast<std::uint64_t>(cell.x()) << shift_x_) |
               (static_cast<std::uint64_t>(cell.y()) << shift_y_) |
               static_cast<std::uint64_t>(cell.z());
  }
  std::iota(order_.begin(), order_.end(), 0U);
  sort_keys(shift_x_ + bits_of(0));
  for (std::uint32_t begin = 0; begin < keys_.size();) {
    std::uint32_t end = begin + 1;
    while (end < keys_.size() && keys_[end] == keys_[begin]) ++end;
    cells_.push_back({keys_[begin], begin, end});
    begin = end;
  }
}

void CellIndex::sort_keys(int bits) {
  constexpr std::size_t kBuckets = std::size_t{1} << kRadixBits;
  keys_scratch_.resize(keys_.size());
  order_scratch_.resize(order_.size());
  for (int shift = 0; shift < bits; shift += kRadixBits) {
    std::array<std::uint32_t, kBuckets> start{};
    for (const std::uint64_t key : keys_) ++start[(key >> shift) & (kBuckets - 1)];
    std::uint32_t sum = 0;
    for (std::uint32_t& bucket : start) sum += std::exchange(bucket, sum);
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      const std::uint32_t place = start[(keys_[i] >> shift) & (kBuckets - 1)]++;
      keys_scratch_[place] = keys_[i];
      order_scratch_[place] = order_[i];
    }
    keys_.swap(keys_scratch_);
    order_.swap(order_scratch_);
  }
}

}  // namespace pointtree::perception
