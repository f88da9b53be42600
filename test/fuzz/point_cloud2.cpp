// SPDX-License-Identifier: Apache-2.0
#include "pointtree/io/point_cloud2.hpp"

#include <cstdlib>

#include "fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pointtree;  // NOLINT(google-build-using-namespace)
  return fuzz::refuse_or_read(data, size, [](io::ByteView input) {
    const auto message = io::decode_point_cloud2(input);
    const auto again = io::decode_point_cloud2(io::encode_point_cloud2(message, true));
    if (again.data.size != message.data.size || again.fields.size() != message.fields.size())
      std::abort();
  });
}
