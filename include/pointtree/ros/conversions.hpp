// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <pointtree/msg/labeled_object_array.hpp>
#include <sensor_msgs/msg/point_cloud2.hpp>
#include <std_msgs/msg/header.hpp>
#include <string>
#include <visualization_msgs/msg/marker_array.hpp>
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

/// The message's stamp in nanoseconds.
std::int64_t nanoseconds(const std_msgs::msg::Header& header);

/// Every point with its class, probability and entropy in the 24-byte layout.
std::unique_ptr<PointCloud2> to_segmentation(const std_msgs::msg::Header& header,
                                             const PointCloud2& message,
                                             const perception::CloudView& view,
                                             const perception::FrameResult& result);

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

}  // namespace pointtree::ros
