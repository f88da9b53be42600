// SPDX-License-Identifier: Apache-2.0
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "merge_reports.hpp"
#include "perception/metrics.hpp"

namespace pointtree::cli {
namespace {

using Json = nlohmann::ordered_json;
using perception::ConfusionMatrix;

void require_same(const Json& first, const Json& other) {
  for (const char* key :
       {"weights_sha256", "data", "split", "transform", "lidar", "pre_align", "seed", "draws"}) {
    if (first.at(key) != other.at(key)) {
      throw std::runtime_error(
          fmt::format("the records are of different evaluations: {} is {} and {}", key,
                      first.at(key).dump(), other.at(key).dump()));
    }
  }
}

ConfusionMatrix matrix_of(const Json& counts, int classes) {
  ConfusionMatrix matrix(classes);
  for (int truth = 0; truth < classes; ++truth) {
    for (int found = 0; found < classes; ++found)
      matrix.add(truth, found, counts.at(static_cast<std::size_t>(truth * classes + found)));
  }
  return matrix;
}

Json value_or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace

Json merge_evaluations(const std::vector<Json>& shares) {
  Json merged = shares.at(0);
  if (!merged.contains("confusions")) {
    throw std::runtime_error(
        "expected records of processes that shared an evaluation, with the key 'confusions'");
  }
  const int classes = static_cast<int>(merged.at("classes").size());
  std::vector<ConfusionMatrix> draws;
  std::int64_t clouds = 0;
  double seconds = 0.0;
  for (const Json& share : shares) {
    require_same(merged, share);
    clouds += share.at("clouds").get<std::int64_t>();
    seconds = std::max(seconds, share.at("seconds").get<double>());
    for (std::size_t k = 0; k < share.at("confusions").size(); ++k) {
      const ConfusionMatrix matrix = matrix_of(share["confusions"][k], classes);
      if (k < draws.size()) {
        draws[k].merge(matrix);
      } else {
        draws.push_back(matrix);
      }
    }
    if (share.value("interrupted", false)) merged["interrupted"] = true;
  }
  merged.erase("share");
  merged.erase("confusions");
  ConfusionMatrix pooled(classes);
  std::vector<double> accuracies;
  std::vector<double> class_accuracies;
  for (const ConfusionMatrix& draw : draws) {
    pooled.merge(draw);
    accuracies.push_back(draw.overall_accuracy());
    class_accuracies.push_back(draw.mean_class_accuracy());
  }
  merged["clouds"] = clouds;
  merged["seconds"] = seconds;
  merged["overall_accuracies"] = accuracies;
  const auto accuracy = perception::spread(accuracies);
  merged["overall_accuracy"] = accuracy.mean;
  merged["overall_accuracy_sigma"] = accuracy.sigma;
  const auto class_accuracy = perception::spread(class_accuracies);
  merged["mean_class_accuracy"] = class_accuracy.mean;
  merged["mean_class_accuracy_sigma"] = class_accuracy.sigma;
  if (merged.contains("mean_iou")) merged["mean_iou"] = pooled.mean_iou();
  if (merged.contains("weighted_f1")) merged["weighted_f1"] = pooled.weighted_f1();
  const auto per_class = pooled.class_accuracies();
  const auto ious = pooled.class_ious();
  for (int c = 0; c < classes; ++c) {
    const auto index = static_cast<std::size_t>(c);
    std::int64_t count = 0;
    for (int found = 0; found < classes; ++found) count += pooled.count(c, found);
    Json& row = merged["classes"][index];
    row["count"] = count;
    row["accuracy"] = value_or_null(per_class[index]);
    row["iou"] = value_or_null(ious[index]);
  }
  return merged;
}

}  // namespace pointtree::cli
