// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

#include "geometry/clouds.hpp"
#include "inference/bundle.hpp"
#include "inference/engine/cloud_batch.hpp"
#include "pointtree/geometry/random.hpp"

namespace pointtree::inference::engine {
namespace {

// Clouds of a few round and flat things with random channels.
class Clouds {
 public:
  Clouds(const EngineInfo& info, int count) {
    geometry::Random random(11);
    for (int i = 0; i < count; ++i) {
      points_.push_back(
          geometry::test::rounded(geometry::test::scene_cloud(info.points, 100U + i)));
      channels_.emplace_back(info.points, static_cast<Eigen::Index>(info.channels.size()));
      for (float& value : channels_.back().reshaped()) value = static_cast<float>(random.uniform());
    }
  }

  std::vector<CloudInput> inputs() const {
    std::vector<CloudInput> inputs;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const auto& channels = channels_[i];
      inputs.push_back({points_[i], ChannelsView(channels.data(), channels.rows(), channels.cols(),
                                                 Eigen::OuterStride<>(channels.cols()))});
    }
    return inputs;
  }

 private:
  using Channels = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  std::vector<geometry::Points> points_;
  std::vector<Channels> channels_;
};

// The most likely class of every cloud, or of every leaf.
std::vector<std::ptrdiff_t> labels(const PackedNetwork& network, const EngineInfo& info,
                                   const std::vector<CloudInput>& inputs, const Kernels& kernels) {
  ThreadPool pool(2);
  Arena arena;
  Context context{pool, arena, kernels};
  std::vector<const CloudInput*> clouds;
  for (const CloudInput& input : inputs) clouds.push_back(&input);
  std::vector<std::optional<PosedCloud>> posed;
  const LeafBatch batch = prepare_batch(clouds, info, context, posed);
  const float* logits = run_network(network, batch, context);
  const auto classes = static_cast<std::ptrdiff_t>(info.classes.size());
  const std::size_t count =
      inputs.size() * static_cast<std::size_t>(info.segments ? info.points : 1);
  std::vector<std::ptrdiff_t> labels;
  for (std::size_t i = 0; i < count; ++i, logits += classes) {
    labels.push_back(std::max_element(logits, logits + classes) - logits);
  }
  return labels;
}

class ShippedModel : public testing::TestWithParam<std::string> {};

TEST_P(ShippedModel, labels_hardly_depend_on_the_instruction_set) {
  const std::string folder = std::string(POINTTREE_SOURCE) + "/models/" + GetParam();
  const Bundle bundle(folder);
  EngineOptions options;
  options.device = "cpu";
  options.threads = 1;
  const EngineInfo info = Engine(folder, options).info();
  const PackedNetwork network = pack_network(
      bundle.plan(), info.precision, [&](const std::string& name) { return bundle.values(name); });
  const Clouds clouds(info, info.segments ? 1 : 12);
  const auto inputs = clouds.inputs();
  const auto expected = labels(network, info, inputs, kPortableKernels);
  for (const Kernels* kernels : runnable_kernels()) {
    const auto found = labels(network, info, inputs, *kernels);
    const auto other = std::inner_product(found.begin(), found.end(), expected.begin(), 0,
                                          std::plus<>(), std::not_equal_to<>());
    std::cout << kernels->name << ": " << other << " of " << found.size() << " labels differ\n";
    EXPECT_LE(static_cast<double>(other), 0.01 * static_cast<double>(found.size()))
        << kernels->name;
  }
}

INSTANTIATE_TEST_SUITE_P(Engine, ShippedModel,
                         testing::Values("objects", "street", "modelnet40", "objects_simulated"));

}  // namespace
}  // namespace pointtree::inference::engine
