// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "tree/entry.hpp"

namespace pointtree::geometry::tree {

/// The memory that building a tree of n points takes, 65 bytes per point, in one uninitialised
/// piece.
class Workspace {
 public:
  explicit Workspace(std::size_t n) { reserve(n); }

  /// Makes room for n points; what was there is lost.
  void reserve(std::size_t n) {
    if (n > n_) {
      memory_.reset();
      memory_.reset(static_cast<std::byte*>(::operator new(n* kBytesPerPoint, kAlignment)));
      n_ = n;
    }
  }

  Entry* points() { return reinterpret_cast<Entry*>(memory_.get()); }
  Entry* spare() { return points() + n_; }
  std::int8_t* buckets() { return reinterpret_cast<std::int8_t*>(spare() + n_); }

 private:
  static constexpr std::size_t kBytesPerPoint = 2 * sizeof(Entry) + sizeof(std::int8_t);
  static constexpr std::align_val_t kAlignment{alignof(Entry)};

  struct Release {
    void operator()(std::byte* memory) const { ::operator delete(memory, kAlignment); }
  };

  std::unique_ptr<std::byte, Release> memory_;
  std::size_t n_ = 0;
};

}  // namespace pointtree::geometry::tree
