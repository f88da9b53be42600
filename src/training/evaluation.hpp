// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pointtree/geometry/transformation.hpp"
#include "training/scores.hpp"

namespace pointtree::training {

/// Callbacks while an evaluation runs, and how it can end it; all may be empty.
struct EvaluationWatch {
  std::function<void(const std::string&)> plan;  ///< what will be done, before it begins
  std::function<void(double done, std::int64_t clouds, std::int64_t of)> progress;  ///< done: 0…1
  std::function<bool()> stop;  ///< asked before each batch; true ends the evaluation there
};

/// Which bundles are evaluated, and on what.
struct EvaluationRequest {
  std::vector<std::filesystem::path> models;  ///< bundles; several classifiers form an ensemble
  std::string data;
  std::string kind = "auto";
  std::string split = "test";
  geometry::TransformationKind transformation = geometry::TransformationKind::none;
  geometry::TransformationForm form = geometry::TransformationForm::authors;
  bool lidar = false;  ///< see the clouds as datasets::lidar_observation() does
  std::optional<geometry::PreAlignMode> pre_align;  ///< default: each bundle's own
  int draws = 1;  ///< passes over the data with different transformations
  std::uint64_t seed = 0;
  int batch = 32;
  int threads = 0;                 ///< of the network; 0: LibTorch decides
  int workers = 1;                 ///< that prepare clouds
  int limit = 0;                   ///< only so many clouds; 0: all
  std::filesystem::path pictures;  ///< folder for pictures of right and wrong cases; empty: none
  int rank = 0;                    ///< of this process among those that share the clouds
  int processes = 1;  ///< together they evaluate every cloud once, as one process would
  EvaluationWatch watch;
};

/// What came out.
struct Evaluation {
  Evaluator evaluator;
  Scores pooled;     ///< over all draws
  double ead = 0.0;  ///< mean angle difference, in radians, between a cloud and its transformed
                     ///< copy, both pre-aligned
  std::int64_t clouds = 0;
  double seconds = 0.0;
  std::string model_name;      ///< names of the models, joined by " + "
  std::string model_checksum;  ///< of their weights, likewise
  std::string pre_align;
  bool interrupted = false;                               ///< what was not evaluated is missing
  std::vector<perception::ConfusionMatrix> confusions{};  ///< per draw
};

/// Evaluates bundles; throws std::runtime_error or std::invalid_argument naming what does not fit.
Evaluation evaluate(const EvaluationRequest& request);

/// How a recorded evaluation is shown in comparisons.
struct RecordLabels {
  std::string table;    ///< the paper's table that it belongs to; may be empty
  std::string label;    ///< name of the row; empty: the model's
  std::string command;  ///< that repeats the evaluation
};

/// The evaluation as JSON text, with the key `overall_accuracy`, the command and the seed that made
/// it.
std::string to_json(const Evaluation& evaluation, const EvaluationRequest& request,
                    const RecordLabels& labels);

/// The evaluation as a table for people.
std::string to_text(const Evaluation& evaluation, const EvaluationRequest& request);

}  // namespace pointtree::training
