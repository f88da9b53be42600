// SPDX-License-Identifier: Apache-2.0
#include "training/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace pointtree::training {

namespace {

constexpr double kPi = 3.14159265358979323846;

// Falls from 1 to 0 along half a cosine as x goes from 0 to 1.
double half_cosine(double x) { return 0.5 * (1.0 + std::cos(kPi * std::clamp(x, 0.0, 1.0))); }

// A one-cycle run starts at this share of its highest rate.
constexpr double kOneCycleStart = 0.04;

}  // namespace

double learning_rate(const ScheduleConfig& schedule, double peak, std::int64_t step,
                     std::int64_t steps) {
  const double warmup_steps = schedule.warmup * static_cast<double>(steps);
  const auto at = static_cast<double>(step);
  const bool rising = at < warmup_steps;
  const double rise = rising ? (at + 1.0) / (warmup_steps + 1.0) : 1.0;
  const double fall_steps = std::max(1.0, static_cast<double>(steps) - warmup_steps);
  const double fallen = half_cosine((at - warmup_steps) / fall_steps);

  if (schedule.name == "constant") return peak * rise;
  if (schedule.name == "exponential") {
    const auto drops = step / schedule.every;
    return peak * rise * std::pow(schedule.factor, static_cast<double>(drops));
  }
  if (schedule.name == "cosine") {
    return peak * (rising ? rise : schedule.floor + (1.0 - schedule.floor) * fallen);
  }
  if (schedule.name == "one_cycle") {
    if (rising) return peak * (1.0 - (1.0 - kOneCycleStart) * half_cosine(at / warmup_steps));
    return peak * (schedule.floor + (1.0 - schedule.floor) * fallen);
  }
  throw std::invalid_argument("schedule '" + schedule.name +
                              "' is none of constant, exponential, cosine, one_cycle");
}

}  // namespace pointtree::training
