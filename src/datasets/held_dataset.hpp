// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "pointtree/datasets/dataset.hpp"

namespace pointtree::datasets {

/// Clouds that are held in memory.
class HeldDataset final : public Dataset {
 public:
  HeldDataset(DatasetInfo info, std::vector<Example> clouds)
      : info_(std::move(info)), clouds_(std::move(clouds)) {}

  const DatasetInfo& info() const override { return info_; }
  std::size_t size() const override { return clouds_.size(); }
  Example at(std::size_t index) const override { return clouds_.at(index); }
  std::int32_t label(std::size_t index) const override { return clouds_.at(index).label; }

 private:
  DatasetInfo info_;
  std::vector<Example> clouds_;
};

}  // namespace pointtree::datasets
