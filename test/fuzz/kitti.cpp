// SPDX-License-Identifier: Apache-2.0
#include "fuzz_input.hpp"
#include "io/cloud_formats.hpp"
#include "memory_file.hpp"

/// The same bytes as a scan and as labels.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pointtree;  // NOLINT(google-build-using-namespace)
  fuzz::refuse_or_read(data, size, [&](io::ByteView input) {
    if (io::parse_kitti(input, fuzz::limits()).points.rows() !=
        static_cast<Eigen::Index>(size / 16))
      std::abort();
  });
  return fuzz::refuse_or_open<io::ReadError>(data, size, [&](const auto& path) {
    const auto labels = io::read_kitti_labels(path, fuzz::limits());
    if (labels.size() != size / 4) std::abort();
    for (const auto label : labels) {
      if (label < 0 || label > 0xFFFF) std::abort();
    }
  });
}
