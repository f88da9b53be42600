// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rmw/types.h>

#include <optional>
#include <rcl_interfaces/msg/parameter_descriptor.hpp>
#include <rcl_interfaces/msg/parameter_value.hpp>
#include <rcl_interfaces/msg/set_parameters_result.hpp>
#include <string>
#include <tl/expected.hpp>

#include "ros/node_parameters.hpp"

namespace pointtree::ros {

/// The value as ROS sends it.
rcl_interfaces::msg::ParameterValue to_message(const io::FieldValue& value);

/// The value of a message; empty for arrays and for no value, which no parameter here is.
std::optional<io::FieldValue> from_message(const rcl_interfaces::msg::ParameterValue& message);

/// What to say of a parameter whose value is an array or none.
std::string not_single(const std::string& name);

/// The answer to a change of parameters.
rcl_interfaces::msg::SetParametersResult set_result(const tl::expected<void, std::string>& outcome);

/// What `ros2 param describe` shows.
rcl_interfaces::msg::ParameterDescriptor to_descriptor(const io::Field& parameter);

/// The quality of service as the middleware takes it.
rmw_qos_profile_t to_profile(const QosConfig& qos);

}  // namespace pointtree::ros
