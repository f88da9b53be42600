// SPDX-License-Identifier: Apache-2.0
#include "pointtree/ros/point_tree_node.hpp"

#include <rclcpp_components/register_node_macro.hpp>
#include <utility>

#include "compatibility.hpp"
#include "gate.hpp"
#include "parameters.hpp"
#include "rclcpp_host.hpp"
#include "ros/cloud_node.hpp"
#include "ros/reload_service.hpp"

namespace pointtree {

/// What the node is made of; the last members go first.
class PointTreeNode::Implementation {
 public:
  explicit Implementation(rclcpp::Node& node)
      : host_(node, gate_),
        cloud_node_(host_, ros::given_parameters(node)),
        parameters_(node, cloud_node_, gate_) {
    host_.advertise(cloud_node_.config());
    cloud_node_.start();
    offer_reload(node);
    ros::keep_guard_conditions(node);
  }

  ~Implementation() {
    host_.stop();
    gate_->close();
  }
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

 private:
  void offer_reload(rclcpp::Node& node) {
    using std_srvs::srv::Trigger;
    service_group_ = node.create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive);
    reload_ = node.create_service<Trigger>(
        ros::kReloadService,
        [this, gate = gate_](const std::shared_ptr<Trigger::Request>&,
                             const std::shared_ptr<Trigger::Response>& response) {
          gate->pass([&] { *response = ros::answer_reload(cloud_node_); });
        },
        ros::services_qos(), service_group_);
  }

  std::shared_ptr<ros::Gate> gate_ = std::make_shared<ros::Gate>();
  ros::RclcppHost host_;
  ros::CloudNode cloud_node_;
  ros::Parameters parameters_;
  rclcpp::CallbackGroup::SharedPtr service_group_;
  rclcpp::ServiceBase::SharedPtr reload_;
};

PointTreeNode::PointTreeNode(const rclcpp::NodeOptions& options)
    : rclcpp::Node("pointtree", options),
      implementation_(std::make_unique<Implementation>(*this)) {}

PointTreeNode::~PointTreeNode() = default;

}  // namespace pointtree

RCLCPP_COMPONENTS_REGISTER_NODE(pointtree::PointTreeNode)
