// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "inference/small_configs.hpp"
#include "network/oracle.hpp"
#include "network/trained_like.hpp"

namespace pointtree::network {
namespace {

std::map<std::string, Oracle::Vector> weights_of(const PointTreeNet& net) {
  std::map<std::string, Oracle::Vector> weights;
  const auto add = [&](const std::string& name, const torch::Tensor& tensor) {
    const auto values = tensor.detach().to(torch::kFloat64).contiguous();
    weights[name] = {values.data_ptr<double>(), values.data_ptr<double>() + values.numel()};
  };
  for (const auto& item : net->named_parameters()) add(item.key(), item.value());
  for (const auto& item : net->named_buffers()) add(item.key(), item.value());
  return weights;
}

Oracle::Rows rows_of(const torch::Tensor& matrix) {
  Oracle::Rows rows;
  for (std::int64_t i = 0; i < matrix.size(0); ++i) {
    const auto row = matrix[i].to(torch::kFloat64).contiguous();
    rows.emplace_back(row.data_ptr<double>(), row.data_ptr<double>() + row.numel());
  }
  return rows;
}

void expect_close(const torch::Tensor& logits, const Oracle::Rows& expected) {
  const auto found = rows_of(logits);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i].size(), expected[i].size());
    for (std::size_t c = 0; c < found[i].size(); ++c)
      EXPECT_NEAR(found[i][c], expected[i][c], 1e-5);
  }
}

TEST(Evaluation, agrees_with_plain_loops_over_nodes) {
  constexpr int kSeed = 5;
  for (const auto& [name, config] : inference::small_configs()) {
    SCOPED_TRACE(testing::Message() << name << ", seed " << kSeed);
    PointTreeNet net = trained_like(config, kSeed);
    const Oracle oracle(config, weights_of(net));
    const auto points = torch::randn({2, config.points, config.channels()});
    const auto logits = net(points).logits;
    for (int cloud = 0; cloud < 2; ++cloud) {
      auto answer = logits[cloud];
      if (config.task == inference::Task::classification) answer = answer.unsqueeze(0);
      expect_close(answer, oracle.logits(rows_of(points[cloud])));
    }
  }
}

TEST(Evaluation, averages_over_the_leaves_of_a_repeated_point) {
  constexpr int kSeed = 6;
  for (const char* name : {"segmentation", "segmentation rns", "rns"}) {
    SCOPED_TRACE(testing::Message() << name << ", seed " << kSeed);
    const inference::ModelConfig config = inference::small_configs().at(name);
    PointTreeNet net = trained_like(config, kSeed);
    std::mt19937 random(kSeed);
    std::vector<std::vector<int>> owners(2, std::vector<int>(config.points));
    auto owner = torch::empty({2, config.points}, torch::kInt64);
    for (int b = 0; b < 2; ++b) {
      for (int j = 0; j < config.points; ++j) {
        owners[b][j] = static_cast<int>(random() % 5);
        owner[b][j] = owners[b][j];
      }
    }
    const auto points = torch::randn({2, config.points, config.channels()});
    const auto logits = net(points, owner).logits;
    const Oracle oracle(config, weights_of(net));
    for (int b = 0; b < 2; ++b) {
      auto answer = logits[b];
      if (config.task == inference::Task::classification) answer = answer.unsqueeze(0);
      expect_close(answer, oracle.logits(rows_of(points[b]), owners[b]));
    }
  }
}

}  // namespace
}  // namespace pointtree::network
