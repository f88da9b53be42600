// SPDX-License-Identifier: Apache-2.0
#include "io/cdr.hpp"

#include "fuzz_input.hpp"
#include "io/transforms.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pointtree;  // NOLINT(google-build-using-namespace)
  return fuzz::refuse_or_read(data, size, [](io::ByteView input) {
    const auto transforms = io::decode_transforms(input);
    // What was understood can be written and is understood again.
    io::decode_transforms(io::encode_transforms(transforms));
  });
}
