// SPDX-License-Identifier: Apache-2.0
#include "parameter_server.hpp"

#include <algorithm>
#include <rcl_interfaces/msg/parameter_event.hpp>
#include <rcl_interfaces/msg/parameter_type.hpp>
#include <rcl_interfaces/srv/describe_parameters.hpp>
#include <rcl_interfaces/srv/get_parameter_types.hpp>
#include <rcl_interfaces/srv/get_parameters.hpp>
#include <rcl_interfaces/srv/list_parameters.hpp>
#include <rcl_interfaces/srv/set_parameters.hpp>
#include <rcl_interfaces/srv/set_parameters_atomically.hpp>

#include "node_clock.hpp"
#include "pointtree/ros/conversions.hpp"
#include "ros/parameter_messages.hpp"

namespace pointtree::ros {
namespace {

using rcl_interfaces::msg::ParameterType;
using rcl_interfaces::msg::SetParametersResult;
namespace srv = rcl_interfaces::srv;

constexpr const char* kUseSimTime = "use_sim_time";

SetParametersResult refusal(const std::string& reason) {
  return set_result(tl::unexpected(reason));
}

std::vector<std::string> all_names() {
  std::vector<std::string> names = {kUseSimTime};
  NodeConfig defaults;
  for (const io::Field& parameter : fields_of(defaults)) names.push_back(parameter.name);
  return names;
}

std::size_t dots(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '.'));
}

}  // namespace

template <typename Srv, typename Handler>
void ParameterServer::offer(const char* name, Handler handler) {
  services_.push_back(
      std::make_unique<Service<Srv>>(node_, name, rmw_qos_profile_parameters, handler));
}

ParameterServer::ParameterServer(Node& node, CloudNode& cloud_node, NodeClock& clock)
    : node_(node), cloud_node_(cloud_node), clock_(clock) {
  events_ = std::make_unique<Publisher>(node,
                                        rosidl_typesupport_cpp::get_message_type_support_handle<
                                            rcl_interfaces::msg::ParameterEvent>(),
                                        "/parameter_events", rmw_qos_profile_parameter_events);
  publish_event(all_names());
  offer<srv::GetParameters>("~/get_parameters", [this](const srv::GetParameters::Request& request) {
    srv::GetParameters::Response response;
    for (const std::string& name : request.names) response.values.push_back(value(name));
    return response;
  });
  offer<srv::GetParameterTypes>("~/get_parameter_types",
                                [this](const srv::GetParameterTypes::Request& request) {
                                  srv::GetParameterTypes::Response response;
                                  for (const std::string& name : request.names)
                                    response.types.push_back(value(name).type);
                                  return response;
                                });
  offer<srv::DescribeParameters>("~/describe_parameters",
                                 [this](const srv::DescribeParameters::Request& request) {
                                   srv::DescribeParameters::Response response;
                                   for (const std::string& name : request.names)
                                     response.descriptors.push_back(descriptor(name));
                                   return response;
                                 });
  offer<srv::ListParameters>("~/list_parameters",
                             [this](const srv::ListParameters::Request& request) {
                               srv::ListParameters::Response response;
                               response.result = list(request.prefixes, request.depth);
                               return response;
                             });
  offer<srv::SetParameters>("~/set_parameters", [this](const srv::SetParameters::Request& request) {
    srv::SetParameters::Response response;
    for (const auto& parameter : request.parameters) response.results.push_back(set({parameter}));
    return response;
  });
  offer<srv::SetParametersAtomically>("~/set_parameters_atomically",
                                      [this](const srv::SetParametersAtomically::Request& request) {
                                        srv::SetParametersAtomically::Response response;
                                        response.result = set(request.parameters);
                                        return response;
                                      });
}

rcl_interfaces::msg::ParameterValue ParameterServer::value(const std::string& name) const {
  if (name == kUseSimTime) return to_message(clock_.simulated());
  NodeConfig config = cloud_node_.config();
  const io::Fields fields = fields_of(config);
  const io::Field* parameter = io::find_field(fields, name);
  if (parameter == nullptr) return rcl_interfaces::msg::ParameterValue();
  return to_message(parameter->get());
}

rcl_interfaces::msg::ParameterDescriptor ParameterServer::descriptor(
    const std::string& name) const {
  NodeConfig defaults;
  const io::Fields fields = fields_of(defaults);
  if (const io::Field* parameter = io::find_field(fields, name)) return to_descriptor(*parameter);
  rcl_interfaces::msg::ParameterDescriptor descriptor;
  descriptor.name = name;
  if (name == kUseSimTime) {
    descriptor.type = ParameterType::PARAMETER_BOOL;
    descriptor.description = "take the time from /clock";
  }
  return descriptor;
}

SetParametersResult ParameterServer::set(const Parameters& wanted) {
  ParameterChanges changes;
  std::vector<std::string> names;
  std::optional<bool> simulate;
  for (const auto& parameter : wanted) {
    names.push_back(parameter.name);
    const auto value = from_message(parameter.value);
    if (!value) return refusal(not_single(parameter.name));
    if (parameter.name != kUseSimTime) {
      changes.emplace_back(parameter.name, *value);
    } else if (const bool* flag = std::get_if<bool>(&*value)) {
      simulate = *flag;
    } else {
      return refusal("use_sim_time must be true or false");
    }
  }
  if (const auto done = cloud_node_.change(changes); !done) return refusal(done.error());
  if (simulate) clock_.simulate(*simulate);
  publish_event(names);
  return set_result({});
}

rcl_interfaces::msg::ListParametersResult ParameterServer::list(
    const std::vector<std::string>& prefixes, std::uint64_t depth) const {
  rcl_interfaces::msg::ListParametersResult result;
  const auto within = [&](const std::string& name, const std::string& prefix) {
    if (name != prefix && name.rfind(prefix + ".", 0) != 0) return false;
    return depth == 0 || dots(name) - dots(prefix) <= depth;
  };
  for (const std::string& name : all_names()) {
    const bool listed = prefixes.empty()
                            ? depth == 0 || dots(name) < depth
                            : std::any_of(prefixes.begin(), prefixes.end(),
                                          [&](const auto& prefix) { return within(name, prefix); });
    if (!listed) continue;
    result.names.push_back(name);
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos) continue;
    const std::string group = name.substr(0, dot);
    auto& groups = result.prefixes;
    if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
  }
  return result;
}

void ParameterServer::publish_event(const std::vector<std::string>& changed) {
  rcl_interfaces::msg::ParameterEvent event;
  event.stamp = to_time(clock_.now());
  event.node = node_.full_name();
  for (const std::string& name : changed) {
    rcl_interfaces::msg::Parameter parameter;
    parameter.name = name;
    parameter.value = value(name);
    // rclcpp, too, announces a node's first values as new ones.
    (services_.empty() ? event.new_parameters : event.changed_parameters).push_back(parameter);
  }
  events_->publish(&event);
}

}  // namespace pointtree::ros
