// SPDX-License-Identifier: Apache-2.0
#include "parameters.hpp"

#include <stdexcept>

#include "ros/parameter_messages.hpp"

namespace pointtree::ros {
namespace {

/// Parameters that rclcpp declares itself.
bool is_of_rclcpp(const std::string& name) {
  return name == "use_sim_time" || name == "start_type_description_service" ||
         name.rfind("qos_overrides.", 0) == 0;
}

}  // namespace

ParameterChanges given_parameters(rclcpp::Node& node) {
  ParameterChanges given;
  for (const auto& [name, value] :
       node.get_node_parameters_interface()->get_parameter_overrides()) {
    if (is_of_rclcpp(name)) continue;
    const auto single = from_message(value.to_value_msg());
    if (!single) throw std::runtime_error(not_single(name));
    given.emplace_back(name, *single);
  }
  return given;
}

Parameters::Parameters(rclcpp::Node& node, CloudNode& cloud_node, const std::shared_ptr<Gate>& gate)
    : cloud_node_(cloud_node) {
  NodeConfig config = cloud_node.config();
  for (const io::Field& parameter : fields_of(config)) {
    constexpr bool kIgnoreGiven = true;  // they are in the configuration, checked and fitted
    node.declare_parameter(parameter.name, rclcpp::ParameterValue(to_message(parameter.get())),
                           to_descriptor(parameter), kIgnoreGiven);
  }
  on_change_ = node.add_on_set_parameters_callback([this, gate](const Changes& changes) {
    auto result = set_result(tl::unexpected(std::string("the node is being taken down")));
    gate->pass([&] { result = change(changes); });
    return result;
  });
}

rcl_interfaces::msg::SetParametersResult Parameters::change(const Changes& changes) {
  ParameterChanges wanted;
  for (const rclcpp::Parameter& change : changes) {
    if (is_of_rclcpp(change.get_name())) continue;
    const auto value = from_message(change.get_value_message());
    if (!value) return set_result(tl::unexpected(not_single(change.get_name())));
    wanted.emplace_back(change.get_name(), *value);
  }
  return set_result(cloud_node_.change(wanted));
}

}  // namespace pointtree::ros
