#include "data/bag_metadata.hpp"

#include <cstdlib>

#include "fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pointtree;  // NOLINT(google-build-using-namespace)
  return fuzz::refuse_or_read(data, size, [](data::ByteView input) {
    for (const auto& name : data::parse_bag_metadata(input.text()).files) {
      if (name.find('/') != std::string::npos || name == "..") std::abort();  // leaves the folder
    }
  });
}
