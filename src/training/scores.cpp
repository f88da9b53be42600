// SPDX-License-Identifier: Apache-2.0
#include "training/scores.hpp"

#include <stdexcept>

#include "training/losses.hpp"

namespace pointtree::training {

Evaluator::Evaluator(const inference::ModelConfig& model, const datasets::DatasetInfo& data)
    : segments_(model.task == inference::Task::segmentation),
      classes_(model.classes),
      categories_(static_cast<int>(data.classes.size())),
      data_(data) {
  if (static_cast<int>(names().size()) != classes_) {
    throw std::invalid_argument("model.classes: expected " + std::to_string(names().size()) +
                                ", the " + (segments_ ? "point classes" : "classes") +
                                " of the data set, found " + std::to_string(classes_));
  }
  if (static_cast<int>(data.extra_channels.size()) < model.extra_channels) {
    throw std::invalid_argument("model.extra_channels: the data set has " +
                                std::to_string(data.extra_channels.size()) + ", found " +
                                std::to_string(model.extra_channels));
  }
  if (segments_ && !data.parts_of_class.empty())
    allowed_ = allowed_parts(data.parts_of_class, classes_);
}

const std::vector<std::string>& Evaluator::names() const {
  return segments_ ? data_.point_classes : data_.classes;
}

const at::Tensor& Evaluator::targets(const Batch& batch) const {
  return segments_ ? batch.point_labels : batch.labels;
}

at::Tensor Evaluator::allowed(const Batch& batch) const {
  return allowed_.defined() ? allowed_.index_select(0, batch.labels).unsqueeze(1) : at::Tensor();
}

Scores::Scores(const Evaluator& evaluator)
    : segments_(evaluator.segments()), confusion_(evaluator.classes()) {
  if (evaluator.has_parts()) parts_.emplace(evaluator.categories());
}

void Scores::add(const Evaluator& evaluator, const Batch& batch, const at::Tensor& logits,
                 double loss) {
  loss_ += loss * static_cast<double>(batch.size());
  clouds_ += static_cast<double>(batch.size());
  const auto predicted = predict(logits, evaluator.allowed(batch)).contiguous();
  const auto truth = evaluator.targets(batch).contiguous();
  const auto* said = predicted.const_data_ptr<std::int64_t>();
  const auto* is = truth.const_data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < truth.numel(); ++i) {
    if (is[i] >= 0) confusion_.add(static_cast<int>(is[i]), static_cast<int>(said[i]));
  }
  if (parts_) add_shapes(evaluator, batch, predicted);
}

void Scores::add_shapes(const Evaluator& evaluator, const Batch& batch,
                        const at::Tensor& predicted) {
  const auto points = predicted.size(1);
  const auto* categories = batch.labels.const_data_ptr<std::int64_t>();
  const auto truth = evaluator.targets(batch).contiguous();
  for (std::int64_t b = 0; b < batch.size(); ++b) {
    const auto* is = truth.const_data_ptr<std::int64_t>() + b * points;
    const auto* said = predicted.const_data_ptr<std::int64_t>() + b * points;
    const auto category = static_cast<int>(categories[b]);
    parts_->add(category, perception::shape_iou({is, is + points}, {said, said + points},
                                                evaluator.data().parts_of_class[category]));
  }
}

void Scores::merge(const Scores& other) {
  confusion_.merge(other.confusion_);
  if (parts_ && other.parts_) parts_->merge(*other.parts_);
  loss_ += other.loss_;
  clouds_ += other.clouds_;
}

double Scores::primary() const {
  if (parts_) return parts_->class_mean_iou();
  return segments_ ? confusion_.mean_iou() : confusion_.overall_accuracy();
}

}  // namespace pointtree::training
