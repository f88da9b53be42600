// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>

#include "perception/metrics.hpp"
#include "pointtree/datasets/dataset.hpp"
#include "pointtree/inference/model_config.hpp"
#include "training/batch.hpp"

namespace pointtree::training {

/// What a network is asked and how its answers are scored, from its task and the data set.
class Evaluator {
 public:
  /// Throws std::invalid_argument where the data set's labels do not fit the network.
  Evaluator(const inference::ModelConfig& model, const datasets::DatasetInfo& data);

  bool segments() const { return segments_; }
  bool has_parts() const { return allowed_.defined(); }
  int categories() const { return categories_; }
  int classes() const { return classes_; }
  const datasets::DatasetInfo& data() const { return data_; }

  /// Names of the classes that the network answers with.
  const std::vector<std::string>& names() const;

  /// What the logits should say: [B] or [B, N].
  const at::Tensor& targets(const Batch& batch) const;

  /// Which classes compete for each answer, broadcastable against the logits; undefined where all
  /// do.
  at::Tensor allowed(const Batch& batch) const;

 private:
  bool segments_;
  int classes_;
  int categories_;
  datasets::DatasetInfo data_;
  at::Tensor allowed_;  // [categories, classes] bool
};

/// Scores of a network over many batches.
class Scores {
 public:
  explicit Scores(const Evaluator& evaluator);

  /// Counts the answers to a batch; `loss` is their mean loss.
  void add(const Evaluator& evaluator, const Batch& batch, const at::Tensor& logits, double loss);

  /// Adds the counts of another run over the same kind of data.
  void merge(const Scores& other);

  double mean_loss() const { return clouds_ > 0 ? loss_ / clouds_ : 0.0; }
  const perception::ConfusionMatrix& confusion() const { return confusion_; }
  const std::optional<perception::PartScores>& parts() const { return parts_; }

  /// What models are chosen by: overall accuracy, class mIoU of parts, or mIoU of a scene's
  /// classes.
  double primary() const;

 private:
  void add_shapes(const Evaluator& evaluator, const Batch& batch, const at::Tensor& predicted);

  bool segments_;
  perception::ConfusionMatrix confusion_;
  std::optional<perception::PartScores> parts_;
  double loss_ = 0.0;
  double clouds_ = 0.0;
};

}  // namespace pointtree::training
