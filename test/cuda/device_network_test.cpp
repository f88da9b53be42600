// SPDX-License-Identifier: Apache-2.0
#include "network/device_network.hpp"

#include <ATen/ops/arange.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <gtest/gtest.h>

#include "inference/small_configs.hpp"
#include "network/network_weights.hpp"
#include "network/trained_like.hpp"

// The network that CUDA devices run, run on the CPU.
namespace pointtree::network {
namespace {

inference::engine::TensorReader reader_of(const PointTreeNet& network) {
  return [&network](const std::string& name) {
    const auto parameters = network->named_parameters();
    const auto* found = parameters.find(name);
    const auto buffers = network->named_buffers();
    const at::Tensor flat =
        (found != nullptr ? *found : buffers[name]).detach().contiguous().view(-1);
    return std::vector<float>(flat.const_data_ptr<float>(),
                              flat.const_data_ptr<float>() + flat.numel());
  };
}

class DeviceNetworkOf : public testing::TestWithParam<std::string> {
 protected:
  /// The largest difference of log-likelihoods from the training form's.
  static double difference(at::ScalarType wide, bool repeats) {
    const at::NoGradGuard no_grad;
    const inference::ModelConfig config = inference::small_configs().at(GetParam());
    PointTreeNet network = trained_like(config, 3);
    const DeviceNetwork device(network->plan(), reader_of(network), at::kCPU, wide);
    const auto points = at::rand({3, config.points, config.channels()}) * 2 - 1;
    const auto owner =
        repeats ? at::randint(config.points / 2, {3, config.points}, at::kLong) : at::Tensor();
    const auto expected = network->forward(points, owner).logits.log_softmax(-1);
    const auto logits = device.forward(points, owner);
    EXPECT_EQ(logits.scalar_type(), at::kFloat);
    EXPECT_EQ(logits.sizes(), expected.sizes());
    return (logits.log_softmax(-1) - expected).abs().max().item<double>();
  }
};

TEST_P(DeviceNetworkOf, answers_as_the_training_form_in_float32) {
  EXPECT_LT(difference(at::kFloat, false), 1e-5);
  EXPECT_LT(difference(at::kFloat, true), 1e-5);
}

TEST_P(DeviceNetworkOf, answers_nearly_so_in_half) {
  EXPECT_LT(difference(at::kHalf, false), 1e-2);
  EXPECT_LT(difference(at::kHalf, true), 1e-2);
}

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const auto& [name, config] : inference::small_configs()) names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(EveryVariant, DeviceNetworkOf, testing::ValuesIn(names()));

TEST(CudaEngine, without_a_device_it_says_what_is_missing) {
  PointTreeNet network = trained_like(inference::small_config(), 1);
  inference::EngineOptions options;
  options.device = "cuda:99";
  try {
    make_engine(network, options);
    FAIL() << "there is no device 99";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(std::string(error.what()).find("CUDA: "), 0U) << error.what();
  }
}

TEST(CudaEngine, device_may_be_any_text_that_names_one) {
  PointTreeNet network = trained_like(inference::small_config(), 1);
  inference::EngineOptions options;
  options.device = "gpu";
  EXPECT_THROW(make_engine(network, options), std::invalid_argument);
  options.device = "cpu";
  EXPECT_EQ(make_engine(network, options).info().device, "cpu");
}

}  // namespace
}  // namespace pointtree::network
