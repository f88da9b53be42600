// SPDX-License-Identifier: Apache-2.0
#include "replay_report.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "perception/object_markers.hpp"

namespace pointtree::cli {
namespace {

using perception::class_name;

const std::vector<std::string>& stage_names() {
  static const std::vector<std::string> kNames{"ingest", "segment", "tree", "network", "total"};
  return kNames;
}

nlohmann::json summary_of(const std::vector<double>& values) {
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  return {{"mean", values.empty() ? 0.0 : sum / static_cast<double>(values.size())},
          {"p50", percentile(values, 0.50)},
          {"p90", percentile(values, 0.90)},
          {"p99", percentile(values, 0.99)},
          {"max", percentile(values, 1.0)}};
}

/// Scores of a matrix whose last class is "not recognised".
nlohmann::json scores_of(const perception::ConfusionMatrix& matrix,
                         const std::vector<std::string>& classes) {
  nlohmann::json rows = nlohmann::json::array();
  nlohmann::json ious;
  const auto class_ious = matrix.class_ious();
  for (int truth = 0; truth + 1 < matrix.classes(); ++truth) {
    nlohmann::json row = nlohmann::json::array();
    for (int found = 0; found < matrix.classes(); ++found)
      row.push_back(matrix.count(truth, found));
    rows.push_back(std::move(row));
    const auto& iou = class_ious[static_cast<std::size_t>(truth)];
    if (iou) ious[classes[static_cast<std::size_t>(truth)]] = *iou;
  }
  return {{"count", matrix.total()},
          {"overall_accuracy", matrix.overall_accuracy()},
          {"mean_iou", matrix.mean_iou()},
          {"iou", ious},
          {"confusion", rows}};
}

perception::ConfusionMatrix matrix_of(const nlohmann::json& scores) {
  const auto rows = scores.at("confusion").get<std::vector<std::vector<std::int64_t>>>();
  perception::ConfusionMatrix matrix(static_cast<int>(rows.size()) + 1);
  for (std::size_t truth = 0; truth < rows.size(); ++truth) {
    for (std::size_t found = 0; found < rows[truth].size(); ++found)
      matrix.add(static_cast<int>(truth), static_cast<int>(found), rows[truth][found]);
  }
  return matrix;
}

nlohmann::json latencies_of(const std::map<std::string, std::vector<double>>& stages) {
  nlohmann::json latencies;
  for (const std::string& stage : stage_names()) latencies[stage] = summary_of(stages.at(stage));
  return latencies;
}

}  // namespace

double percentile(std::vector<double> values, double share) {
  if (values.empty()) return 0.0;
  const double rank = std::ceil(share * static_cast<double>(values.size()));
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(std::max(rank, 1.0)) - 1;
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

ReplayReport::ReplayReport(const inference::EngineInfo& model, GroundTruth truth)
    : model_(model), truth_(std::move(truth)), class_points_(model.classes.size() + 1, 0) {
  for (const std::string& stage : stage_names()) stages_[stage] = {};
}

void ReplayReport::begin(std::size_t index, const std::string& recording) {
  recordings_.push_back({{"index", index}, {"path", recording}, {"frames", 0}, {"rejected", 0}});
}

void ReplayReport::fail(const std::string& reason) {
  ++failed_;
  recordings_.back()["failed"] = reason;
}

std::vector<int> ReplayReport::add(const std::string& name, const perception::CloudView& cloud,
                                   const perception::FrameResult& result) {
  const perception::StageTimes& times = result.times;
  const nlohmann::json milliseconds{{"ingest", times.ingest},
                                    {"segment", times.segment},
                                    {"tree", times.tree},
                                    {"network", times.network},
                                    {"total", times.total}};
  for (const std::string& stage : stage_names()) stages_[stage].push_back(milliseconds[stage]);
  points_ += cloud.size();
  objects_ += result.objects.size();
  for (const perception::PointLabel& label : result.labels) {
    if (label.role == perception::PointRole::dropped) continue;
    ++class_points_[std::min<std::size_t>(label.class_id, model_.classes.size())];
  }
  std::vector<int> truths = truth_.evaluate(cloud, result);
  nlohmann::json objects = nlohmann::json::array();
  for (std::size_t k = 0; k < result.objects.size(); ++k) {
    const perception::LabeledObject& object = result.objects[k];
    nlohmann::json entry{
        {"id", object.id},
        {"class", class_name(object.class_id, model_)},
        {"confidence", object.confidence},
        {"points", object.point_count},
        {"center", {object.box.center.x(), object.box.center.y(), object.box.center.z()}},
        {"size", {object.box.size.x(), object.box.size.y(), object.box.size.z()}}};
    if (!object.classified) entry["class"] = "unclassified";
    if (truths[k] >= 0) entry["truth"] = class_name(static_cast<std::size_t>(truths[k]), model_);
    objects.push_back(std::move(entry));
  }
  add_frame({{"name", name},
             {"stamp", result.stamp},
             {"points", cloud.size()},
             {"valid_points", result.valid_points},
             {"total_ms", times.total},
             {"stages_ms", milliseconds},
             {"objects", std::move(objects)}},
            "frames");
  return truths;
}

void ReplayReport::reject(const std::string& name, const perception::RejectReason& reason) {
  reject(name, std::string(to_string(reason.kind)), reason.message);
}

void ReplayReport::reject(const std::string& name, const std::string& kind,
                          const std::string& reason) {
  ++rejected_;
  ++rejections_[kind];
  add_frame({{"name", name}, {"rejected", kind}, {"reason", reason}}, "rejected");
}

void ReplayReport::add_frame(nlohmann::json frame, const char* counter) {
  nlohmann::json& recording = recordings_.back();
  frame["recording"] = recording["index"];
  recording[counter] = recording[counter].get<std::size_t>() + 1;
  frame_list_.push_back(std::move(frame));
}

std::string ReplayReport::rejections() const {
  std::string text;
  for (const auto& [kind, count] : rejections_)
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", kind, count);
  return text;
}

nlohmann::json ReplayReport::to_json() const {
  nlohmann::json report{
      {"model", {{"name", model_.name}, {"checksum", model_.checksum}, {"device", model_.device}}},
      {"classes", model_.classes},
      {"recordings", recordings_},
      {"frames", frames()},
      {"rejected", rejected_},
      {"rejected_by_kind", rejections_},
      {"points", points_},
      {"objects", objects_},
      {"segments", model_.segments},
      {"frame_list", frame_list_},
      {"latency_ms", latencies_of(stages_)}};
  for (std::size_t k = 0; k < class_points_.size(); ++k) {
    const std::string name = class_name(k, model_);
    if (class_points_[k] > 0) report["points_per_class"][name] = class_points_[k];
  }
  if (!truth_.empty()) {
    report["ground_truth"]["points"] = scores_of(truth_.points(), model_.classes);
    report["ground_truth"]["objects"] = scores_of(truth_.objects(), model_.classes);
  }
  if (!truth_.empty() || truth_.foreign_points() > 0)
    report["ground_truth"]["foreign_points"] = truth_.foreign_points();
  return report;
}

nlohmann::json merge_replay_reports(const std::vector<nlohmann::json>& shares) {
  nlohmann::json merged = shares.at(0);
  merged.erase("share");
  merged.erase("interrupted");
  for (const char* list : {"recordings", "frame_list"}) merged[list] = nlohmann::json::array();
  merged.erase("ground_truth");
  for (const char* counts : {"rejected_by_kind", "points_per_class"})
    merged[counts] = nlohmann::json::object();
  for (const char* count : {"frames", "rejected", "points", "objects"}) merged[count] = 0;
  std::map<std::string, perception::ConfusionMatrix> matrices;
  std::uint64_t foreign_points = 0;
  for (const nlohmann::json& share : shares) {
    if (share.at("model").at("checksum") != merged["model"]["checksum"] ||
        share.at("classes") != merged["classes"]) {
      throw std::runtime_error("the reports are of different models");
    }
    for (const char* count : {"frames", "rejected", "points", "objects"})
      merged[count] = merged[count].get<std::size_t>() + share.at(count).get<std::size_t>();
    for (const char* list : {"recordings", "frame_list"}) {
      for (const nlohmann::json& entry : share.at(list)) merged[list].push_back(entry);
    }
    for (const char* counts : {"rejected_by_kind", "points_per_class"}) {
      const nlohmann::json mine = share.value(counts, nlohmann::json::object());
      for (const auto& [name, count] : mine.items())
        merged[counts][name] =
            merged[counts].value(name, std::size_t{0}) + count.get<std::size_t>();
    }
    const nlohmann::json truth = share.value("ground_truth", nlohmann::json::object());
    for (const auto& [what, scores] : truth.items()) {
      if (what == "foreign_points") {
        foreign_points += scores.get<std::uint64_t>();
        continue;
      }
      const perception::ConfusionMatrix matrix = matrix_of(scores);
      const auto [at, fresh] = matrices.try_emplace(what, matrix);
      if (!fresh) at->second.merge(matrix);
    }
    if (share.value("interrupted", false)) merged["interrupted"] = true;
  }
  if (merged["points_per_class"].empty()) merged.erase("points_per_class");
  const auto sort_by = [&](const char* list, const char* key) {
    std::stable_sort(merged[list].begin(), merged[list].end(),
                     [&](const auto& a, const auto& b) { return a.at(key) < b.at(key); });
  };
  sort_by("recordings", "index");
  sort_by("frame_list", "recording");
  const auto classes = merged["classes"].get<std::vector<std::string>>();
  for (const auto& [what, matrix] : matrices)
    merged["ground_truth"][what] = scores_of(matrix, classes);
  if (!matrices.empty() || foreign_points > 0)
    merged["ground_truth"]["foreign_points"] = foreign_points;
  std::map<std::string, std::vector<double>> stages;
  for (const std::string& stage : stage_names()) {
    stages[stage] = {};
    for (const nlohmann::json& frame : merged["frame_list"]) {
      if (frame.contains("stages_ms")) stages[stage].push_back(frame["stages_ms"].at(stage));
    }
  }
  merged["latency_ms"] = latencies_of(stages);
  return merged;
}

std::string report_text(const nlohmann::json& report) {
  std::string text =
      fmt::format("{} frames, {} rejected, {} points, {} objects\n",
                  report["frames"].get<std::size_t>(), report["rejected"].get<std::size_t>(),
                  report["points"].get<std::size_t>(), report["objects"].get<std::size_t>());
  for (const auto& [kind, count] : report["rejected_by_kind"].items())
    text += fmt::format("  rejected for {}: {}\n", kind, count.get<std::size_t>());
  for (const nlohmann::json& recording : report["recordings"]) {
    if (!recording.contains("failed")) continue;
    text += fmt::format("failed: {}: {}\n", recording["path"].get<std::string>(),
                        recording["failed"].get<std::string>());
  }
  text +=
      fmt::format("{:<10}{:>9}{:>9}{:>9}{:>9}{:>9}\n", "ms", "mean", "p50", "p90", "p99", "max");
  for (const std::string& stage : stage_names()) {
    const nlohmann::json& row = report["latency_ms"][stage];
    text +=
        fmt::format("{:<10}{:>9.2f}{:>9.2f}{:>9.2f}{:>9.2f}{:>9.2f}\n", stage,
                    row["mean"].get<double>(), row["p50"].get<double>(), row["p90"].get<double>(),
                    row["p99"].get<double>(), row["max"].get<double>());
  }
  if (report.value("segments", false) && report.contains("points_per_class")) {
    const nlohmann::json& counts = report["points_per_class"];
    double total = 0.0;
    for (const nlohmann::json& count : counts) total += count.get<double>();
    text += "points per class\n";
    for (const auto& [name, count] : counts.items())
      text += fmt::format("  {:<16}{:>10}{:>7.1f} %\n", name, count.get<std::size_t>(),
                          100.0 * count.get<double>() / total);
  }
  if (!report.contains("ground_truth")) return text;
  const nlohmann::json& truth = report["ground_truth"];
  if (const auto foreign = truth.value("foreign_points", std::uint64_t{0}); foreign > 0)
    text += fmt::format("{} points are of classes that the model does not have\n", foreign);
  if (!truth.contains("points")) return text;
  text += fmt::format("against the recording's labels: points OA {:.1f} %, mIoU {:.1f} %\n",
                      100.0 * truth["points"]["overall_accuracy"].get<double>(),
                      100.0 * truth["points"]["mean_iou"].get<double>());
  if (const auto total = truth["objects"]["count"].get<std::int64_t>(); total > 0) {
    const auto accuracy = truth["objects"]["overall_accuracy"].get<double>();
    text +=
        fmt::format("objects right: {} of {} ({:.1f} %)\n",
                    std::llround(accuracy * static_cast<double>(total)), total, 100.0 * accuracy);
  }
  return text;
}

std::string object_table(const perception::FrameResult& result, const std::vector<int>& truths,
                         const inference::EngineInfo& model) {
  std::string table = fmt::format("{:>5}  {:<16}{:<16}{:>6}{:>8}{:>8}{:>16}\n", "id", "found",
                                  "true", "%", "m", "points", "size m");
  for (std::size_t k = 0; k < result.objects.size(); ++k) {
    const perception::LabeledObject& object = result.objects[k];
    const std::string found =
        object.classified ? class_name(object.class_id, model) : "unclassified";
    const std::string truth =
        truths[k] < 0 ? "" : class_name(static_cast<std::size_t>(truths[k]), model);
    table +=
        fmt::format("{:>5}  {:<16}{:<16}{:>6.0f}{:>8.1f}{:>8}{:>16}\n", object.id, found, truth,
                    100.0F * object.confidence, object.box.center.norm(), object.point_count,
                    fmt::format("{:.1f} {:.1f} {:.1f}", object.box.size.x(), object.box.size.y(),
                                object.box.size.z()));
  }
  return table;
}

}  // namespace pointtree::cli
