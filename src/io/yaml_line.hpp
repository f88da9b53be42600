// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>

namespace pointtree::io {

/// Begins a message about a place in a YAML file: "line 7: "; empty for a node that came from
/// elsewhere, such as the command line.
inline std::string line_of(const YAML::Node& node) {
  const YAML::Mark mark = node.Mark();
  return mark.is_null() ? std::string() : "line " + std::to_string(mark.line + 1) + ": ";
}

}  // namespace pointtree::io
