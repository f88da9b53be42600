// SPDX-License-Identifier: Apache-2.0
#include "fuzz_input.hpp"
#include "io/cloud_formats.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pointtree;  // NOLINT(google-build-using-namespace)
  return fuzz::refuse_or_read(data, size,
                              [](io::ByteView input) { io::parse_ply(input, fuzz::limits()); });
}
