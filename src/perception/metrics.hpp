// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pointtree::perception {

/// Counts of (true class, predicted class) pairs and the scores that follow from them.
class ConfusionMatrix {
 public:
  /// An empty matrix; throws std::invalid_argument unless there is at least one class.
  explicit ConfusionMatrix(int classes);

  /// Counts one decision; throws std::out_of_range for a class that is not in the matrix.
  void add(int truth, int predicted, std::int64_t times = 1);

  /// Adds all counts of another matrix of the same size.
  void merge(const ConfusionMatrix& other);

  int classes() const { return classes_; }
  std::int64_t count(int truth, int predicted) const;
  std::int64_t total() const;

  /// How often a class is true.
  std::int64_t true_count(int truth) const;

  /// Row-major counts, one row per true class.
  const std::vector<std::int64_t>& counts() const { return counts_; }

  /// Share of right decisions; 0 where nothing was counted.
  double overall_accuracy() const;

  /// Share of right decisions per true class; none for a class that never occurred.
  std::vector<std::optional<double>> class_accuracies() const;

  /// Mean of class_accuracies() over the classes that occurred.
  double mean_class_accuracy() const;

  /// Mean of the classes' F1 scores, each weighed by how often the class is true.
  double weighted_f1() const;

  /// Intersection over union per class; none for a class neither true nor predicted anywhere.
  std::vector<std::optional<double>> class_ious() const;

  /// Mean of class_ious() over the classes that occurred; one that was only predicted is left out.
  double mean_iou() const;

 private:
  std::size_t index(int truth, int predicted) const;

  int classes_;
  std::vector<std::int64_t> counts_;
};

/// Mean over a category's parts of intersection over union within one shape; a part that is neither
/// true nor predicted counts as 1, as ShapeNetPart's protocol has it.
double shape_iou(const std::vector<int>& truth, const std::vector<int>& predicted,
                 const std::vector<int>& parts);

/// Collects shape IoUs by category.
class PartScores {
 public:
  explicit PartScores(int categories) : sums_(categories, 0.0), counts_(categories, 0) {}

  /// Records the IoU of one shape of a category.
  void add(int category, double iou);

  /// Adds the shapes of another collection over the same categories.
  void merge(const PartScores& other);

  /// Mean over all shapes.
  double instance_mean_iou() const;

  /// Unweighted mean over the categories that occurred of the mean over their shapes.
  double class_mean_iou() const;

  /// Mean over each category's shapes; none for a category without shapes.
  std::vector<std::optional<double>> category_ious() const;

 private:
  std::vector<double> sums_;
  std::vector<std::int64_t> counts_;
};

/// Mean and sample standard deviation of repeated measurements.
struct Spread {
  double mean = 0.0;
  double sigma = 0.0;  ///< 0 for fewer than two values
};

/// Mean and sample standard deviation; zeros for no values.
Spread spread(const std::vector<double>& values);

/// One score of each of several passes over the same data.
std::vector<double> scores_of(const std::vector<ConfusionMatrix>& passes,
                              double (ConfusionMatrix::*score)() const);

}  // namespace pointtree::perception
