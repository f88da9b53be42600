// SPDX-License-Identifier: Apache-2.0
#include "merge_reports.hpp"

#include <spdlog/fmt/fmt.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "exit_code.hpp"
#include "replay_report.hpp"

namespace pointtree::cli {
namespace {

// Keeps the order of the keys, as evaluations are written.
using Json = nlohmann::ordered_json;

Json read_report(const std::filesystem::path& path) {
  std::ifstream file(path);
  Json report = Json::parse(file, nullptr, false);
  if (report.is_discarded() || !report.is_object() ||
      !(report.contains("frame_list") || report.contains("overall_accuracy"))) {
    throw std::runtime_error(fmt::format(
        "{}: expected a report of replay --report or evaluate --record", path.string()));
  }
  return report;
}

/// Says which shares are missing, and refuses one that is there twice.
void check_shares(const std::vector<std::filesystem::path>& files, const std::vector<Json>& reports,
                  std::vector<std::string>& faults) {
  std::map<std::size_t, std::filesystem::path> owners;
  std::size_t count = 0;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    if (!reports[i].contains("share")) continue;
    const std::size_t index = reports[i]["share"].at("index").get<std::size_t>();
    const std::size_t shares = reports[i]["share"].at("count").get<std::size_t>();
    if (count != 0 && shares != count) {
      throw std::runtime_error(
          fmt::format("{}: a share of {}; the others are of {}", files[i].string(), shares, count));
    }
    count = shares;
    if (const auto [at, fresh] = owners.emplace(index, files[i]); !fresh) {
      throw std::runtime_error(fmt::format("{}: share {} of {} is already in {}", files[i].string(),
                                           index, count, at->second.string()));
    }
  }
  for (std::size_t index = 0; index < count; ++index) {
    if (owners.count(index) == 0)
      faults.push_back(
          fmt::format("share {} of {} is missing: its process failed, or its report "
                      "was not given",
                      index, count));
  }
}

}  // namespace

MergedReport merge_reports(const std::vector<std::filesystem::path>& files) {
  std::set<std::filesystem::path> seen;
  for (const auto& file : files) {
    if (!seen.insert(std::filesystem::weakly_canonical(file)).second)
      throw UsageError(fmt::format("{}: given twice", file.string()));
  }
  std::vector<Json> reports;
  for (const auto& file : files) {
    reports.push_back(read_report(file));
    if (reports.back().contains("frame_list") != reports.front().contains("frame_list")) {
      throw std::runtime_error(
          fmt::format("{}: reports of replay and of evaluate can't be merged", file.string()));
    }
  }
  MergedReport merged;
  check_shares(files, reports, merged.faults);
  for (std::size_t i = 0; i < reports.size(); ++i) {
    if (reports[i].value("interrupted", false))
      merged.faults.push_back(files[i].string() + ": was interrupted; a part is missing");
  }
  if (!reports.front().contains("frame_list")) {
    const Json report = merge_evaluations(reports);
    merged.report = report.dump(1);
    merged.text =
        fmt::format("{} clouds, overall accuracy {:.2f} %\n", report["clouds"].get<std::size_t>(),
                    100.0 * report["overall_accuracy"].get<double>());
    return merged;
  }
  const nlohmann::json report =
      merge_replay_reports(std::vector<nlohmann::json>(reports.begin(), reports.end()));
  for (const auto& recording : report["recordings"]) {
    if (recording.contains("failed"))
      merged.faults.push_back(fmt::format("{}: {}", recording["path"].get<std::string>(),
                                          recording["failed"].get<std::string>()));
  }
  merged.report = report.dump(1);
  merged.text = report_text(report);
  return merged;
}

}  // namespace pointtree::cli
