// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace pointtree::inference {

/// How the engine stores and multiplies the weights of the large linear maps.
enum class Precision {
  float32,   ///< as trained
  bfloat16,  ///< weights rounded to bfloat16, products and sums in float32
  int8,      ///< weights per output row and activations per input row in 8 bits, sums in int32
};

/// The precision's name in configuration files and on the command line.
std::string_view to_string(Precision precision);

/// Inverse of to_string; throws std::invalid_argument naming the text and the choices.
Precision precision_from(std::string_view name);

}  // namespace pointtree::inference
