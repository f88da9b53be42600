// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "fuzz_input.hpp"
#include "pointtree/io/bag.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pointtree;  // NOLINT(google-build-using-namespace)
  return fuzz::refuse_or_read(data, size, [](io::ByteView input) {
    const auto bag = io::read_mcap(input, fuzz::limits());
    std::uint64_t sum = 0;
    while (const auto message = bag->next()) {
      // Touch the bytes, so that the address sanitizer sees a view that leads astray.
      for (const auto byte : message->data) sum += byte;
      sum += message->topic.size() + message->type.size();
    }
    io::BagSelection selection;
    selection.begin = static_cast<std::int64_t>(sum % 1000);
    bag->select(selection);
    bag->next();
    bag->report();
  });
}
