// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "pointtree/inference/engine.hpp"
#include "pointtree/perception/cloud_view.hpp"
#include "pointtree/perception/frame_result.hpp"

namespace pointtree::perception {

/// Bytes of a point of the segmentation cloud: x y z float32 at 0 4 8, class_id uint8 at 12,
/// probability float32 at 16, entropy float32 at 20, little endian.
constexpr std::uint32_t kSegmentationPointStep = 24;

/// The fields of the segmentation cloud.
std::vector<io::PointField> segmentation_fields();

/// Every input point with its answer, in the 24-byte layout that Autoware's segmenters publish; the
/// coordinates are those of the input.
std::vector<std::uint8_t> encode_segmentation(const CloudView& cloud, const FrameResult& result);

/// Bytes of a point of the visualization cloud: x y z float32 at 0 4 8, rgb packed into a float32
/// at 12, little endian.
constexpr std::uint32_t kVisualizationPointStep = 16;

/// The fields of the visualization cloud.
std::vector<io::PointField> visualization_fields();

/// Every input point in the colour of its class.
std::vector<std::uint8_t> encode_visualization(const CloudView& cloud, const FrameResult& result,
                                               const inference::EngineInfo& model);

}  // namespace pointtree::perception
