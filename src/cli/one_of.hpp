// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <spdlog/fmt/fmt.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "io/name_list.hpp"

namespace pointtree::cli {

/// Accepts the names of an enumeration's values; --help lists them, and a misspelled one gets a
/// guess.
template <typename Enum>
CLI::Validator one_of() {
  constexpr auto kNames = names_of(Enum{});
  const std::vector<std::string> names(kNames.begin(), kNames.end());
  const auto check = [names](const std::string& text) -> std::string {
    if (std::find(names.begin(), names.end(), text) != names.end()) return {};
    return fmt::format("expected {}, found '{}'{}", fmt::join(names, " | "), text,
                       io::did_you_mean(text, names));
  };
  return {check, fmt::format("{{{}}}", fmt::join(names, ","))};
}

}  // namespace pointtree::cli
