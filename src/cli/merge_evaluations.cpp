// SPDX-License-Identifier: Apache-2.0
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <stdexcept>

#include "merge_reports.hpp"
#include "perception/score_record.hpp"

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
  for (const ConfusionMatrix& draw : draws) pooled.merge(draw);
  merged["clouds"] = clouds;
  merged["seconds"] = seconds;
  perception::write_scores(draws, pooled, merged.contains("mean_iou"), merged);
  std::vector<std::string> names;
  for (const Json& row : merged["classes"]) names.push_back(row.at("name"));
  merged["classes"] = perception::class_scores<Json>(pooled, names);
  return merged;
}

}  // namespace pointtree::cli
