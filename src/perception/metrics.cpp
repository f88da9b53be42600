// SPDX-License-Identifier: Apache-2.0
#include "perception/metrics.hpp"

#include <cmath>
#include <numeric>
#include <stdexcept>

namespace pointtree::perception {

namespace {

double mean_of_present(const std::vector<std::optional<double>>& values) {
  double sum = 0.0;
  int present = 0;
  for (const auto& value : values) {
    if (value) {
      sum += *value;
      ++present;
    }
  }
  return present > 0 ? sum / present : 0.0;
}

}  // namespace

ConfusionMatrix::ConfusionMatrix(int classes) : classes_(classes) {
  if (classes < 1) {
    throw std::invalid_argument("a confusion matrix needs at least one class, not " +
                                std::to_string(classes));
  }
  counts_.assign(static_cast<std::size_t>(classes) * classes, 0);
}

std::size_t ConfusionMatrix::index(int truth, int predicted) const {
  if (truth < 0 || truth >= classes_ || predicted < 0 || predicted >= classes_) {
    throw std::out_of_range("class pair (" + std::to_string(truth) + ", " +
                            std::to_string(predicted) + ") is outside 0.." +
                            std::to_string(classes_ - 1));
  }
  return static_cast<std::size_t>(truth) * classes_ + predicted;
}

void ConfusionMatrix::add(int truth, int predicted, std::int64_t times) {
  counts_[index(truth, predicted)] += times;
}

void ConfusionMatrix::merge(const ConfusionMatrix& other) {
  if (other.classes_ != classes_) {
    throw std::invalid_argument("cannot add a confusion matrix of " +
                                std::to_string(other.classes_) + " classes to one of " +
                                std::to_string(classes_));
  }
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
}

std::int64_t ConfusionMatrix::count(int truth, int predicted) const {
  return counts_[index(truth, predicted)];
}

std::int64_t ConfusionMatrix::total() const {
  return std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0});
}

std::int64_t ConfusionMatrix::true_count(int truth) const {
  const auto row = counts_.begin() + static_cast<std::ptrdiff_t>(index(truth, 0));
  return std::accumulate(row, row + classes_, std::int64_t{0});
}

double ConfusionMatrix::overall_accuracy() const {
  std::int64_t right = 0;
  for (int c = 0; c < classes_; ++c) right += count(c, c);
  const auto all = total();
  return all > 0 ? static_cast<double>(right) / static_cast<double>(all) : 0.0;
}

std::vector<std::optional<double>> ConfusionMatrix::class_accuracies() const {
  std::vector<std::optional<double>> result(classes_);
  for (int truth = 0; truth < classes_; ++truth) {
    const std::int64_t row = true_count(truth);
    if (row > 0) result[truth] = static_cast<double>(count(truth, truth)) / row;
  }
  return result;
}

double ConfusionMatrix::mean_class_accuracy() const { return mean_of_present(class_accuracies()); }

double ConfusionMatrix::weighted_f1() const {
  double sum = 0.0;
  for (int c = 0; c < classes_; ++c) {
    const std::int64_t truth = true_count(c);
    std::int64_t predicted = 0;
    for (int other = 0; other < classes_; ++other) predicted += count(other, c);
    if (truth > 0) sum += truth * 2.0 * count(c, c) / static_cast<double>(truth + predicted);
  }
  return total() > 0 ? sum / static_cast<double>(total()) : 0.0;
}

std::vector<std::optional<double>> ConfusionMatrix::class_ious() const {
  std::vector<std::optional<double>> result(classes_);
  for (int c = 0; c < classes_; ++c) {
    std::int64_t united = true_count(c) - count(c, c);
    for (int other = 0; other < classes_; ++other) united += count(other, c);
    if (united > 0) result[c] = static_cast<double>(count(c, c)) / united;
  }
  return result;
}

double ConfusionMatrix::mean_iou() const {
  auto ious = class_ious();
  const auto accuracies = class_accuracies();
  for (std::size_t c = 0; c < ious.size(); ++c) {
    if (!accuracies[c]) ious[c].reset();
  }
  return mean_of_present(ious);
}

double shape_iou(const std::vector<int>& truth, const std::vector<int>& predicted,
                 const std::vector<int>& parts) {
  if (truth.size() != predicted.size()) {
    throw std::invalid_argument(std::to_string(predicted.size()) + " predicted labels for " +
                                std::to_string(truth.size()) + " points");
  }
  if (parts.empty()) throw std::invalid_argument("a category needs at least one part");
  double sum = 0.0;
  for (const int part : parts) {
    std::int64_t both = 0;
    std::int64_t either = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      const bool is = truth[i] == part;
      const bool found = predicted[i] == part;
      both += static_cast<std::int64_t>(is && found);
      either += static_cast<std::int64_t>(is || found);
    }
    sum += either == 0 ? 1.0 : static_cast<double>(both) / either;
  }
  return sum / static_cast<double>(parts.size());
}

void PartScores::add(int category, double iou) {
  sums_.at(category) += iou;
  counts_.at(category) += 1;
}

void PartScores::merge(const PartScores& other) {
  for (std::size_t c = 0; c < sums_.size(); ++c) {
    sums_[c] += other.sums_.at(c);
    counts_[c] += other.counts_.at(c);
  }
}

double PartScores::instance_mean_iou() const {
  const double sum = std::accumulate(sums_.begin(), sums_.end(), 0.0);
  const auto count = std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0});
  return count > 0 ? sum / static_cast<double>(count) : 0.0;
}

std::vector<std::optional<double>> PartScores::category_ious() const {
  std::vector<std::optional<double>> result(sums_.size());
  for (std::size_t c = 0; c < sums_.size(); ++c) {
    if (counts_[c] > 0) result[c] = sums_[c] / static_cast<double>(counts_[c]);
  }
  return result;
}

double PartScores::class_mean_iou() const { return mean_of_present(category_ious()); }

Spread spread(const std::vector<double>& values) {
  Spread result;
  if (values.empty()) return result;
  const auto n = static_cast<double>(values.size());
  result.mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  if (values.size() < 2) return result;
  double squares = 0.0;
  for (const double value : values) squares += (value - result.mean) * (value - result.mean);
  result.sigma = std::sqrt(squares / (n - 1.0));
  return result;
}

std::vector<double> scores_of(const std::vector<ConfusionMatrix>& passes,
                              double (ConfusionMatrix::*score)() const) {
  std::vector<double> scores;
  for (const ConfusionMatrix& pass : passes) scores.push_back((pass.*score)());
  return scores;
}

}  // namespace pointtree::perception
