// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "cuda/emulator.hpp"
#include "geometry/clouds.hpp"
#include "geometry/cuda/sampling_kernels.hpp"

namespace pointtree::geometry::cuda {
namespace {

using test::EmulatedBlock;
using test::Emulator;

/// Clouds of different sizes one behind the other.
struct Ragged {
  std::vector<float> rows;
  std::vector<std::int32_t> first_rows{0};

  void append(const Points& cloud) {
    rows.insert(rows.end(), cloud.data(), cloud.data() + cloud.size());
    first_rows.push_back(first_rows.back() + static_cast<std::int32_t>(cloud.rows()));
  }
};

TEST(CudaSamplingEmulation, gathering_puts_chosen_rows_where_they_belong) {
  Ragged batch;
  batch.append(geometry::test::rounded(geometry::test::scene_cloud(50, 1)));
  batch.append(geometry::test::rounded(geometry::test::scene_cloud(7, 2)));
  const std::vector<std::int32_t> chosen{49, 0, 3, 6, 6, 1};
  Emulator device(1);
  const GatherRows<EmulatedBlock> kernel{device.memory("rows", batch.rows),
                                         device.memory("first_rows", batch.first_rows),
                                         device.memory("chosen", chosen),
                                         device.memory("gathered", std::vector<float>(30, -1.0F)),
                                         2,
                                         3,
                                         3,
                                         5,
                                         1};
  device.launch(kernel);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const float* row = kernel.gathered.values().data() + 5 * i;
    const std::size_t source = static_cast<std::size_t>(chosen[i]) + (i < 3 ? 0 : 50);
    EXPECT_EQ(row[0], -1.0F);
    EXPECT_EQ(row[4], -1.0F);
    for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(row[1 + c], batch.rows[3 * source + c]);
  }
}

}  // namespace
}  // namespace pointtree::geometry::cuda
