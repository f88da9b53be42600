// SPDX-License-Identifier: Apache-2.0
#include "config_names.hpp"

namespace pointtree::inference {
namespace {

template <typename Enum, std::size_t count>
std::string_view name_in(const std::array<std::string_view, count>& names, Enum value) {
  return names.at(static_cast<std::size_t>(value));
}

}  // namespace

std::string_view to_string(Task task) {
  return name_in<Task, 2>({"classification", "segmentation"}, task);
}

std::string_view to_string(Variant variant) {
  return name_in<Variant, 3>({"def", "ka", "rns"}, variant);
}

std::string_view to_string(Alignment alignment) {
  return name_in<Alignment, 3>({"tnet", "tree", "none"}, alignment);
}

std::string_view to_string(Merge merge) { return name_in<Merge, 2>({"max", "concat_mlp"}, merge); }

std::string_view to_string(Activation activation) {
  return name_in<Activation, 3>({"none", "prelu", "relu"}, activation);
}

std::string_view to_string(geometry::SplitRule rule) {
  return name_in<geometry::SplitRule, 2>({"relaxed", "axis_aligned"}, rule);
}

}  // namespace pointtree::inference
