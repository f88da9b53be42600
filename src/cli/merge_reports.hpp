// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace pointtree::cli {

/// The report of a whole job.
struct MergedReport {
  std::string report;               ///< JSON text
  std::string text;                 ///< the essentials, for people
  std::vector<std::string> faults;  ///< what is missing or failed, one sentence each
};

/// Joins the reports of the processes of one job, of `replay --report` or `evaluate --record`.
/// Throws std::runtime_error naming a file that is no such report or that does not fit the others.
MergedReport merge_reports(const std::vector<std::filesystem::path>& files);

/// The record of a whole evaluation from those of the processes that shared its clouds. Throws
/// std::runtime_error where they are of different evaluations or lack the counts.
nlohmann::ordered_json merge_evaluations(const std::vector<nlohmann::ordered_json>& shares);

}  // namespace pointtree::cli
