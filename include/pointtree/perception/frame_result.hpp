// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "pointtree/perception/ground_plane.hpp"
#include "pointtree/perception/oriented_box.hpp"

namespace pointtree::perception {

/// The class of points and objects that were not recognised.
constexpr std::uint8_t kUnknownClass = 255;

/// What a point turned out to be a part of.
enum class PointRole : std::uint8_t {
  dropped,     ///< non-finite or outside the crop
  ground,      ///< the ground
  background,  ///< a cluster that is no object by its size, or a column with too few points
  object,      ///< an object, or a column that was segmented
};

/// The answer for one input point; the defaults are those of an unknown point.
struct PointLabel {
  std::uint8_t class_id = kUnknownClass;
  PointRole role = PointRole::dropped;
  std::int32_t object = -1;  ///< index in FrameResult::objects
  float probability = 0.0F;
  float entropy = std::numeric_limits<float>::quiet_NaN();  ///< divided by log(classes)
};

/// An object of the frame, in the sensor's frame.
struct LabeledObject {
  std::uint32_t id = 0;  ///< the same in following frames
  std::uint8_t class_id = kUnknownClass;
  bool classified = false;  ///< false: there were more objects than are classified
  float confidence = 0.0F;  ///< score of the likeliest class, even where it is too low
  float entropy = std::numeric_limits<float>::quiet_NaN();
  /// Probability per class, over time; empty where not classified. Of labelled points, the mean
  /// over them of the one class that each has, so that it sums to their mean confidence.
  std::vector<float> scores;
  std::uint32_t point_count = 0;
  Eigen::Vector3f centroid = Eigen::Vector3f::Zero();
  OrientedBox box;
};

/// Wall time of the stages of one frame, in milliseconds.
struct StageTimes {
  double ingest = 0.0;   ///< reading, cropping and levelling the cloud
  double segment = 0.0;  ///< ground, clusters or columns, sampling
  double tree = 0.0;     ///< pre-alignment and trees
  double network = 0.0;
  double total = 0.0;  ///< everything, including labels and boxes
};

/// Everything found in one cloud.
struct FrameResult {
  std::int64_t stamp = 0;              ///< the input's, in nanoseconds
  std::vector<PointLabel> labels;      ///< one per input point, in input order
  std::vector<LabeledObject> objects;  ///< nearest first; none in blocks mode
  GroundPlane ground;                  ///< with up = z and no support where no plane was found
  StageTimes times;
  std::uint32_t valid_points = 0;  ///< points that passed the crop
  std::uint32_t blocks = 0;        ///< columns or blocks segmented
};

}  // namespace pointtree::perception
