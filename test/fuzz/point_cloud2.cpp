#include "pointtree/data/point_cloud2.hpp"

#include <cstdlib>

#include "fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pointtree;  // NOLINT(google-build-using-namespace)
  return fuzz::refuse_or_read(data, size, [](data::ByteView input) {
    const auto message = data::decode_point_cloud2(input);
    const auto again = data::decode_point_cloud2(data::encode_point_cloud2(message, true));
    if (again.data.size != message.data.size || again.fields.size() != message.fields.size())
      std::abort();
    data::cloud_from(message, fuzz::limits());
  });
}
