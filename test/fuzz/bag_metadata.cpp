// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "fuzz_input.hpp"
#include "io/bag_readers.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pointtree;  // NOLINT(google-build-using-namespace)
  return fuzz::refuse_or_read(data, size, [](io::ByteView input) {
    for (const auto& name : io::parse_bag_metadata(input.text()).files) {
      if (name.find('/') != std::string::npos || name == "..") std::abort();  // leaves the folder
    }
  });
}
