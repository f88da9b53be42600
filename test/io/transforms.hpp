// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "io/cdr.hpp"

namespace pointtree::io {

/// Reads tf2_msgs/msg/TFMessage as it was sent, whatever its numbers. Throws ReadError.
inline std::vector<TransformMessage> decode_transforms(ByteView cdr) {
  // A stamp, the lengths of two texts and seven doubles.
  constexpr std::size_t kLeastTransformBytes = 72;
  CdrReader reader(cdr);
  std::vector<TransformMessage> transforms(reader.sequence(kLeastTransformBytes));
  for (auto& transform : transforms) {
    transform.header = read_header(reader);
    transform.child_frame_id = std::string(reader.text());
    for (int i = 0; i < 3; ++i) transform.translation[i] = reader.f64();
    // Eigen keeps x y z w in this order too.
    for (int i = 0; i < 4; ++i) transform.rotation.coeffs()[i] = reader.f64();
  }
  return transforms;
}

}  // namespace pointtree::io
