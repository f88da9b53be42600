// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
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

  /// Takes a frame that was processed; returns the true class per object, −1
  /// where unknown.
  std::vector<int> add(const std::string& name, const perception::CloudView& cloud,
                       const perception::FrameResult& result);

  /// Takes a frame that was refused.
  void reject(const std::string& name, const perception::RejectReason& reason);

  std::size_t frames() const { return stages_.at("total").size(); }
  std::size_t rejected() const { return rejected_; }

  /// Everything, for scripts.
  nlohmann::json to_json() const;

  /// The essentials, for people.
  std::string to_text() const;

 private:
  nlohmann::json judgement(const perception::ConfusionMatrix& matrix) const;

  const inference::EngineInfo& model_;
  GroundTruth truth_;
  std::map<std::string, std::vector<double>> stages_;  ///< milliseconds per frame
  std::map<std::string, std::size_t> rejections_;      ///< frames by kind of reason
  std::size_t rejected_ = 0;
  std::size_t points_ = 0;
  std::size_t objects_ = 0;
  nlohmann::json frame_list_ = nlohmann::json::array();
};

/// The least value that at least this share of the values does not exceed; 0
/// for no values.
double percentile(std::vector<double> values, double share);

/// The objects of a frame as a table: id, class found and true, confidence,
/// place and size.
std::string object_table(const perception::FrameResult& result, const std::vector<int>& truths,
                         const inference::EngineInfo& model);

}  // namespace pointtree::cli
