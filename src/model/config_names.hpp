#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "pointtree/model/model_config.hpp"

/// Names of the enumerations in configuration files.
namespace pointtree::model {

template <typename Enum>
struct EnumNames;

template <>
struct EnumNames<Task> {
  static constexpr std::array kValues{std::pair{Task::classification, "classification"},
                                      std::pair{Task::segmentation, "segmentation"}};
};

template <>
struct EnumNames<Variant> {
  static constexpr std::array kValues{std::pair{Variant::def, "def"}, std::pair{Variant::ka, "ka"},
                                      std::pair{Variant::rns, "rns"}};
};

template <>
struct EnumNames<Alignment> {
  static constexpr std::array kValues{std::pair{Alignment::tnet, "tnet"},
                                      std::pair{Alignment::tree, "tree"},
                                      std::pair{Alignment::none, "none"}};
};

template <>
struct EnumNames<geometry::SplitRule> {
  static constexpr std::array kValues{std::pair{geometry::SplitRule::relaxed, "relaxed"},
                                      std::pair{geometry::SplitRule::axis_aligned, "axis_aligned"}};
};

template <>
struct EnumNames<geometry::PreAlignMode> {
  static constexpr std::array kValues{std::pair{geometry::PreAlignMode::none, "none"},
                                      std::pair{geometry::PreAlignMode::plain, "plain"},
                                      std::pair{geometry::PreAlignMode::iterative, "iterative"},
                                      std::pair{geometry::PreAlignMode::canonical, "canonical"}};
};

template <>
struct EnumNames<Merge> {
  static constexpr std::array kValues{std::pair{Merge::max, "max"},
                                      std::pair{Merge::concat_mlp, "concat_mlp"}};
};

template <>
struct EnumNames<Activation> {
  static constexpr std::array kValues{std::pair{Activation::none, "none"},
                                      std::pair{Activation::prelu, "prelu"},
                                      std::pair{Activation::relu, "relu"}};
};

/// The name of an enumeration's value.
template <typename Enum>
std::string enum_name(Enum value) {
  for (const auto& [candidate, name] : EnumNames<Enum>::kValues) {
    if (candidate == value) return name;
  }
  throw std::logic_error("an enumeration holds a value without a name");
}

/// "a | b | c", all names of an enumeration.
template <typename Enum>
std::string enum_choices() {
  std::string choices;
  for (const auto& entry : EnumNames<Enum>::kValues) {
    if (!choices.empty()) choices += " | ";
    choices += entry.second;
  }
  return choices;
}

/// Inverse of enum_name; throws std::invalid_argument naming the key, the choices and what was
/// found.
template <typename Enum>
Enum enum_value(std::string_view key, std::string_view text) {
  for (const auto& [candidate, name] : EnumNames<Enum>::kValues) {
    if (text == name) return candidate;
  }
  throw std::invalid_argument(std::string(key) + ": expected " + enum_choices<Enum>() +
                              ", found '" + std::string(text) + "'");
}

}  // namespace pointtree::model
