// SPDX-License-Identifier: Apache-2.0
#include "allowed_classes.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "io/name_list.hpp"

namespace pointtree::perception {

std::vector<std::size_t> classes_in(const std::string& list, const char* key,
                                    const std::vector<std::string>& classes, char separator) {
  std::vector<std::size_t> numbers;
  for (const std::string& name : io::split(list, separator)) {
    if (name.empty()) continue;
    const auto found = std::find(classes.begin(), classes.end(), name);
    if (found == classes.end()) {
      const std::string guess = io::did_you_mean(name, classes);
      throw std::invalid_argument(
          fmt::format("{}: '{}' is no class of the model{}", key, name,
                      guess.empty() ? fmt::format(" ({})", fmt::join(classes, ", ")) : guess));
    }
    numbers.push_back(static_cast<std::size_t>(found - classes.begin()));
  }
  return numbers;
}

AllowedClasses::AllowedClasses(const ClassesConfig& config,
                               const std::vector<std::string>& classes) {
  const auto allow = classes_in(config.allow, "classes.allow", classes);
  allowed_.assign(classes.size(), allow.empty());
  for (const std::size_t number : allow) allowed_[number] = true;
  for (const std::size_t number : classes_in(config.deny, "classes.deny", classes))
    allowed_[number] = false;
  if (std::none_of(allowed_.begin(), allowed_.end(), [](bool allowed) { return allowed; }))
    throw std::invalid_argument("classes.allow and classes.deny leave no class of the model");
}

void AllowedClasses::restrict_to_allowed(inference::Classification& answer) const {
  double sum = 0.0;
  std::size_t best = answer.log_likelihoods.size();
  for (std::size_t k = 0; k < answer.log_likelihoods.size(); ++k) {
    if (!allows(k)) continue;
    sum += std::exp(static_cast<double>(answer.log_likelihoods[k]));
    if (best == answer.log_likelihoods.size() ||
        answer.log_likelihoods[k] > answer.log_likelihoods[best])
      best = k;
  }
  // Nothing left of the allowed ones but rounding: no ground to choose by.
  if (!(sum > 0.0)) {
    answer.probability = 0.0F;
    std::fill(answer.log_likelihoods.begin(), answer.log_likelihoods.end(),
              -std::numeric_limits<float>::infinity());
    return;
  }
  const auto scale = static_cast<float>(std::log(sum));
  for (std::size_t k = 0; k < answer.log_likelihoods.size(); ++k) {
    answer.log_likelihoods[k] =
        allows(k) ? answer.log_likelihoods[k] - scale : -std::numeric_limits<float>::infinity();
  }
  answer.label = static_cast<std::int32_t>(best);
  answer.probability = std::exp(answer.log_likelihoods[best]);
}

std::vector<std::int32_t> kinds_of_things(const std::string& things,
                                          const std::vector<std::string>& classes) {
  std::vector<std::int32_t> kinds(classes.size(), -1);
  std::int32_t kind = 0;
  for (const std::string& group : io::split(things, ',')) {
    for (const std::size_t number : classes_in(group, "classes.things", classes, '/'))
      kinds[number] = kind;
    ++kind;
  }
  return kinds;
}

}  // namespace pointtree::perception
