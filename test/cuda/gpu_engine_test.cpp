// SPDX-License-Identifier: Apache-2.0
#include <ATen/ops/allclose.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "inference/small_configs.hpp"
#include "network/network_weights.hpp"
#include "network/tensor_preprocessor.hpp"
#include "network/trained_like.hpp"
#include "pointtree/inference/device.hpp"

// The engine on a real device beside the CPU's.
namespace pointtree::network {
namespace {

class GpuEngine : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    std::string reason;
    if (inference::count_cuda_devices(&reason) == 0) GTEST_SKIP() << reason;
  }

  static inference::Engine engine_on(const std::string& device, PointTreeNet& network) {
    inference::EngineOptions options;
    options.device = device;
    options.max_batch = 4;
    options.precision = inference::Precision::float32;
    return make_engine(network, options);
  }
};

TEST_P(GpuEngine, answers_as_on_the_cpu_step_by_step_and_as_a_graph) {
  const inference::ModelConfig config = inference::small_configs().at(GetParam());
  PointTreeNet network = trained_like(config, 5);
  const inference::Engine cpu = engine_on("cpu", network);
  const inference::Engine gpu = engine_on("cuda:0", network);
  std::mt19937 random(3);
  std::normal_distribution<float> normal;
  using Channels = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  for (int round = 0; round < 3; ++round) {
    std::vector<geometry::Points> clouds;
    const Channels channels =
        Channels::NullaryExpr(config.points, config.extra_channels, [&] { return normal(random); });
    for (int i = 0; i < 7; ++i) {
      clouds.emplace_back(
          geometry::Points::NullaryExpr(config.points, 3, [&] { return normal(random); }));
    }
    std::vector<inference::CloudInput> inputs;
    for (const geometry::Points& cloud : clouds) {
      inputs.push_back({cloud, inference::ChannelsView(
                                   channels.data(), channels.cols() == 0 ? 0 : channels.rows(),
                                   channels.cols(), Eigen::OuterStride<>(channels.cols()))});
    }
    if (cpu.info().segments) {
      const auto expected = cpu.segment(inputs);
      const auto found = gpu.segment(inputs);
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        EXPECT_EQ(found.clouds[i].tree.leaf_order(), expected.clouds[i].tree.leaf_order());
        for (std::size_t p = 0; p < expected.clouds[i].labels.size(); ++p) {
          EXPECT_NEAR(found.clouds[i].probabilities[p], expected.clouds[i].probabilities[p], 1e-4);
        }
      }
    } else {
      const auto expected = cpu.classify(inputs);
      const auto found = gpu.classify(inputs);
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        for (std::size_t c = 0; c < expected.clouds[i].log_likelihoods.size(); ++c) {
          EXPECT_NEAR(found.clouds[i].log_likelihoods[c], expected.clouds[i].log_likelihoods[c],
                      1e-4);
        }
      }
    }
  }
}

TEST(GpuPreprocessor, poses_and_trees_of_tensors_are_those_of_the_cpu) {
  std::string reason;
  if (inference::count_cuda_devices(&reason) == 0) GTEST_SKIP() << reason;
  const c10::Device device(c10::kCUDA, 0);
  const auto cpu = make_tensor_preprocessor(c10::kCPU, {});
  const auto gpu = make_tensor_preprocessor(device, {});
  std::mt19937 random(4);
  std::normal_distribution<float> normal;
  auto clouds = at::empty({5, 256, 3}, at::kFloat);
  std::generate_n(clouds.mutable_data_ptr<float>(), clouds.numel(), [&] { return normal(random); });
  const at::Tensor posed = cpu->pose(clouds);
  EXPECT_TRUE(at::allclose(gpu->pose(clouds.to(device)).cpu(), posed, 0.0, 1e-6));
  EXPECT_TRUE(at::equal(gpu->leaf_orders(posed.to(device)).cpu(), cpu->leaf_orders(posed)));
  clouds[2][7][1] = std::numeric_limits<float>::quiet_NaN();
  for (const auto* each : {&cpu, &gpu}) {
    const at::Tensor broken = clouds.to(each == &cpu ? c10::Device(c10::kCPU) : device);
    EXPECT_THROW((*each)->pose(broken), std::invalid_argument);
    EXPECT_THROW((*each)->leaf_orders(broken), std::invalid_argument);
  }
}

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const auto& [name, config] : inference::small_configs()) names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(EveryVariant, GpuEngine, testing::ValuesIn(names()));

}  // namespace
}  // namespace pointtree::network
