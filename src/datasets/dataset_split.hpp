// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pointtree::datasets {

/// The seed of the splits that this project publishes results on.
inline constexpr std::uint64_t kSplitSeed = 674433238;

/// Divides 0…n−1 into parts with the given shares of every class (the last part takes what is
/// left); indices of a part are ascending. The same labels, shares and seed give the same parts on
/// every machine.
std::vector<std::vector<std::size_t>> stratified_split(const std::vector<std::int32_t>& labels,
                                                       const std::vector<double>& shares,
                                                       std::uint64_t seed = kSplitSeed);

/// The members of `train` (70 % of every class), `validation` (10 %) or `test` (20 %) of a set that
/// comes in one piece; nothing for another name.
std::optional<std::vector<std::size_t>> standard_cut(const std::vector<std::int32_t>& labels,
                                                     const std::string& split);

/// Whether a split is learned from, so that its examples are varied.
inline bool is_training_split(const std::string& split) {
  return split == "train" || split == "train_all";
}

}  // namespace pointtree::datasets
