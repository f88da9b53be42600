// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "perception/metrics.hpp"
#include "pointtree/perception/cloud_view.hpp"
#include "pointtree/perception/frame_result.hpp"

namespace pointtree::cli {

/// Stands in a LabelMap for a class that the model does not have.
inline constexpr int kForeignClass = -1;

/// The model's class for each number that occurs in recorded labels, or
/// kForeignClass; numbers that are not listed have no class and are not evaluated.
using LabelMap = std::map<std::int32_t, int>;

/// Reads what the numbers of labels mean (YAML: a list of names, or a map from
/// number to name) and finds the model's classes of the same names. Throws
/// std::runtime_error with the path where the file is something else.
LabelMap read_label_map(const std::filesystem::path& path, const std::vector<std::string>& classes);

/// SemanticKITTI's numbers, by the names of its 19 classes; a model that does not tell bicycles
/// from motorcycles, or buses from trucks, is asked for the wider class.
LabelMap semantickitti_label_map(const std::vector<std::string>& classes);

/// Evaluates results by a recording's own labels, point by point and object
/// by object.
///
/// What was not recognised counts as an answer of its own, the last of the
/// matrices' classes, and is always wrong.
class GroundTruth {
 public:
  GroundTruth(LabelMap labels, std::size_t classes);

  /// Changes what the numbers mean, for the next recording.
  void set_labels(LabelMap labels) { labels_ = std::move(labels); }

  /// Evaluates a frame that has a field "label"; does nothing where it has none.
  /// Returns the true class per object, −1 where most of its points have none.
  std::vector<int> evaluate(const perception::CloudView& cloud,
                            const perception::FrameResult& result);

  /// The class of every point of a frame, −1 where it has none; empty where nothing is labelled.
  std::vector<int> point_classes(const perception::CloudView& cloud) const;

  bool empty() const { return points_.total() == 0; }
  const perception::ConfusionMatrix& points() const { return points_; }
  const perception::ConfusionMatrix& objects() const { return objects_; }

  /// Points whose true class the model does not have; not in points().
  std::uint64_t foreign_points() const { return foreign_points_; }

 private:
  /// The class of a recorded label; classes_ where it has none, kForeignClass where the model has
  /// not.
  int class_of(double label) const;

  LabelMap labels_;
  int classes_;
  perception::ConfusionMatrix points_;
  perception::ConfusionMatrix objects_;
  std::uint64_t foreign_points_ = 0;
};

}  // namespace pointtree::cli
