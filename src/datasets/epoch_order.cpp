// SPDX-License-Identifier: Apache-2.0
#include "epoch_order.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "geometry/seed.hpp"

namespace pointtree::datasets {
namespace {

// Streams of random numbers that no cloud's own seed can meet.
constexpr std::uint64_t kLimitStream = 0x6c696d6974;
constexpr std::uint64_t kOrderStream = 0x6f72646572;

std::vector<std::size_t> selected_clouds(std::size_t size, const LoaderConfig& config) {
  std::vector<std::size_t> indices(size);
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  if (config.limit == 0 || config.limit >= size) return indices;
  geometry::Random random(geometry::mix_seed({config.seed, kLimitStream}));
  geometry::shuffle(indices, random);
  indices.resize(config.limit);
  std::sort(indices.begin(), indices.end());
  return indices;
}

// How often each cloud occurs so that its class weighs about as much as the largest.
std::map<std::int32_t, std::size_t> class_repeats(const Dataset& dataset,
                                                  const std::vector<std::size_t>& indices) {
  std::map<std::int32_t, std::size_t> repeats;
  for (const std::size_t index : indices) ++repeats[dataset.label(index)];
  std::size_t largest = 0;
  for (const auto& [label, count] : repeats) largest = std::max(largest, count);
  for (auto& [label, count] : repeats) count = (largest + count / 2) / count;
  return repeats;
}

}  // namespace

std::vector<EpochItem> epoch_items(const Dataset& dataset, const LoaderConfig& config) {
  const auto indices = selected_clouds(dataset.size(), config);
  std::map<std::int32_t, std::size_t> balance;
  if (config.balance) balance = class_repeats(dataset, indices);
  std::vector<EpochItem> items;
  for (const std::size_t index : indices) {
    const std::size_t copies =
        config.repeat * (config.balance ? balance.at(dataset.label(index)) : 1);
    for (std::size_t copy = 0; copy < copies; ++copy) items.push_back({index, copy});
  }
  return items;
}

std::vector<EpochItem> epoch_order(std::vector<EpochItem> items, const LoaderConfig& config,
                                   std::size_t epoch) {
  if (!config.shuffle) return items;
  geometry::Random random(geometry::mix_seed({config.seed, epoch, kOrderStream}));
  geometry::shuffle(items, random);
  return items;
}

}  // namespace pointtree::datasets
