// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <memory>
#include <std_msgs/msg/float64.hpp>
#include <variant>

#include "pointtree/ros/conversions.hpp"
#include "ros/node_config.hpp"

namespace pointtree::ros {

/// Where the nodes listen; relative to the node's name.
constexpr const char* kInputTopic = "~/input/pointcloud";

/// What the nodes publish.
enum class Output {
  segmentation,
  visualization,
  filtered,
  objects,
  markers,
  ingest_time,
  segment_time,
  tree_time,
  network_time,
  total_time,
  diagnostics,
#ifdef POINTTREE_HAS_VISION_MSGS
  detections,
  label_info,
#endif
#ifdef POINTTREE_HAS_AUTOWARE_MSGS
  detected_objects,
#endif
  count,
};

/// A message on its way out.
using OutputMessage =
    std::variant<std::unique_ptr<PointCloud2>, std::unique_ptr<pointtree::msg::LabeledObjectArray>,
                 std::unique_ptr<visualization_msgs::msg::MarkerArray>,
                 std::unique_ptr<std_msgs::msg::Float64>,
#ifdef POINTTREE_HAS_VISION_MSGS
                 std::unique_ptr<vision_msgs::msg::Detection3DArray>,
                 std::unique_ptr<vision_msgs::msg::LabelInfo>,
#endif
#ifdef POINTTREE_HAS_AUTOWARE_MSGS
                 std::unique_ptr<autoware_perception_msgs::msg::DetectedObjects>,
#endif
                 std::unique_ptr<diagnostic_msgs::msg::DiagnosticArray>>;

/// Stands for a type of message where functions can't be told one.
template <typename Message>
struct MessageType {
  using Type = Message;
};

/// Calls visit(message type, output, topic, qos) for everything that is published.
template <typename Visitor>
void for_each_output(const NodeConfig& config, Visitor&& visit) {
  const QosConfig& qos = config.output_qos;
  constexpr MessageType<PointCloud2> kCloud;
  visit(kCloud, Output::segmentation, "~/output/segmentation", qos);
  visit(kCloud, Output::visualization, "~/output/visualization", qos);
  visit(kCloud, Output::filtered, "~/output/filtered", qos);
  visit(MessageType<pointtree::msg::LabeledObjectArray>{}, Output::objects, "~/output/objects",
        qos);
  visit(MessageType<visualization_msgs::msg::MarkerArray>{}, Output::markers, "~/output/markers",
        qos);
#ifdef POINTTREE_HAS_VISION_MSGS
  visit(MessageType<vision_msgs::msg::Detection3DArray>{}, Output::detections,
        "~/output/detections", qos);
  visit(MessageType<vision_msgs::msg::LabelInfo>{}, Output::label_info, "~/output/label_info",
        QosConfig{"reliable", "transient_local", 1});
#endif
#ifdef POINTTREE_HAS_AUTOWARE_MSGS
  visit(MessageType<autoware_perception_msgs::msg::DetectedObjects>{}, Output::detected_objects,
        "~/output/detected_objects", qos);
#endif
  const QosConfig plain{"reliable", "volatile", 10};
  constexpr MessageType<std_msgs::msg::Float64> kTime;
  visit(kTime, Output::ingest_time, "~/debug/processing_time_ms/ingest", plain);
  visit(kTime, Output::segment_time, "~/debug/processing_time_ms/segment", plain);
  visit(kTime, Output::tree_time, "~/debug/processing_time_ms/tree", plain);
  visit(kTime, Output::network_time, "~/debug/processing_time_ms/network", plain);
  visit(kTime, Output::total_time, "~/debug/processing_time_ms/total", plain);
  visit(MessageType<diagnostic_msgs::msg::DiagnosticArray>{}, Output::diagnostics, "/diagnostics",
        plain);
}

}  // namespace pointtree::ros
