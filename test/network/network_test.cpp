// SPDX-License-Identifier: Apache-2.0
#include "pointtree/network/network.hpp"

#include <gtest/gtest.h>

#include <map>

#include "inference/small_configs.hpp"

namespace pointtree::network {
namespace {

TEST(Network, has_exactly_the_tensors_that_its_plan_lists) {
  for (const auto& [name, config] : inference::small_configs()) {
    SCOPED_TRACE(name);
    PointTreeNet net(config);
    std::map<std::string, std::vector<std::int64_t>> found;
    for (const auto& item : net->named_parameters()) found[item.key()] = item.value().sizes().vec();
    for (const auto& item : net->named_buffers()) {
      if (item.value().dim() > 0) found[item.key()] = item.value().sizes().vec();
    }
    std::map<std::string, std::vector<std::int64_t>> planned;
    for (const auto& layer : inference::dense_layers(net->plan())) {
      for (const auto& tensor : inference::tensors(layer)) planned[tensor.name] = tensor.shape;
    }
    EXPECT_EQ(found, planned);
  }
}

TEST(Network, answers_per_cloud_or_per_point_and_helps_training_along) {
  for (const auto& [name, config] : inference::small_configs()) {
    SCOPED_TRACE(name);
    torch::manual_seed(1);
    PointTreeNet net(config);
    const auto points = torch::randn({3, config.points, config.channels()});
    const auto training = net(points);
    std::vector<std::int64_t> shape{3, config.classes};
    if (config.task == inference::Task::segmentation) shape = {3, config.points, config.classes};
    EXPECT_EQ(training.logits.sizes().vec(), shape);
    const bool helped = config.variant == inference::Variant::rns ||
                        (config.alignment == inference::Alignment::tree &&
                         config.task == inference::Task::classification);
    EXPECT_EQ(training.auxiliary.size(), helped ? 1U : 0U);
    for (const auto& logits : training.auxiliary) EXPECT_EQ(logits.sizes().vec(), shape);
    net->eval();
    EXPECT_TRUE(net(points).auxiliary.empty());
  }
}

TEST(Network, refuses_input_of_another_shape) {
  PointTreeNet net(inference::small_configs().at("def"));
  EXPECT_THROW(net(torch::zeros({1, 32, 3})), std::invalid_argument);
  EXPECT_THROW(net(torch::zeros({1, 16, 4})), std::invalid_argument);
  EXPECT_THROW(net(torch::zeros({16, 3})), std::invalid_argument);
}

// A bias in front of a batch normalisation moves mean and values alike, so it cancels.
bool cancels(const std::string& key, const torch::OrderedDict<std::string, at::Tensor>& all) {
  const std::string ending = "linear.bias";
  const auto at = key.rfind(ending);
  return at != std::string::npos && all.contains(key.substr(0, at) + "norm.weight");
}

TEST(Network, every_parameter_that_matters_is_trained) {
  for (const auto& [name, config] : inference::small_configs()) {
    SCOPED_TRACE(name);
    torch::manual_seed(2);
    PointTreeNet net(config);
    const auto output = net(torch::randn({4, config.points, config.channels()}));
    auto loss = torch::log_softmax(output.logits, -1).square().sum();
    for (const auto& logits : output.auxiliary) loss = loss + logits.square().sum();
    loss.backward();
    const auto parameters = net->named_parameters();
    for (const auto& item : parameters) {
      if (cancels(item.key(), parameters)) continue;
      EXPECT_TRUE(item.value().grad().defined()) << item.key();
    }
  }
}

}  // namespace
}  // namespace pointtree::network
