// SPDX-License-Identifier: Apache-2.0
#include "pointtree/inference/precision.hpp"

#include <stdexcept>
#include <string>

namespace pointtree::inference {

std::string_view to_string(Precision precision) {
  switch (precision) {
    case Precision::float32:
      return "float32";
    case Precision::bfloat16:
      return "bfloat16";
    case Precision::int8:
      return "int8";
  }
  throw std::invalid_argument("precision: unknown value " +
                              std::to_string(static_cast<int>(precision)));
}

Precision precision_from(std::string_view name) {
  for (const Precision precision : {Precision::float32, Precision::bfloat16, Precision::int8}) {
    if (name == to_string(precision)) return precision;
  }
  throw std::invalid_argument("precision: expected float32, bfloat16 or int8, found \"" +
                              std::string(name) + "\"");
}

}  // namespace pointtree::inference
