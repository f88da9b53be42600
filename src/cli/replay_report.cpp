// SPDX-License-Identifier: Apache-2.0
#include "replay_report.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace pointtree::cli {
namespace {

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

std::string class_name(int class_id, const inference::EngineInfo& model) {
  const bool known = class_id >= 0 && static_cast<std::size_t>(class_id) < model.classes.size();
  return known ? model.classes[static_cast<std::size_t>(class_id)] : "unknown";
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
    : model_(model), truth_(std::move(truth)) {
  for (const std::string& stage : stage_names()) stages_[stage] = {};
}

std::vector<int> ReplayReport::add(const std::string& name, const perception::CloudView& cloud,
                                   const perception::FrameResult& result) {
  const perception::StageTimes& times = result.times;
  stages_["ingest"].push_back(times.ingest);
  stages_["segment"].push_back(times.segment);
  stages_["tree"].push_back(times.tree);
  stages_["network"].push_back(times.network);
  stages_["total"].push_back(times.total);
  points_ += cloud.size();
  objects_ += result.objects.size();
  std::vector<int> truths = truth_.judge(cloud, result);
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
    if (truths[k] >= 0) entry["truth"] = class_name(truths[k], model_);
    objects.push_back(std::move(entry));
  }
  frame_list_.push_back({{"name", name},
                         {"stamp", result.stamp},
                         {"points", cloud.size()},
                         {"valid_points", result.valid_points},
                         {"total_ms", times.total},
                         {"objects", std::move(objects)}});
  return truths;
}

void ReplayReport::reject(const std::string& name, const perception::RejectReason& reason) {
  ++rejected_;
  ++rejections_[std::string(to_string(reason.kind))];
  frame_list_.push_back(
      {{"name", name}, {"rejected", to_string(reason.kind)}, {"reason", reason.message}});
}

nlohmann::json ReplayReport::judgement(const perception::ConfusionMatrix& matrix) const {
  nlohmann::json rows = nlohmann::json::array();
  nlohmann::json ious;
  const auto class_ious = matrix.class_ious();
  for (int truth = 0; truth + 1 < matrix.classes(); ++truth) {
    nlohmann::json row = nlohmann::json::array();
    for (int found = 0; found < matrix.classes(); ++found)
      row.push_back(matrix.count(truth, found));
    rows.push_back(std::move(row));
    const auto& iou = class_ious[static_cast<std::size_t>(truth)];
    if (iou) ious[model_.classes[static_cast<std::size_t>(truth)]] = *iou;
  }
  return {{"count", matrix.total()},
          {"overall_accuracy", matrix.overall_accuracy()},
          {"mean_iou", GroundTruth::mean_iou(matrix)},
          {"iou", ious},
          {"confusion", rows}};
}

nlohmann::json ReplayReport::to_json() const {
  nlohmann::json report{
      {"model", {{"name", model_.name}, {"checksum", model_.checksum}, {"device", model_.device}}},
      {"classes", model_.classes},
      {"frames", frames()},
      {"rejected", rejected_},
      {"rejected_by_kind", rejections_},
      {"points", points_},
      {"objects", objects_},
      {"frame_list", frame_list_}};
  for (const std::string& stage : stage_names())
    report["latency_ms"][stage] = summary_of(stages_.at(stage));
  if (!truth_.empty()) {
    report["ground_truth"]["points"] = judgement(truth_.points());
    report["ground_truth"]["objects"] = judgement(truth_.objects());
    report["ground_truth"]["foreign_points"] = truth_.foreign_points();
  }
  return report;
}

std::string ReplayReport::to_text() const {
  std::string text = fmt::format("{} frames, {} rejected, {} points, {} objects\n", frames(),
                                 rejected_, points_, objects_);
  for (const auto& [kind, count] : rejections_)
    text += fmt::format("  rejected for {}: {}\n", kind, count);
  text +=
      fmt::format("{:<10}{:>9}{:>9}{:>9}{:>9}{:>9}\n", "ms", "mean", "p50", "p90", "p99", "max");
  for (const std::string& stage : stage_names()) {
    const nlohmann::json row = summary_of(stages_.at(stage));
    text +=
        fmt::format("{:<10}{:>9.2f}{:>9.2f}{:>9.2f}{:>9.2f}{:>9.2f}\n", stage,
                    row["mean"].get<double>(), row["p50"].get<double>(), row["p90"].get<double>(),
                    row["p99"].get<double>(), row["max"].get<double>());
  }
  if (!truth_.empty()) {
    text += fmt::format("against the recording's labels: points OA {:.1f} %, mIoU {:.1f} %\n",
                        100.0 * truth_.points().overall_accuracy(),
                        100.0 * GroundTruth::mean_iou(truth_.points()));
  }
  if (truth_.foreign_points() > 0) {
    text += fmt::format("{} points are of classes that the model does not have\n",
                        truth_.foreign_points());
  }
  if (const auto total = truth_.objects().total(); total > 0) {
    const double accuracy = truth_.objects().overall_accuracy();
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
    const std::string truth = truths[k] < 0 ? "" : class_name(truths[k], model);
    table +=
        fmt::format("{:>5}  {:<16}{:<16}{:>6.0f}{:>8.1f}{:>8}{:>16}\n", object.id, found, truth,
                    100.0F * object.confidence, object.box.center.norm(), object.point_count,
                    fmt::format("{:.1f} {:.1f} {:.1f}", object.box.size.x(), object.box.size.y(),
                                object.box.size.z()));
  }
  return table;
}

}  // namespace pointtree::cli
