// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "io/fields.hpp"
#include "ros/node_config.hpp"

namespace pointtree::ros {

/// What it takes to change a parameter of a running node.
enum class ChangeEffect {
  at_once,       ///< nothing
  new_pipeline,  ///< object numbers start anew
  new_model,     ///< the model is loaded beside the old one, then takes its place
  never,         ///< only at start
};

/// Names and values that somebody wants to set.
using ParameterChanges = std::vector<std::pair<std::string, io::FieldValue>>;

/// All parameters of the nodes, in the order in which they are documented; the pipeline's come
/// last.
io::Fields fields_of(NodeConfig& config);

/// What changing the parameter of that name takes.
ChangeEffect effect_of(const std::string& name);

/// What making one configuration the other takes.
ChangeEffect effect_of(NodeConfig from, NodeConfig to);

/// The configuration with the changes made, or every reason why not in one text.
tl::expected<NodeConfig, std::string> with_changes(NodeConfig config,
                                                   const ParameterChanges& changes);

}  // namespace pointtree::ros
