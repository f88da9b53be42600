// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "training/scores.hpp"

namespace pointtree::training {

/// Collects clouds that a network got right and wrong, and draws them as the data set holds them.
class CasePictures {
 public:
  /// Pictures go into `folder`; the data set must outlive this.
  CasePictures(std::filesystem::path folder, const datasets::Dataset& data);

  /// Looks at the answers to a batch.
  void add(const Evaluator& evaluator, const Batch& batch, const at::Tensor& logits);

  /// Writes `right.png` and `wrong.png`, the surest answers of each kind; where points are
  /// labelled, the best and the worst, truth on the left and what was found on the right.
  void draw(const Evaluator& evaluator) const;

 private:
  // One answer: a class, or for point labels the share of points that are right.
  struct Case {
    std::int64_t index;
    int truth;
    int predicted;
    double sureness;
    bool right;
    std::vector<std::int32_t> found = {};  // per point of the cloud, −1 where it was not asked for
  };

  void draw(const Evaluator& evaluator, bool right) const;

  std::filesystem::path folder_;
  const datasets::Dataset& data_;
  std::vector<Case> cases_;
};

}  // namespace pointtree::training
