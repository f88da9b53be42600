// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
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

}  // namespace pointtree::io
