// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rclcpp/version.h>

#include <rclcpp/rclcpp.hpp>

namespace pointtree::ros {

/// The quality of service of services, as rclcpp's create_service takes it: Humble's wants rmw's.
inline auto services_qos() {
#if RCLCPP_VERSION_MAJOR < 17
  return rmw_qos_profile_services_default;
#else
  return rclcpp::ServicesQoS();
#endif
}

}  // namespace pointtree::ros
