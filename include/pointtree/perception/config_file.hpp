// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "pointtree/perception/pipeline_config.hpp"

namespace pointtree::perception {

/// Reads a configuration file over the defaults of its mode; throws std::runtime_error with the
/// file and every wrong or unknown key.
PipelineConfig read_config(const std::string& path);

/// Reads configuration text; `source` names it in errors.
PipelineConfig parse_config(const std::string& text, const std::string& source);

/// The configuration as a YAML document with each parameter's meaning beside it.
std::string to_yaml(const PipelineConfig& config);

}  // namespace pointtree::perception
