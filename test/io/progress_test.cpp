// SPDX-License-Identifier: Apache-2.0
#include "io/progress.hpp"

#include <gtest/gtest.h>

namespace pointtree::io {
namespace {

TEST(Progress, time_left_follows_from_the_share_done_and_is_not_guessed_before) {
  EXPECT_EQ(time_left(60.0, 0.25), ", 3:00 left");
  EXPECT_EQ(time_left(60.0, 1.0), ", 0:00 left");
  EXPECT_EQ(time_left(60.0, 0.0), "");
}

}  // namespace
}  // namespace pointtree::io
