// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pointtree::training {

/// One figure of the paper.
struct PaperScore {
  std::string table;
  std::string transform;
  bool pre_aligned = false;
  std::string method;
  std::string metric;
  double percent = 0.0;
  std::optional<double> sigma;
};

/// One figure of ours, as `pointtree evaluate --record` wrote it.
struct OwnScore {
  std::string table;  ///< of the paper, to which it belongs
  std::string label;
  std::string transform;
  std::string pre_align;
  std::string split;
  double percent = 0.0;
  std::optional<double> sigma;  ///< where there were several draws
  int draws = 1;
  std::string command;
};

/// Reads the paper's figures (columns table, data, transform, pre_align, method, metric, percent,
/// sigma); throws std::runtime_error naming file, line and what is wrong.
std::vector<PaperScore> read_paper_scores(const std::filesystem::path& csv);

/// Reads every `.json` file of a folder in the order of their names; throws std::runtime_error
/// naming file and key.
std::vector<OwnScore> read_own_scores(const std::filesystem::path& folder);

/// The paper's tables in Markdown with our rows below, each of our cells with a note that holds its
/// command.
std::string comparison_markdown(const std::vector<PaperScore>& paper,
                                const std::vector<OwnScore>& own);

}  // namespace pointtree::training
