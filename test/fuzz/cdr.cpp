#include "pointtree/data/cdr.hpp"

#include "fuzz_input.hpp"
#include "pointtree/data/transform_message.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pointtree;  // NOLINT(google-build-using-namespace)
  return fuzz::refuse_or_read(data, size, [](data::ByteView input) {
    const auto transforms = data::decode_transforms(input);
    // What was understood can be written and is understood again.
    data::decode_transforms(data::encode_transforms(transforms));
  });
}
