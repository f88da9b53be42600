// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "perception/metrics.hpp"

namespace pointtree::perception {

/// The scores of an evaluation as its record has them. They follow from the confusion matrix of
/// every pass, so that records of several processes are merged by adding up matrices.

/// Writes the scores over all passes into a record, a nlohmann::ordered_json.
template <typename Json>
void write_scores(const std::vector<ConfusionMatrix>& passes, const ConfusionMatrix& pooled,
                  bool segments, Json& record) {
  const std::vector<double> accuracies = scores_of(passes, &ConfusionMatrix::overall_accuracy);
  const Spread accuracy = spread(accuracies);
  record["overall_accuracy"] = accuracy.mean;
  record["overall_accuracy_sigma"] = accuracy.sigma;
  record["overall_accuracies"] = accuracies;
  const Spread by_class = spread(scores_of(passes, &ConfusionMatrix::mean_class_accuracy));
  record["mean_class_accuracy"] = by_class.mean;
  record["mean_class_accuracy_sigma"] = by_class.sigma;
  record[segments ? "mean_iou" : "weighted_f1"] =
      segments ? pooled.mean_iou() : pooled.weighted_f1();
}

/// A number, or null where there is none.
template <typename Json>
Json value_or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// A row of the record for every class: its name, how often it is true, and its scores.
template <typename Json>
Json class_scores(const ConfusionMatrix& pooled, const std::vector<std::string>& names) {
  Json rows = Json::array();
  const auto accuracies = pooled.class_accuracies();
  const auto ious = pooled.class_ious();
  for (std::size_t c = 0; c < names.size(); ++c) {
    Json row;
    row["name"] = names[c];
    row["count"] = pooled.true_count(static_cast<int>(c));
    row["accuracy"] = value_or_null<Json>(accuracies[c]);
    row["iou"] = value_or_null<Json>(ious[c]);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace pointtree::perception
