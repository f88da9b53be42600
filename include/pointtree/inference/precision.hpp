// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pointtree/geometry/enum_names.hpp"

namespace pointtree::inference {

/// How the engine stores and multiplies the weights of the large linear maps.
enum class Precision {
  float32,   ///< as trained
  bfloat16,  ///< weights rounded to bfloat16, products and sums in float32
  int8,      ///< weights per output row and activations per input row in 8 bits, sums in int32
};
constexpr std::array<std::string_view, 3> names_of(Precision /*of*/) {
  return {"float32", "bfloat16", "int8"};
}
using pointtree::to_string;

}  // namespace pointtree::inference
