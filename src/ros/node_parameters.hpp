// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "perception/parameter_description.hpp"
#include "ros/node_config.hpp"

namespace pointtree::ros {

/// What it takes to change a parameter of a running node.
enum class ChangeEffect {
  at_once,       ///< nothing
  new_pipeline,  ///< object numbers start anew
  new_model,     ///< the model is loaded beside the old one, then takes its place
  never,         ///< only at start
};

/// One parameter of the nodes: the single source of its declaration, of config/node.yaml and of the
/// table in docs/robot.md.
struct NodeParameter : perception::ParameterRule {
  ChangeEffect effect = ChangeEffect::at_once;
  std::function<perception::ParameterValue(const NodeConfig&)> get;
  std::function<void(NodeConfig&, const perception::ParameterValue&)> set;  ///< unchecked
};

/// Names and values that somebody wants to set.
using ParameterChanges = std::vector<std::pair<std::string, perception::ParameterValue>>;

/// All parameters, in the order in which they are documented; the pipeline's come last.
const std::vector<NodeParameter>& node_parameters();

/// The parameter of that name, or null.
const NodeParameter* find_parameter(const std::string& name);

/// The configuration with the changes made, or every reason why not in one text.
tl::expected<NodeConfig, std::string> with_changes(NodeConfig config,
                                                   const ParameterChanges& changes);

/// What making one configuration the other takes.
ChangeEffect effect_of(const NodeConfig& from, const NodeConfig& to);

/// config/node.yaml.
std::string node_yaml(const NodeConfig& config);

/// The table of parameters in docs/robot.md.
std::string node_parameter_table();

}  // namespace pointtree::ros
