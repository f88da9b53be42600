// SPDX-License-Identifier: Apache-2.0
#include "parameter_overrides.hpp"

#include <rcl/arguments.h>
#include <rcl_yaml_param_parser/parser.h>

#include <algorithm>
#include <regex>
#include <stdexcept>

#include "ros/parameter_messages.hpp"

namespace pointtree::ros {
namespace {

io::FieldValue value_of(const rcl_variant_t& variant, const std::string& name) {
  if (variant.bool_value != nullptr) return *variant.bool_value;
  if (variant.integer_value != nullptr) return *variant.integer_value;
  if (variant.double_value != nullptr) return *variant.double_value;
  if (variant.string_value != nullptr) return std::string(variant.string_value);
  throw std::runtime_error(not_single(name));
}

}  // namespace

bool names_node(const std::string& pattern, const std::string& node) {
  std::string expression;
  const std::string full = !pattern.empty() && pattern.front() == '/' ? pattern : "/" + pattern;
  for (std::size_t i = 0; i < full.size(); ++i) {
    if (full.compare(i, 3, "/**") == 0) {
      expression += "(/\\w+)*";
      i += 2;
    } else if (full.compare(i, 2, "/*") == 0) {
      expression += "(/\\w+)";
      i += 1;
    } else {
      expression += full[i];
    }
  }
  return std::regex_match(node, std::regex(expression));
}

ParameterChanges parameter_overrides(Context& context, const std::string& node) {
  rcl_params_t* params = nullptr;
  check(rcl_arguments_get_param_overrides(&context.get()->global_arguments, &params),
        "reading the parameters given");
  if (params == nullptr) return {};
  const std::unique_ptr<rcl_params_t, void (*)(rcl_params_t*)> owned(params,
                                                                     rcl_yaml_node_struct_fini);
  ParameterChanges changes;
  for (std::size_t i = 0; i < params->num_nodes; ++i) {
    if (!names_node(params->node_names[i], node)) continue;
    const rcl_node_params_t& given = params->params[i];
    for (std::size_t k = 0; k < given.num_params; ++k) {
      const std::string name = given.parameter_names[k];
      const auto same = [&](const auto& change) { return change.first == name; };
      changes.erase(std::remove_if(changes.begin(), changes.end(), same), changes.end());
      changes.emplace_back(name, value_of(given.parameter_values[k], name));
    }
  }
  return changes;
}

}  // namespace pointtree::ros
