#include "fuzz_input.hpp"
#include "pointtree/data/npy.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pointtree;  // NOLINT(google-build-using-namespace)
  return fuzz::refuse_or_read(data, size, [](data::ByteView input) {
    data::cloud_from(data::parse_npz(input, fuzz::limits()), fuzz::limits());
  });
}
