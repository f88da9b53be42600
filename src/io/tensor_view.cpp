// SPDX-License-Identifier: Apache-2.0
#include "io/tensor_view.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace pointtree::io {
namespace {

struct Format {
  std::string_view name;
  std::size_t size;
};

const Format& format_of(DType dtype) {
  static constexpr std::array<Format, 7> kFormats{
      {{"F32", 4}, {"BF16", 2}, {"F16", 2}, {"I8", 1}, {"I32", 4}, {"I64", 8}, {"U8", 1}}};
  return kFormats.at(static_cast<std::size_t>(dtype));
}

template <typename T>
T read_at(const std::byte* data, std::size_t index) {
  T value;
  std::memcpy(&value, data + index * sizeof(T), sizeof(T));
  return value;
}

float float_of_bits(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

float float_of_half(std::uint16_t half) {
  const int exponent = (half >> 10) & 0x1F;
  const int mantissa = half & 0x3FF;
  float magnitude;
  if (exponent == 31) {
    magnitude = mantissa == 0 ? INFINITY : NAN;
  } else if (exponent == 0) {
    magnitude = std::ldexp(static_cast<float>(mantissa), -24);
  } else {
    magnitude = std::ldexp(static_cast<float>(mantissa + 0x400), exponent - 25);
  }
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

}  // namespace

std::size_t size_of(DType dtype) { return format_of(dtype).size; }

std::string_view to_string(DType dtype) { return format_of(dtype).name; }

std::string to_string(const std::vector<std::int64_t>& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(shape[i]);
  }
  return text + "]";
}

std::vector<float> to_float32(const TensorView& tensor) {
  std::vector<float> values(tensor.bytes / size_of(tensor.dtype));
  const auto fill = [&](auto number_at) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = number_at(i);
  };
  switch (tensor.dtype) {
    case DType::f32:
      if (!values.empty()) std::memcpy(values.data(), tensor.data, tensor.bytes);
      break;
    case DType::bf16:
      fill([&](std::size_t i) {
        return float_of_bits(std::uint32_t{read_at<std::uint16_t>(tensor.data, i)} << 16);
      });
      break;
    case DType::f16:
      fill([&](std::size_t i) { return float_of_half(read_at<std::uint16_t>(tensor.data, i)); });
      break;
    case DType::i8:
      fill([&](std::size_t i) {
        return float{static_cast<float>(read_at<std::int8_t>(tensor.data, i))};
      });
      break;
    case DType::u8:
      fill(
          [&](std::size_t i) { return static_cast<float>(read_at<std::uint8_t>(tensor.data, i)); });
      break;
    case DType::i32:
    case DType::i64:
      throw std::invalid_argument(tensor.name + ": expected a format that fits float32, found " +
                                  std::string(to_string(tensor.dtype)));
  }
  return values;
}

std::uint16_t to_bfloat16(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if (std::isnan(value)) return static_cast<std::uint16_t>((bits >> 16) | 0x40);
  const std::uint32_t to_even = 0x7FFF + ((bits >> 16) & 1);
  return static_cast<std::uint16_t>((bits + to_even) >> 16);
}

}  // namespace pointtree::io
