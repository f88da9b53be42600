// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "ground_truth.hpp"
#include "pointtree/inference/engine.hpp"
#include "pointtree/perception/frame_result.hpp"
#include "pointtree/perception/reject_reason.hpp"

namespace pointtree::cli {

/// What a replay measured.
class ReplayReport {
 public:
  ReplayReport(const inference::EngineInfo& model, GroundTruth truth);

  /// Begins a recording, whose frames follow; `index` is its number among all that were asked for,
  /// whoever plays them.
  void begin(std::size_t index, const std::string& recording);

  /// Tells what the numbers of the labels to come mean.
  void set_labels(LabelMap labels) { truth_.set_labels(std::move(labels)); }

  /// Takes the recording at hand as failed.
  void fail(const std::string& reason);

  /// Takes a frame that was processed; returns the true class per object, −1
  /// where unknown.
  std::vector<int> add(const std::string& name, const perception::CloudView& cloud,
                       const perception::FrameResult& result);

  const GroundTruth& truth() const { return truth_; }

  /// Takes a rejected frame.
  void reject(const std::string& name, const perception::RejectReason& reason);

  /// Takes a frame that could not be read.
  void reject(const std::string& name, const std::string& kind, const std::string& reason);

  /// Why frames were rejected, for people: "no_points: 2, unreadable: 1".
  std::string rejections() const;

  std::size_t failed() const { return failed_; }
  std::size_t frames() const { return stages_.at("total").size(); }
  std::size_t rejected() const { return rejected_; }

  /// Everything, for scripts.
  nlohmann::json to_json() const;

 private:
  void add_frame(nlohmann::json frame, const char* counter);

  const inference::EngineInfo& model_;
  GroundTruth truth_;
  std::map<std::string, std::vector<double>> stages_;  ///< milliseconds per frame
  std::vector<std::size_t> class_points_;              ///< per class; unknown ones last
  nlohmann::json recordings_ = nlohmann::json::array();
  std::size_t failed_ = 0;
  std::map<std::string, std::size_t> rejections_;  ///< frames by kind of reason
  std::size_t rejected_ = 0;
  std::size_t points_ = 0;
  std::size_t objects_ = 0;
  nlohmann::json frame_list_ = nlohmann::json::array();
};

/// The report of the whole from those of its shares, in the order of the recordings. Throws
/// std::runtime_error where they are of different models or classes.
nlohmann::json merge_replay_reports(const std::vector<nlohmann::json>& shares);

/// The essentials of a report, for people.
std::string report_text(const nlohmann::json& report);

/// The least value that at least this share of the values does not exceed; 0
/// for no values.
double percentile(std::vector<double> values, double share);

/// The objects of a frame as a table: id, class found and true, confidence,
/// place and size.
std::string object_table(const perception::FrameResult& result, const std::vector<int>& truths,
                         const inference::EngineInfo& model);

}  // namespace pointtree::cli
