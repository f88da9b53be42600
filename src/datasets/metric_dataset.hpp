// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "pointtree/datasets/dataset.hpp"

namespace pointtree::datasets {

/// The same clouds, known to be in metres.
class MetricDataset : public Dataset {
 public:
  explicit MetricDataset(std::unique_ptr<Dataset> dataset) : dataset_(std::move(dataset)) {}

  const DatasetInfo& info() const override { return dataset_->info(); }
  std::size_t size() const override { return dataset_->size(); }
  std::int32_t label(std::size_t index) const override { return dataset_->label(index); }
  Example at(std::size_t index) const override {
    Example example = dataset_->at(index);
    example.metres = 1.0;
    return example;
  }

 private:
  std::unique_ptr<Dataset> dataset_;
};

inline std::unique_ptr<Dataset> in_metres(std::unique_ptr<Dataset> dataset) {
  return std::make_unique<MetricDataset>(std::move(dataset));
}

}  // namespace pointtree::datasets
