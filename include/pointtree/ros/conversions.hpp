// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <builtin_interfaces/msg/time.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <pointtree/msg/labeled_object_array.hpp>
#include <sensor_msgs/msg/point_cloud2.hpp>
#include <std_msgs/msg/header.hpp>
#include <string>
#include <visualization_msgs/msg/marker_array.hpp>
#ifdef POINTTREE_HAS_AUTOWARE_MSGS
#include <autoware_perception_msgs/msg/detected_objects.hpp>
#endif
#ifdef POINTTREE_HAS_VISION_MSGS
#include <vision_msgs/msg/detection3_d_array.hpp>
#include <vision_msgs/msg/label_info.hpp>
#endif

#include "pointtree/inference/engine.hpp"
#include "pointtree/perception/cloud_view.hpp"
#include "pointtree/perception/frame_result.hpp"

/// Between ROS messages and what the pipeline takes and gives. The header is that of the input, in
/// the frame where it was processed.
namespace pointtree::ros {

using PointCloud2 = sensor_msgs::msg::PointCloud2;  ///< the cloud message

/// The message as the pipeline takes it; its bytes stay where they are.
io::PointCloud2Message raw_cloud(const PointCloud2& message);

/// The time in nanoseconds.
std::int64_t nanoseconds(const builtin_interfaces::msg::Time& time);

/// The time of so many nanoseconds, which must not be negative.
builtin_interfaces::msg::Time to_time(std::int64_t nanoseconds);

/// Every point with its class, probability and entropy in the 24-byte layout. The class is the
/// model's or, where given, those of `class_id`.
std::unique_ptr<PointCloud2> to_segmentation(
    const std_msgs::msg::Header& header, const PointCloud2& message,
    const perception::CloudView& view, const perception::FrameResult& result,
    const std::function<std::uint8_t(const perception::PointLabel&)>& class_id = {});

/// Every point in the colour of its class, as x y z rgb.
std::unique_ptr<PointCloud2> to_visualization(const std_msgs::msg::Header& header,
                                              const PointCloud2& message,
                                              const perception::CloudView& view,
                                              const perception::FrameResult& result,
                                              const inference::EngineInfo& model);

/// The points for which `keep` holds, with all their fields, as one row.
std::unique_ptr<PointCloud2> to_filtered(
    const std_msgs::msg::Header& header, const PointCloud2& message,
    const perception::CloudView& view, const perception::FrameResult& result,
    const std::function<bool(const perception::PointLabel&)>& keep);

/// The objects with their scores and boxes.
std::unique_ptr<pointtree::msg::LabeledObjectArray> to_objects(
    const std_msgs::msg::Header& header, const perception::FrameResult& result,
    const inference::EngineInfo& model);

/// A box and a name for every object; earlier ones are deleted.
std::unique_ptr<visualization_msgs::msg::MarkerArray> to_markers(
    const std_msgs::msg::Header& header, const perception::FrameResult& result,
    const inference::EngineInfo& model);

#ifdef POINTTREE_HAS_VISION_MSGS
/// The objects with a hypothesis per class, likeliest first. Those whose class is not sure are left
/// out or, with `unknown`, start with the hypothesis `unknown`.
std::unique_ptr<vision_msgs::msg::Detection3DArray> to_detections(
    const std_msgs::msg::Header& header, const perception::FrameResult& result,
    const inference::EngineInfo& model, bool unknown = false);

/// Names and numbers of the classes.
std::unique_ptr<vision_msgs::msg::LabelInfo> to_label_info(const inference::EngineInfo& model,
                                                           double min_confidence);
#endif

#ifdef POINTTREE_HAS_AUTOWARE_MSGS
/// The same objects for Autoware; `labels` has Autoware's label of every class, and classes of one
/// label are added up.
std::unique_ptr<autoware_perception_msgs::msg::DetectedObjects> to_detected_objects(
    const std_msgs::msg::Header& header, const perception::FrameResult& result,
    const std::vector<std::uint8_t>& labels, bool unknown = false);
#endif

}  // namespace pointtree::ros
