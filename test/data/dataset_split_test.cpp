#include "pointtree/data/dataset_split.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "pointtree/data/random_stream.hpp"

namespace pointtree::data {
namespace {

TEST(StratifiedSplit, parts_cover_everything_once_with_the_wanted_shares_of_every_class) {
  RandomStream random(5);
  std::vector<std::int32_t> labels;
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

TEST(RandomStream, moments_are_those_of_the_distributions) {
  RandomStream random{1, 2, 3};
  double uniform = 0.0;
  double normal = 0.0;
  double square = 0.0;
  std::vector<int> dice(6, 0);
  constexpr int kDraws = 100000;
  for (int i = 0; i < kDraws; ++i) {
    uniform += random.uniform(2.0, 4.0) / kDraws;
    const double x = random.normal();
    normal += x / kDraws;
    square += x * x / kDraws;
    ++dice[random.below(6)];
  }
  EXPECT_NEAR(uniform, 3.0, 0.01);
  EXPECT_NEAR(normal, 0.0, 0.015);
  EXPECT_NEAR(square, 1.0, 0.02);
  for (const int count : dice) EXPECT_NEAR(count, kDraws / 6.0, 500.0);
}

TEST(RandomStream, streams_of_neighbouring_seeds_differ) {
  EXPECT_NE((RandomStream{1, 0}()), (RandomStream{0, 1}()));
  EXPECT_NE((RandomStream{7, 1}()), (RandomStream{7, 2}()));
  EXPECT_EQ((RandomStream{7, 1}()), (RandomStream{7, 1}()));
}

}  // namespace
}  // namespace pointtree::data
