// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <diagnostic_msgs/msg/diagnostic_status.hpp>
#include <string>

#include "pointtree/inference/engine.hpp"
#include "ros/frame_statistics.hpp"
#include "ros/node_config.hpp"

namespace pointtree::ros {

/// How the node is doing: a level, a sentence and every figure behind them. Late, dropped, rejected
/// and lost frames since the last report raise the level.
diagnostic_msgs::msg::DiagnosticStatus make_diagnostics(const std::string& node,
                                                        const FrameReport& report,
                                                        const NodeConfig& config,
                                                        const inference::EngineInfo& model);

}  // namespace pointtree::ros
