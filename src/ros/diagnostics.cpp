// SPDX-License-Identifier: Apache-2.0
#include "ros/diagnostics.hpp"

#include <spdlog/fmt/fmt.h>

#include <utility>

namespace pointtree::ros {
namespace {

using diagnostic_msgs::msg::DiagnosticStatus;

std::pair<unsigned char, std::string> status_of(const FrameReport& report,
                                                const NodeConfig& config) {
  const FrameCounts& recent = report.recent;
  if (config.paused) return {DiagnosticStatus::OK, "paused"};
  if (report.worst_latency > config.error_latency) {
    return {DiagnosticStatus::ERROR,
            fmt::format("a cloud was answered after {:.0f} ms", report.worst_latency)};
  }
  if (recent.rejected > 0) {
    return {DiagnosticStatus::WARN, fmt::format("{} clouds rejected", recent.rejected)};
  }
  if (recent.lost > 0) {
    return {DiagnosticStatus::WARN,
            fmt::format("{} clouds lost before the node could take them", recent.lost)};
  }
  if (recent.dropped > 0) {
    return {DiagnosticStatus::WARN,
            fmt::format("{} clouds replaced by newer ones", recent.dropped)};
  }
  if (report.worst_latency > config.warn_latency) {
    return {DiagnosticStatus::WARN,
            fmt::format("a cloud was answered after {:.0f} ms", report.worst_latency)};
  }
  if (report.total.received == 0) return {DiagnosticStatus::WARN, "no cloud came yet"};
  if (recent.received == 0 && recent.processed == 0) {
    return {DiagnosticStatus::WARN, "no cloud came since the last report"};
  }
  return {DiagnosticStatus::OK, fmt::format("{:.1f} clouds per second", report.rate)};
}

}  // namespace

DiagnosticStatus make_diagnostics(const std::string& node, const FrameReport& report,
                                  const NodeConfig& config, const inference::EngineInfo& model) {
  DiagnosticStatus status;
  status.name = node + ": perception";
  status.hardware_id = model.device;
  std::tie(status.level, status.message) = status_of(report, config);
  const auto add = [&](const std::string& key, const std::string& value) {
    diagnostic_msgs::msg::KeyValue entry;
    entry.key = key;
    entry.value = value;
    status.values.push_back(std::move(entry));
  };
  add("received", std::to_string(report.total.received));
  add("processed", std::to_string(report.total.processed));
  add("dropped", std::to_string(report.total.dropped));
  add("rejected", std::to_string(report.total.rejected));
  for (const auto& [reason, count] : report.total.rejected_by_reason) {
    add("rejected: " + reason, std::to_string(count));
  }
  add("lost", std::to_string(report.total.lost));
  add("rate (Hz)", fmt::format("{:.2f}", report.rate));
  add("latency mean (ms)", fmt::format("{:.2f}", report.latency_mean));
  add("latency p99 (ms)", fmt::format("{:.2f}", report.latency_p99));
  add("latency worst recent (ms)", fmt::format("{:.2f}", report.worst_latency));
  add("age of last cloud (ms)", fmt::format("{:.2f}", static_cast<double>(report.age) * 1e-6));
  add("device", model.device);
  add("model", model.name);
  add("checksum", model.checksum);
  add("precision", std::string(to_string(model.precision)));
  add("paused", config.paused ? "true" : "false");
  return status;
}

}  // namespace pointtree::ros
