// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

/// Enumerations that files and command lines name: `names_of(E)`, beside such an enumeration E,
/// lists the names of its values in their order.
namespace pointtree {

/// The value's name.
template <typename Enum>
auto to_string(Enum value) -> decltype(std::string_view(names_of(value).front())) {
  return names_of(value).at(static_cast<std::size_t>(value));
}

/// "a | b | c", all names.
template <typename Enum>
std::string choices_of() {
  std::string text;
  for (const std::string_view name : names_of(Enum{})) {
    text += (text.empty() ? "" : " | ") + std::string(name);
  }
  return text;
}

/// The value of that name; throws std::invalid_argument with what was asked for, the choices and
/// what was found.
template <typename Enum>
Enum from_string(std::string_view text, const std::string& what) {
  constexpr auto kNames = names_of(Enum{});
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == text) return static_cast<Enum>(i);
  }
  throw std::invalid_argument(what + ": expected " + choices_of<Enum>() + ", found '" +
                              std::string(text) + "'");
}

}  // namespace pointtree
