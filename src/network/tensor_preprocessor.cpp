// SPDX-License-Identifier: Apache-2.0
#include "network/tensor_preprocessor.hpp"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include <algorithm>

#include "inference/engine/cuda_plugin.hpp"
#include "pointtree/inference/device.hpp"
#include "preprocessor_request.hpp"

namespace pointtree::network {
namespace {

class CpuPreprocessor final : public TensorPreprocessor {
 public:
  explicit CpuPreprocessor(const inference::PreprocessorConfig& config) : preprocessor_(config) {}

  at::Tensor pose(const at::Tensor& clouds) override {
    const at::Tensor in = clouds.contiguous();
    at::Tensor posed = at::empty_like(in);
    for (std::int64_t b = 0; b < in.size(0); ++b) {
      Eigen::Map<geometry::Points>(posed[b].mutable_data_ptr<float>(), in.size(1), 3) =
          preprocessor_.pre_align(cloud(in, b)).points;
    }
    return posed;
  }

  at::Tensor leaf_orders(const at::Tensor& posed) override {
    const at::Tensor in = posed.contiguous();
    at::Tensor orders = at::empty({in.size(0), in.size(1)}, at::kLong);
    for (std::int64_t b = 0; b < in.size(0); ++b) {
      const auto tree = preprocessor_.build_tree(cloud(in, b));
      std::copy(tree.leaf_order().begin(), tree.leaf_order().end(),
                orders[b].mutable_data_ptr<std::int64_t>());
    }
    return orders;
  }

 private:
  static geometry::Points cloud(const at::Tensor& clouds, std::int64_t b) {
    return Eigen::Map<const geometry::Points>(clouds[b].const_data_ptr<float>(), clouds.size(1), 3);
  }

  inference::Preprocessor preprocessor_;
};

}  // namespace

std::unique_ptr<TensorPreprocessor> make_tensor_preprocessor(
    c10::Device device, const inference::PreprocessorConfig& config) {
  if (device.is_cpu()) return std::make_unique<CpuPreprocessor>(config);
  const int index = device.has_index() ? device.index() : 0;
  const auto make = reinterpret_cast<MakePreprocessor>(
      inference::cuda_function(index, inference::engine::kCudaLibrary, kMakePreprocessorSymbol));
  return std::unique_ptr<TensorPreprocessor>(make({index, config.pre_align, config.tree}));
}

}  // namespace pointtree::network
