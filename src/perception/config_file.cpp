// SPDX-License-Identifier: Apache-2.0
#include "pointtree/perception/config_file.hpp"

#include <spdlog/fmt/fmt.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "io/yaml_line.hpp"
#include "perception/parameter_description.hpp"

namespace pointtree::perception {
namespace {

bool is_list_of_names(const YAML::Node& node) {
  return node.IsSequence() &&
         std::all_of(node.begin(), node.end(), [](const auto& name) { return name.IsScalar(); });
}

/// YAML scalars carry no type: try the narrowest first. Quoted text is always text.
ParameterValue to_value(const YAML::Node& node) {
  if (node.IsSequence()) {
    std::string names;
    for (const auto& name : node) names += (names.empty() ? "" : ", ") + name.Scalar();
    return names;
  }
  if (node.Tag() == "!") return node.Scalar();
  bool flag = false;
  std::int64_t whole = 0;
  double real = 0.0;
  if (YAML::convert<std::int64_t>::decode(node, whole)) return whole;
  if (YAML::convert<double>::decode(node, real)) return real;
  if (YAML::convert<bool>::decode(node, flag)) return flag;
  return node.Scalar();
}

/// Sets every scalar below `node`; its dotted name begins with `prefix`. Groups hold no groups, so
/// that a file whose aliases lead back into themselves comes to an end.
void apply(const YAML::Node& node, const std::string& prefix, PipelineConfig& config,
           std::vector<std::string>& faults) {
  for (const auto& entry : node) {
    if (!entry.first.IsScalar()) {
      faults.push_back(
          fmt::format("{}a key below '{}' is no name", io::line_of(entry.first), prefix));
      continue;
    }
    const std::string name =
        prefix.empty() ? entry.first.Scalar() : prefix + "." + entry.first.Scalar();
    if (entry.second.IsMap() && prefix.empty()) {
      apply(entry.second, name, config, faults);
    } else if (!entry.second.IsScalar() && !is_list_of_names(entry.second)) {
      faults.push_back(fmt::format("{}{} is no single value", io::line_of(entry.first), name));
    } else if (const auto done = set_parameter(config, name, to_value(entry.second)); !done) {
      faults.push_back(io::line_of(entry.first) + done.error());
    }
  }
}

/// Free text is quoted: empty, it would be no value.
std::string written(const ParameterRule& rule, const ParameterValue& value) {
  const bool free = std::holds_alternative<std::string>(value) && rule.choices.empty();
  return free ? '"' + to_text(value) + '"' : to_text(value);
}

[[noreturn]] void refuse(const std::string& source, const std::string& reason) {
  throw std::runtime_error(fmt::format("{}: {}", source, reason));
}

}  // namespace

PipelineConfig parse_config(const std::string& text, const std::string& source) {
  YAML::Node root;
  try {
    root = YAML::Load(text);
  } catch (const YAML::Exception& error) {
    refuse(source, error.what());
  }
  if (!root.IsMap()) refuse(source, "expected a map of parameters");
  PipelineConfig config;
  std::vector<std::string> faults;
  if (const YAML::Node mode = root["mode"]; mode.IsDefined() && mode.IsScalar()) {
    for (const Mode each : {Mode::blocks, Mode::scene}) {
      if (mode.Scalar() == to_string(each)) config = default_config(each);
    }
  }
  apply(root, "", config, faults);
  if (faults.empty()) faults = validate(config);
  if (!faults.empty()) refuse(source, fmt::format("{}", fmt::join(faults, "; ")));
  return config;
}

PipelineConfig read_config(const std::string& path) {
  std::ifstream file(path);
  if (!file) refuse(path, "cannot be opened");
  std::ostringstream text;
  text << file.rdbuf();
  return parse_config(text.str(), path);
}

std::string to_yaml(const PipelineConfig& config) {
  std::string yaml =
      "# Configuration of the perception pipeline; every parameter with its meaning.\n";
  std::string group;
  for (const ParameterDescription& parameter : parameter_descriptions()) {
    const std::size_t dot = parameter.name.find('.');
    const bool grouped = dot != std::string::npos;
    const std::string own_group = grouped ? parameter.name.substr(0, dot) : "";
    if (own_group != group) {
      group = own_group;
      yaml += group + ":\n";
    }
    yaml += fmt::format("{}{}: {}  # {}{}{}\n", grouped ? "  " : "",
                        grouped ? parameter.name.substr(dot + 1) : parameter.name,
                        written(parameter, parameter.get(config)), parameter.unit,
                        parameter.unit.empty() ? "" : ": ", parameter.help);
  }
  return yaml;
}

}  // namespace pointtree::perception
