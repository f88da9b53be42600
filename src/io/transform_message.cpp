// SPDX-License-Identifier: Apache-2.0
#include "io/transform_message.hpp"

#include "io/cdr.hpp"
#include "io/message_header.hpp"

namespace pointtree::io {
Bytes encode_transforms(const std::vector<TransformMessage>& transforms, bool big_endian) {
  CdrWriter writer(big_endian);
  writer.sequence(transforms.size());
  for (const auto& transform : transforms) {
    write_header(writer, transform.header);
    writer.text(transform.child_frame_id);
    for (int i = 0; i < 3; ++i) writer.f64(transform.translation[i]);
    for (int i = 0; i < 4; ++i) writer.f64(transform.rotation.coeffs()[i]);
  }
  return writer.finish();
}

}  // namespace pointtree::io
