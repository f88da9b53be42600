// SPDX-License-Identifier: Apache-2.0
#include "ros/parameter_messages.hpp"

#include <rmw/qos_profiles.h>

#include <rcl_interfaces/msg/parameter_type.hpp>

namespace pointtree::ros {

using rcl_interfaces::msg::ParameterType;

rcl_interfaces::msg::ParameterValue to_message(const io::FieldValue& value) {
  rcl_interfaces::msg::ParameterValue message;
  if (const auto* flag = std::get_if<bool>(&value)) {
    message.type = ParameterType::PARAMETER_BOOL;
    message.bool_value = *flag;
  } else if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    message.type = ParameterType::PARAMETER_INTEGER;
    message.integer_value = *whole;
  } else if (const auto* real = std::get_if<double>(&value)) {
    message.type = ParameterType::PARAMETER_DOUBLE;
    message.double_value = *real;
  } else {
    message.type = ParameterType::PARAMETER_STRING;
    message.string_value = std::get<std::string>(value);
  }
  return message;
}

std::optional<io::FieldValue> from_message(const rcl_interfaces::msg::ParameterValue& message) {
  switch (message.type) {
    case ParameterType::PARAMETER_BOOL:
      return message.bool_value;
    case ParameterType::PARAMETER_INTEGER:
      return message.integer_value;
    case ParameterType::PARAMETER_DOUBLE:
      return message.double_value;
    case ParameterType::PARAMETER_STRING:
      return message.string_value;
    default:
      return std::nullopt;
  }
}

std::string not_single(const std::string& name) { return name + " must be a single value"; }

rcl_interfaces::msg::SetParametersResult set_result(
    const tl::expected<void, std::string>& outcome) {
  rcl_interfaces::msg::SetParametersResult result;
  result.successful = outcome.has_value();
  if (!outcome) result.reason = outcome.error();
  return result;
}

rcl_interfaces::msg::ParameterDescriptor to_descriptor(const io::Field& parameter) {
  const io::FieldValue value = parameter.get();
  rcl_interfaces::msg::ParameterDescriptor descriptor;
  descriptor.name = parameter.name;
  descriptor.type = to_message(value).type;
  descriptor.description = parameter.help;
  descriptor.additional_constraints = io::allowed_values(parameter);
  descriptor.read_only = effect_of(parameter.name) == ChangeEffect::never;
  // Types are checked where ranges are, so that whole numbers pass for real ones.
  descriptor.dynamic_typing = true;
  if (std::holds_alternative<double>(value)) {
    descriptor.floating_point_range.resize(1);
    descriptor.floating_point_range[0].from_value = parameter.range.least;
    descriptor.floating_point_range[0].to_value = parameter.range.most;
  } else if (std::holds_alternative<std::int64_t>(value)) {
    descriptor.integer_range.resize(1);
    descriptor.integer_range[0].from_value = static_cast<std::int64_t>(parameter.range.least);
    descriptor.integer_range[0].to_value = static_cast<std::int64_t>(parameter.range.most);
    descriptor.integer_range[0].step = 1;
  }
  return descriptor;
}

rmw_qos_profile_t to_profile(const QosConfig& qos) {
  rmw_qos_profile_t profile = rmw_qos_profile_default;
  profile.depth = static_cast<std::size_t>(qos.depth);
  profile.reliability = qos.reliability == "reliable" ? RMW_QOS_POLICY_RELIABILITY_RELIABLE
                                                      : RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT;
  profile.durability = qos.durability == "transient_local"
                           ? RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL
                           : RMW_QOS_POLICY_DURABILITY_VOLATILE;
  return profile;
}

}  // namespace pointtree::ros
