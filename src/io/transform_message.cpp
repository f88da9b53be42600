#include "pointtree/io/transform_message.hpp"

#include "pointtree/io/cdr.hpp"
#include "pointtree/io/message_header.hpp"

namespace pointtree::io {
namespace {

// A stamp, the lengths of two texts and seven doubles.
constexpr std::size_t kLeastTransformBytes = 72;

}  // namespace

std::vector<TransformMessage> decode_transforms(ByteView cdr) {
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
