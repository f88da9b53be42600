// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rcl_handles.hpp"
#include "ros/node_parameters.hpp"

namespace pointtree::ros {

/// The values that the arguments (-p, --params-file) give to the node, wildcards obeyed, later ones
/// over earlier ones. Throws std::runtime_error naming a parameter with an array for a value.
ParameterChanges parameter_overrides(Context& context, const std::string& node);

/// Whether a name in a parameter file, such as "/**" or "lidar/pointtree", means the node.
bool names_node(const std::string& pattern, const std::string& node);

}  // namespace pointtree::ros
