// SPDX-License-Identifier: Apache-2.0
#include "pointtree/network/decoder.hpp"

namespace pointtree::network {

DecoderImpl::DecoderImpl(const inference::DecoderPlan& plan) {
  auto levels = register_module("levels", std::make_shared<torch::nn::Module>());
  for (std::size_t l = 0; l < plan.levels.size(); ++l) {
    levels_.push_back(levels->register_module(std::to_string(l), Dense(plan.levels[l])));
  }
}

torch::Tensor DecoderImpl::forward(const std::vector<torch::Tensor>& features) {
  auto carry = features.back();
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const auto& own = features[features.size() - 2 - l];
    const auto& linear = levels_[l]->linear();
    const auto own_width = own.size(2);
    // The parent's share of the product is the same for both children: computed once, not on a
    // concatenation.
    auto from_own = torch::linear(own, linear->weight.narrow(1, 0, own_width), linear->bias);
    auto from_parent = torch::linear(carry, linear->weight.narrow(1, own_width, carry.size(2)));
    auto pairs = from_own.view({own.size(0), own.size(1) / 2, 2, -1}) + from_parent.unsqueeze(2);
    carry = levels_[l]->finish(pairs.view(from_own.sizes()));
  }
  return carry;
}

torch::Tensor average_repeated(const torch::Tensor& features, const torch::Tensor& owner) {
  const auto batch = features.size(0);
  const auto leaves = features.size(1);
  // Points of different clouds get different rows of one flat table.
  const auto offset = torch::arange(batch, owner.options()).unsqueeze(1) * leaves;
  const auto row = (owner + offset).reshape({-1});
  const auto flat = features.reshape({batch * leaves, -1});
  // On CUDA index_add takes the rows in an order that changes from run to run, index_put does not.
  const auto sums_of = [&](const torch::Tensor& rows) {
    const auto none = torch::zeros_like(rows);
    return rows.is_cuda() ? none.index_put({row}, rows, true) : none.index_add(0, row, rows);
  };
  const auto sums = sums_of(flat);
  const auto counts = sums_of(torch::ones({batch * leaves, 1}, flat.options())).clamp_min(1);
  return (sums / counts).index_select(0, row).view(features.sizes());
}

}  // namespace pointtree::network
