// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>
#include <vector>

#include "pointtree/perception/pipeline_config.hpp"

namespace pointtree::perception {

/// A parameter's value as configuration files and ROS know it.
using ParameterValue = std::variant<bool, std::int64_t, double, std::string>;

/// What a parameter is called, means and may be.
struct ParameterRule {
  std::string name;  ///< dotted: "ground.cell_size"
  std::string unit;  ///< empty for counts, ratios and names
  std::string help;
  double minimum = 0.0;              ///< least number allowed
  double maximum = 0.0;              ///< greatest number allowed
  std::vector<std::string> choices;  ///< texts allowed; empty: any
};

/// One field of PipelineConfig: the single source of its YAML key, ROS parameter and documentation.
struct ParameterDescription : ParameterRule {
  std::function<ParameterValue(const PipelineConfig&)> get;
  std::function<void(PipelineConfig&, const ParameterValue&)>
      set;  ///< unchecked; see set_parameter
};

/// All parameters, in the order in which they are documented.
const std::vector<ParameterDescription>& parameter_descriptions();

/// The value in the type of the parameter's current one, or what was expected and found. A whole
/// number is taken where a real one is expected.
tl::expected<ParameterValue, std::string> fit_value(const ParameterRule& rule,
                                                    const ParameterValue& current,
                                                    const ParameterValue& value);

/// What the parameter may be, for tables: "0 … 10", "true, false" or the choices.
std::string allowed_values(const ParameterRule& rule, const ParameterValue& value);

/// Sets one parameter; the error names it, what was expected and what was found.
tl::expected<void, std::string> set_parameter(PipelineConfig& config, std::string_view name,
                                              const ParameterValue& value);

/// Every rule the configuration breaks, one sentence each, including rules between parameters.
std::vector<std::string> validate(const PipelineConfig& config);

/// "real", "integer", "boolean" or "text".
std::string_view type_name(const ParameterValue& value);

/// The value as written in YAML.
std::string to_text(const ParameterValue& value);

/// The table of parameters in docs/pipeline.md.
std::string parameter_table();

}  // namespace pointtree::perception
