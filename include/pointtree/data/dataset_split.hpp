#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pointtree::data {

/// The seed of the splits that this project publishes results on.
inline constexpr std::uint64_t kSplitSeed = 674433238;

/// Divides 0…n−1 into parts with the given shares of every class (the last part takes what is
/// left); indices of a part are ascending. The same labels, shares and seed give the same parts on
/// every machine.
std::vector<std::vector<std::size_t>> stratified_split(const std::vector<std::int32_t>& labels,
                                                       const std::vector<double>& shares,
                                                       std::uint64_t seed = kSplitSeed);

}  // namespace pointtree::data
