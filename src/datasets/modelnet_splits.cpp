// SPDX-License-Identifier: Apache-2.0
#include "modelnet_splits.hpp"

#include "datasets/dataset_split.hpp"

namespace pointtree::datasets {
namespace {

// The paper keeps 1,231 of 9,843 training shapes for validation: one in eight.
constexpr double kTrainShare = 7.0 / 8.0;

}  // namespace

bool cuts_train(const std::string& split, bool validation_is_stored) {
  return !validation_is_stored && (split == "train" || split == "validation");
}

std::string stored_split(const std::string& split, bool validation_is_stored) {
  const bool in_train = split == "train_all" || cuts_train(split, validation_is_stored);
  return in_train ? "train" : split;
}

std::vector<std::size_t> cut_of_train(const std::vector<std::int32_t>& labels,
                                      const std::string& split) {
  return stratified_split(labels, {kTrainShare, 1.0 - kTrainShare})[split == "train" ? 0 : 1];
}

}  // namespace pointtree::datasets
