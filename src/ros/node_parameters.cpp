// SPDX-License-Identifier: Apache-2.0
#include "ros/node_parameters.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <regex>
#include <type_traits>

namespace pointtree::ros {
namespace {

using perception::ParameterValue;

template <typename T>
using Field = T& (*)(NodeConfig&);

template <typename T>
NodeParameter describe(std::string name, ChangeEffect effect, Field<T> field, std::string help) {
  using Stored = std::conditional_t<std::is_same_v<T, int>, std::int64_t, T>;
  NodeParameter parameter;
  parameter.name = std::move(name);
  parameter.help = std::move(help);
  parameter.effect = effect;
  parameter.get = [field](const NodeConfig& config) -> ParameterValue {
    NodeConfig copy = config;
    return static_cast<Stored>(field(copy));
  };
  parameter.set = [field](NodeConfig& config, const ParameterValue& value) {
    field(config) = static_cast<T>(std::get<Stored>(value));
  };
  return parameter;
}

NodeParameter within(NodeParameter parameter, double minimum, double maximum, std::string unit) {
  parameter.minimum = minimum;
  parameter.maximum = maximum;
  parameter.unit = std::move(unit);
  return parameter;
}

NodeParameter one_of(NodeParameter parameter, std::vector<std::string> choices) {
  parameter.choices = std::move(choices);
  return parameter;
}

using C = NodeConfig;

std::vector<NodeParameter> describe_model() {
  using Text = std::string;
  return {
      describe<Text>(
          "model", ChangeEffect::new_model, [](C& c) -> Text& { return c.model; },
          "folder of the model bundle, or the name of one that comes with the package"),
      describe<Text>(
          "device", ChangeEffect::new_model, [](C& c) -> Text& { return c.device; },
          "where the network runs: auto, cpu or cuda:N"),
      one_of(describe<Text>(
                 "precision", ChangeEffect::new_model, [](C& c) -> Text& { return c.precision; },
                 "how the weights are multiplied; bundle: as they are stored"),
             {"bundle", "float32", "bfloat16", "int8"}),
      within(describe<int>(
                 "threads", ChangeEffect::new_model, [](C& c) -> int& { return c.threads; },
                 "threads of the network and of the trees; 0: as many as cores"),
             0, 256, ""),
      within(describe<int>(
                 "max_batch", ChangeEffect::new_model, [](C& c) -> int& { return c.max_batch; },
                 "objects or columns in one pass of the network"),
             1, 1024, ""),
      describe<bool>(
          "paused", ChangeEffect::at_once, [](C& c) -> bool& { return c.paused; },
          "clouds are dropped and counted, nothing is computed"),
  };
}

std::vector<NodeParameter> write_multi_scale_features() {
  using Text = std::string;
  return {
      describe<Text>(
          "target_frame", ChangeEffect::new_pipeline, [](C& c) -> Text& { return c.target_frame; },
          "frame in which clouds are processed and published; empty: their own"),
      within(describe<double>(
                 "transform_timeout", ChangeEffect::at_once,
                 [](C& c) -> double& { return c.transform_timeout; },
                 "longest wait for the transform to target_frame; then the cloud is rejected"),
             0.0, 10.0, "s"),
      within(describe<double>(
                 "diagnostics.warn_latency", ChangeEffect::at_once,
                 [](C& c) -> double& { return c.warn_latency; },
                 "a cloud answered later than this after its arrival makes a warning"),
             0.0, 1e6, "ms"),
      within(describe<double>(
                 "diagnostics.error_latency", ChangeEffect::at_once,
                 [](C& c) -> double& { return c.error_latency; },
                 "a cloud answered later than this after its arrival makes an error"),
             0.0, 1e6, "ms"),
      within(describe<double>(
                 "diagnostics.period", ChangeEffect::at_once,
                 [](C& c) -> double& { return c.diagnostics_period; },
                 "time between two diagnostic messages"),
             0.05, 60.0, "s"),
      within(describe<double>(
                 "diagnostics.silence_timeout", ChangeEffect::at_once,
                 [](C& c) -> double& { return c.silence_timeout; },
                 "after so long without a cloud the log says what is seen on the input"),
             0.1, 1e6, "s"),
      describe<Text>(
          "filter.classes", ChangeEffect::new_pipeline,
          [](C& c) -> Text& { return c.filter_classes; },
          "names with commas, also unknown and ground: the points in output/filtered; empty: all "
          "but the ground"),
      describe<bool>(
          "detections.unknown", ChangeEffect::at_once,
          [](C& c) -> bool& { return c.unknown_detections; },
          "output/detections also has objects below min_confidence, as class unknown"),
  };
}

std::vector<NodeParameter> describe_qos() {
  using Text = std::string;
  const std::vector<Text> reliabilities = {"best_effort", "reliable"};
  const std::vector<Text> durabilities = {"volatile", "transient_local"};
  const auto never = ChangeEffect::never;
  return {
      one_of(
          describe<Text>(
              "input_qos.reliability", never, [](C& c) -> Text& { return c.input_qos.reliability; },
              "auto: reliable if all publishers are, else best_effort; best_effort hears every "
              "publisher, reliable asks for lost messages again"),
          {"auto", "best_effort", "reliable"}),
      one_of(
          describe<Text>(
              "input_qos.durability", never, [](C& c) -> Text& { return c.input_qos.durability; },
              "transient_local also hears what was published before the start"),
          durabilities),
      within(describe<int>(
                 "input_qos.depth", never, [](C& c) -> int& { return c.input_qos.depth; },
                 "clouds that the middleware keeps for the node"),
             1, 1000, ""),
      one_of(describe<Text>(
                 "output_qos.reliability", never,
                 [](C& c) -> Text& { return c.output_qos.reliability; },
                 "reliable serves every subscriber; best_effort never waits for one"),
             reliabilities),
      one_of(
          describe<Text>(
              "output_qos.durability", never, [](C& c) -> Text& { return c.output_qos.durability; },
              "transient_local gives late subscribers the last results"),
          durabilities),
      within(describe<int>(
                 "output_qos.depth", never, [](C& c) -> int& { return c.output_qos.depth; },
                 "results that the middleware keeps for a slow subscriber"),
             1, 1000, ""),
  };
}

std::vector<NodeParameter> describe_pipeline() {
  std::vector<NodeParameter> parameters;
  for (const perception::ParameterDescription& description : perception::parameter_descriptions()) {
    NodeParameter parameter;
    static_cast<perception::ParameterRule&>(parameter) = description;
    parameter.effect = ChangeEffect::new_pipeline;
    parameter.get = [get = description.get](const NodeConfig& config) {
      return get(config.pipeline);
    };
    parameter.set = [set = description.set](NodeConfig& config, const ParameterValue& value) {
      set(config.pipeline, value);
    };
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

/// Rules that are not about one number or choice.
std::vector<std::string> validate(const NodeConfig& config) {
  std::vector<std::string> faults = perception::validate(config.pipeline);
  static const std::regex kDevice("auto|cpu|cuda:[0-9]{1,3}");
  if (!std::regex_match(config.device, kDevice)) {
    faults.push_back(fmt::format("device is '{}'; expected auto, cpu or cuda:N", config.device));
  }
  if (config.model.empty()) faults.emplace_back("model is empty; expected a folder or a name");
  if (config.warn_latency > config.error_latency) {
    faults.push_back(
        fmt::format("diagnostics.warn_latency is {}, more than "
                    "diagnostics.error_latency, which is {}",
                    config.warn_latency, config.error_latency));
  }
  return faults;
}

/// Text that YAML would not take for something else.
std::string yaml_text(const ParameterValue& value) {
  const std::string text = perception::to_text(value);
  return std::holds_alternative<std::string>(value) && text.empty() ? "\"\"" : text;
}

std::string_view effect_name(ChangeEffect effect) {
  switch (effect) {
    case ChangeEffect::at_once:
      return "at once";
    case ChangeEffect::new_pipeline:
      return "from the next cloud on";
    case ChangeEffect::new_model:
      return "after loading the model";
    case ChangeEffect::never:
      break;
  }
  return "only at start";
}

}  // namespace

const std::vector<NodeParameter>& node_parameters() {
  static const std::vector<NodeParameter> kParameters = [] {
    std::vector<NodeParameter> all = describe_model();
    for (const auto& part : {write_multi_scale_features(), describe_qos(), describe_pipeline()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }();
  return kParameters;
}

const NodeParameter* find_parameter(const std::string& name) {
  const auto& all = node_parameters();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const NodeParameter& each) { return each.name == name; });
  return found == all.end() ? nullptr : &*found;
}

tl::expected<NodeConfig, std::string> with_changes(NodeConfig config,
                                                   const ParameterChanges& changes) {
  std::vector<std::string> faults;
  for (const auto& [name, value] : changes) {
    const NodeParameter* parameter = find_parameter(name);
    if (parameter == nullptr) {
      faults.push_back(fmt::format("there is no parameter '{}'", name));
      continue;
    }
    const auto wanted = perception::fit_value(*parameter, parameter->get(config), value);
    if (wanted) {
      parameter->set(config, *wanted);
    } else {
      faults.push_back(wanted.error());
    }
  }
  if (faults.empty()) faults = validate(config);
  if (!faults.empty()) return tl::unexpected(fmt::format("{}", fmt::join(faults, "; ")));
  return config;
}

ChangeEffect effect_of(const NodeConfig& from, const NodeConfig& to) {
  ChangeEffect effect = ChangeEffect::at_once;
  for (const NodeParameter& parameter : node_parameters()) {
    if (parameter.get(from) != parameter.get(to)) effect = std::max(effect, parameter.effect);
  }
  return effect;
}

std::string node_yaml(const NodeConfig& config) {
  std::string yaml =
      "# Parameters of the PointTree nodes with their defaults; see docs/robot.md.\n"
      "/**:\n  ros__parameters:\n";
  std::string group;
  for (const NodeParameter& parameter : node_parameters()) {
    const std::size_t dot = parameter.name.find('.');
    const bool grouped = dot != std::string::npos;
    const std::string own_group = grouped ? parameter.name.substr(0, dot) : "";
    if (own_group != group && grouped) yaml += fmt::format("    {}:\n", own_group);
    group = own_group;
    yaml += fmt::format("    {}{}: {}  # {}{}{}\n", grouped ? "  " : "",
                        grouped ? parameter.name.substr(dot + 1) : parameter.name,
                        yaml_text(parameter.get(config)), parameter.unit,
                        parameter.unit.empty() ? "" : ": ", parameter.help);
  }
  return yaml;
}

std::string node_parameter_table() {
  const NodeConfig config;
  std::string table =
      "| parameter | type | default | allowed | unit | changes | meaning |\n"
      "|---|---|---|---|---|---|---|\n";
  for (const NodeParameter& parameter : node_parameters()) {
    const ParameterValue value = parameter.get(config);
    table += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} |\n", parameter.name,
                         perception::type_name(value), yaml_text(value),
                         perception::allowed_values(parameter, value), parameter.unit,
                         effect_name(parameter.effect), parameter.help);
  }
  return table;
}

}  // namespace pointtree::ros
