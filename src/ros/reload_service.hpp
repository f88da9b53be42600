// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <std_srvs/srv/trigger.hpp>

#include "ros/cloud_node.hpp"

namespace pointtree::ros {

/// The service that loads the model anew; relative to the node's name.
constexpr const char* kReloadService = "~/reload_model";

/// Does what the service is asked for.
inline std_srvs::srv::Trigger::Response answer_reload(CloudNode& node) {
  const auto loaded = node.reload_model();
  std_srvs::srv::Trigger::Response response;
  response.success = loaded.has_value();
  response.message = loaded ? *loaded : loaded.error();
  return response;
}

}  // namespace pointtree::ros
