// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "perception/score_record.hpp"
#include "training/evaluation.hpp"

namespace pointtree::training {
namespace {

using Json = nlohmann::ordered_json;

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%6.2f %%", 100.0 * share);
  return text;
}

std::string percent(const std::optional<double>& share) {
  return share ? percent(*share) : std::string("       -");
}

}  // namespace

std::string to_json(const Evaluation& evaluation, const EvaluationRequest& request,
                    const RecordLabels& labels) {
  Json out;
  out["table"] = labels.table;
  out["label"] = labels.label.empty() ? evaluation.model_name : labels.label;
  out["command"] = labels.command;
  out["model"] = evaluation.model_name;
  out["weights_sha256"] = evaluation.model_checksum;
  out["data"] = evaluation.evaluator.data().kind;
  out["split"] = request.split;
  out["transform"] = geometry::to_string(request.transformation);
  out["lidar"] = request.lidar;
  out["pre_align"] = evaluation.pre_align;
  out["seed"] = request.seed;
  out["draws"] = request.draws;
  out["clouds"] = evaluation.clouds;
  const auto& confusion = evaluation.pooled.confusion();
  perception::write_scores(evaluation.confusions, confusion, evaluation.evaluator.segments(), out);
  if (const auto& parts = evaluation.pooled.parts()) {
    out["class_mean_iou"] = parts->class_mean_iou();
    out["instance_mean_iou"] = parts->instance_mean_iou();
    const auto ious = parts->category_ious();
    for (std::size_t c = 0; c < ious.size(); ++c) {
      out["categories"][evaluation.evaluator.data().classes[c]] =
          perception::value_or_null<Json>(ious[c]);
    }
  }
  out["expected_angle_difference"] = evaluation.ead;
  out["seconds"] = evaluation.seconds;
  out["classes"] = perception::class_scores<Json>(confusion, evaluation.evaluator.names());
  if (evaluation.interrupted) out["interrupted"] = true;
  if (request.processes > 1) {
    out["share"] = {{"index", request.rank}, {"count", request.processes}};
    // What `pointtree report merge` makes the scores of the whole from.
    for (const auto& draw : evaluation.confusions) out["confusions"].push_back(draw.counts());
  }
  return out.dump(1) + "\n";
}

std::string to_text(const Evaluation& evaluation, const EvaluationRequest& request) {
  std::string text = evaluation.model_name + " on " + std::to_string(evaluation.clouds) +
                     " clouds of " + evaluation.evaluator.data().kind + " (" + request.split +
                     "), transformation " +
                     std::string(geometry::to_string(request.transformation)) + ", pre-alignment " +
                     evaluation.pre_align + (request.lidar ? ", as a lidar sees them" : "") + "\n";
  const auto& confusion = evaluation.pooled.confusion();
  const auto accuracies = confusion.class_accuracies();
  const auto ious = confusion.class_ious();
  char line[160];
  std::snprintf(line, sizeof line, "%-24s %9s  %9s %9s\n", "class", "count", "accuracy", "IoU");
  text += line;
  for (int c = 0; c < confusion.classes(); ++c) {
    std::snprintf(line, sizeof line, "%-24s %9lld  %9s %9s\n",
                  evaluation.evaluator.names()[c].c_str(),
                  static_cast<long long>(confusion.true_count(c)), percent(accuracies[c]).c_str(),
                  percent(ious[c]).c_str());
    text += line;
  }
  const auto summary = [&](const char* name, auto score) {
    const auto value = perception::spread(perception::scores_of(evaluation.confusions, score));
    std::snprintf(line, sizeof line, "%-24s %s +- %.2f over %d draws\n", name,
                  percent(value.mean).c_str(), 100.0 * value.sigma, request.draws);
    text += line;
  };
  summary("overall accuracy", &perception::ConfusionMatrix::overall_accuracy);
  summary("mean class accuracy", &perception::ConfusionMatrix::mean_class_accuracy);
  text += evaluation.evaluator.segments()
              ? "mean IoU                 " + percent(confusion.mean_iou()) + "\n"
              : "weighted F1              " + percent(confusion.weighted_f1()) + "\n";
  if (const auto& parts = evaluation.pooled.parts()) {
    text += "class mean IoU           " + percent(parts->class_mean_iou()) + "\n";
    text += "instance mean IoU        " + percent(parts->instance_mean_iou()) + "\n";
  }
  if (evaluation.interrupted) text += "interrupted: the scores are of a part of the clouds\n";
  std::snprintf(line, sizeof line, "%-24s %.3g rad\n", "expected angle difference", evaluation.ead);
  text += line;
  std::snprintf(line, sizeof line, "%-24s %.1f s\n", "time", evaluation.seconds);
  return text + line;
}

}  // namespace pointtree::training
