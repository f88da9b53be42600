// SPDX-License-Identifier: Apache-2.0
#include "datasets/dataset_split.hpp"

#include <gtest/gtest.h>

#include <map>

#include "geometry/seed.hpp"

namespace pointtree::datasets {
namespace {

TEST(StratifiedSplit, parts_cover_everything_once_with_the_wanted_shares_of_every_class) {
  geometry::Random random(5);
  std::vector<std::int32_t> labels;
  labels.reserve(1000);
  for (int i = 0; i < 1000; ++i) labels.push_back(static_cast<std::int32_t>(random.below(7)));
  const auto parts = stratified_split(labels, {0.7, 0.1, 0.2});
  std::vector<int> seen(labels.size(), 0);
  std::map<std::int32_t, std::vector<double>> counts;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    for (const std::size_t index : parts[part]) {
      ++seen[index];
      auto& row = counts[labels[index]];
      row.resize(3);
      row[part] += 1.0;
    }
  }
  EXPECT_EQ(seen, std::vector<int>(labels.size(), 1));
  for (const auto& [label, row] : counts) {
    const double total = row[0] + row[1] + row[2];
    EXPECT_NEAR(row[0], 0.7 * total, 1.0) << label;
    EXPECT_NEAR(row[1], 0.1 * total, 1.0) << label;
  }
}

TEST(StratifiedSplit, seed_decides_the_members) {
  const std::vector<std::int32_t> labels(100, 3);
  EXPECT_EQ(stratified_split(labels, {0.5, 0.5}, 1), stratified_split(labels, {0.5, 0.5}, 1));
  EXPECT_NE(stratified_split(labels, {0.5, 0.5}, 1), stratified_split(labels, {0.5, 0.5}, 2));
}

TEST(MixSeed, depends_on_order_and_value_of_every_number) {
  EXPECT_NE(geometry::mix_seed({1, 0}), geometry::mix_seed({0, 1}));
  EXPECT_NE(geometry::mix_seed({7, 1}), geometry::mix_seed({7, 2}));
  EXPECT_NE(geometry::mix_seed({7}), geometry::mix_seed({7, 0}));
  EXPECT_EQ(geometry::mix_seed({7, 1}), geometry::mix_seed({7, 1}));
  EXPECT_NE(geometry::hash_name("train"), geometry::hash_name("test"));
}

TEST(Shuffle, every_order_is_about_equally_likely) {
  std::map<std::vector<int>, int> counts;
  geometry::Random random(3);
  for (int i = 0; i < 6000; ++i) {
    std::vector<int> values = {0, 1, 2};
    geometry::shuffle(values, random);
    ++counts[values];
  }
  ASSERT_EQ(counts.size(), 6U);
  for (const auto& [order, count] : counts) EXPECT_NEAR(count, 1000, 150);
}

}  // namespace
}  // namespace pointtree::datasets
