// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace pointtree::training {

/// How the learning rate changes over a run.
struct ScheduleConfig {
  std::string name = "exponential";  ///< constant, exponential, cosine or one_cycle
  double factor = 0.998;             ///< exponential: multiplies the rate ...
  std::int64_t every = 160;          ///< ... every so many steps (the paper: 20 rounds of 8 steps)
  double warmup = 0.0;  ///< share of the run with a linear rise (one_cycle: cosine rise)
  double floor = 0.0;   ///< cosine, one_cycle: last rate as a share of the highest
};

/// Learning rate of a step (counted from 0) in a run of `steps` steps whose highest rate is `peak`.
double learning_rate(const ScheduleConfig& schedule, double peak, std::int64_t step,
                     std::int64_t steps);

}  // namespace pointtree::training
