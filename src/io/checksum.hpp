// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace pointtree::io {

/// SHA-256 of bytes that arrive in pieces.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void update(const void* data, std::size_t size);

  /// 64 lower-case hexadecimal digits; call once, last.
  std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// SHA-256 of a block of memory in lower-case hexadecimal.
std::string sha256(const void* data, std::size_t size);

}  // namespace pointtree::io
