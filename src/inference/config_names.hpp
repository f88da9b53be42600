// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

#include "pointtree/inference/model_config.hpp"
#include "pointtree/inference/precision.hpp"

/// Reading enumerations from configuration files by the names that to_string gives them.
namespace pointtree::inference {

std::string_view to_string(geometry::SplitRule rule);

/// All values of an enumeration.
template <typename Enum>
inline constexpr int kValuesOf = 0;

template <>
inline constexpr std::array kValuesOf<Task>{Task::classification, Task::segmentation};
template <>
inline constexpr std::array kValuesOf<Variant>{Variant::def, Variant::ka, Variant::rns};
template <>
inline constexpr std::array kValuesOf<Alignment>{Alignment::tnet, Alignment::tree, Alignment::none};
template <>
inline constexpr std::array kValuesOf<Merge>{Merge::max, Merge::concat_mlp};
template <>
inline constexpr std::array kValuesOf<Activation>{Activation::none, Activation::prelu,
                                                  Activation::relu};
template <>
inline constexpr std::array kValuesOf<geometry::SplitRule>{geometry::SplitRule::relaxed,
                                                           geometry::SplitRule::axis_aligned};
template <>
inline constexpr std::array kValuesOf<geometry::PreAlignMode>{
    geometry::PreAlignMode::none,      geometry::PreAlignMode::plain,
    geometry::PreAlignMode::iterative, geometry::PreAlignMode::canonical,
    geometry::PreAlignMode::upright,   geometry::PreAlignMode::metric};
template <>
inline constexpr std::array kValuesOf<Precision>{Precision::float32, Precision::bfloat16,
                                                 Precision::int8};

/// "a | b | c", all names of an enumeration.
template <typename Enum>
std::string enum_choices() {
  std::string choices;
  for (const Enum value : kValuesOf<Enum>) {
    if (!choices.empty()) choices += " | ";
    choices += to_string(value);
  }
  return choices;
}

/// The value of that name; throws std::invalid_argument naming the key, the choices and what was
/// found.
template <typename Enum>
Enum enum_value(std::string_view key, std::string_view text) {
  for (const Enum value : kValuesOf<Enum>) {
    if (to_string(value) == text) return value;
  }
  throw std::invalid_argument(std::string(key) + ": expected " + enum_choices<Enum>() +
                              ", found '" + std::string(text) + "'");
}

}  // namespace pointtree::inference
