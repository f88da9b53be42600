// SPDX-License-Identifier: Apache-2.0
#include "training/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace pointtree::training {
namespace {

ScheduleConfig named(const char* name, double warmup = 0.0, double floor = 0.0) {
  ScheduleConfig schedule;
  schedule.name = name;
  schedule.warmup = warmup;
  schedule.floor = floor;
  return schedule;
}

TEST(Schedule, exponential_is_the_papers_step_rule) {
  const auto schedule = named("exponential");
  EXPECT_DOUBLE_EQ(learning_rate(schedule, 1e-4, 0, 1000), 1e-4);
  EXPECT_DOUBLE_EQ(learning_rate(schedule, 1e-4, 159, 1000), 1e-4);
  EXPECT_DOUBLE_EQ(learning_rate(schedule, 1e-4, 160, 1000), 1e-4 * 0.998);
  EXPECT_NEAR(learning_rate(schedule, 1e-4, 1600, 2000), 1e-4 * std::pow(0.998, 10), 1e-18);
}

TEST(Schedule, every_shape_peaks_at_the_peak_and_ends_at_its_floor) {
  for (const char* name : {"constant", "exponential", "cosine", "one_cycle"}) {
    SCOPED_TRACE(name);
    const auto schedule = named(name, 0.2, 0.01);
    double highest = 0.0;
    for (std::int64_t step = 0; step < 1000; ++step) {
      const double rate = learning_rate(schedule, 2e-3, step, 1000);
      EXPECT_GT(rate, 0.0);
      EXPECT_LE(rate, 2e-3 * (1.0 + 1e-12));
      highest = std::max(highest, rate);
    }
    EXPECT_NEAR(highest, 2e-3, 2e-5);
  }
  EXPECT_NEAR(learning_rate(named("cosine", 0.2, 0.01), 2e-3, 999, 1000), 2e-5, 1e-7);
  EXPECT_NEAR(learning_rate(named("one_cycle", 0.2, 0.01), 2e-3, 999, 1000), 2e-5, 1e-7);
}

TEST(Schedule, warmup_rises_step_by_step) {
  for (const char* name : {"constant", "cosine", "one_cycle"}) {
    SCOPED_TRACE(name);
    const auto schedule = named(name, 0.5);
    for (std::int64_t step = 1; step < 50; ++step) {
      EXPECT_GT(learning_rate(schedule, 1.0, step, 100),
                learning_rate(schedule, 1.0, step - 1, 100));
    }
  }
}

TEST(Schedule, unknown_name_is_refused) {
  EXPECT_THROW(learning_rate(named("staircase"), 1.0, 0, 1), std::invalid_argument);
}

}  // namespace
}  // namespace pointtree::training
