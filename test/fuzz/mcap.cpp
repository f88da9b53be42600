#include <cstdint>

#include "fuzz_input.hpp"
#include "pointtree/data/bag.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pointtree;  // NOLINT(google-build-using-namespace)
  return fuzz::refuse_or_read(data, size, [](data::ByteView input) {
    const auto bag = data::read_mcap(input, fuzz::limits());
    std::uint64_t sum = 0;
    while (const auto message = bag->next()) {
      // Touch the bytes, so that the address sanitizer sees a view that leads astray.
      for (const auto byte : message->data) sum += byte;
      sum += message->topic.size() + message->type.size();
    }
    data::BagSelection selection;
    selection.begin = static_cast<std::int64_t>(sum % 1000);
    bag->select(selection);
    bag->next();
    bag->report();
  });
}
