// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "pointtree/datasets/dataset.hpp"
#include "pointtree/geometry/cloud_size.hpp"

namespace pointtree::datasets {

/// The same clouds, known to be in metres and to stand on the ground: the channel `height` is that
/// above their lowest point.
class MetricDataset : public Dataset {
 public:
  explicit MetricDataset(std::unique_ptr<Dataset> dataset)
      : dataset_(std::move(dataset)), info_(dataset_->info()) {
    info_.extra_channels = {geometry::kHeightChannel};
  }

  const DatasetInfo& info() const override { return info_; }
  std::size_t size() const override { return dataset_->size(); }
  std::int32_t label(std::size_t index) const override { return dataset_->label(index); }
  Example at(std::size_t index) const override {
    Example example = dataset_->at(index);
    example.metres = 1.0;
    example.extra = example.points.col(2).array() - example.points.col(2).minCoeff();
    return example;
  }

 private:
  std::unique_ptr<Dataset> dataset_;
  DatasetInfo info_;
};

inline std::unique_ptr<Dataset> in_metres(std::unique_ptr<Dataset> dataset) {
  return std::make_unique<MetricDataset>(std::move(dataset));
}

}  // namespace pointtree::datasets
