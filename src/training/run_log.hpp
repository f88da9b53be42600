// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace pointtree::training {

/// One line of the training log: means over the steps since the line before.
struct StepRecord {
  std::int64_t step = 0;  ///< steps done
  double epoch = 0.0;
  double hours = 0.0;  ///< training time so far, over all parts of a resumed run
  double learning_rate = 0.0;
  double loss = 0.0;
  double accuracy = 0.0;  ///< on the augmented training clouds, training mode
  double clouds_per_second = 0.0;
  double wait_share = 0.0;  ///< share of the time in which the network waited for data
};

/// One validation.
struct ValidationRecord {
  std::int64_t step = 0;
  double epoch = 0.0;
  double hours = 0.0;
  double loss = 0.0;
  double overall_accuracy = 0.0;
  double mean_class_accuracy = 0.0;
  double mean_iou = 0.0;
  double score = 0.0;  ///< what the best model is chosen by
  bool best = false;
};

/// The log of a run as CSV files that are only ever appended to, and cut back to a checkpoint's
/// step on resuming.
class RunLog {
 public:
  /// Opens `steps.csv` and `validation.csv` of the folder, dropping lines after `step`.
  RunLog(std::filesystem::path folder, std::int64_t step);

  void append(const StepRecord& record);
  void append(const ValidationRecord& record);

  const std::vector<StepRecord>& steps() const { return steps_; }

  /// Writes everything as one JSON document, `log.json`.
  void write_json() const;

  /// Draws loss, accuracy and learning rate against hours and epochs into `curves.png`.
  void draw_curves() const;

 private:
  std::filesystem::path folder_;
  std::vector<StepRecord> steps_;
  std::vector<ValidationRecord> validations_;
};

}  // namespace pointtree::training
