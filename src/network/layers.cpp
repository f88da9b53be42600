// SPDX-License-Identifier: Apache-2.0
#include "pointtree/network/layers.hpp"

#include "network/shared_statistics.hpp"
#include "network/training_kernels.hpp"

namespace pointtree::network {

DenseImpl::DenseImpl(const inference::DensePlan& plan) : plan_(plan) {
  linear_ = register_module("linear", torch::nn::Linear(plan.in, plan.out));
  if (plan.norm) norm_ = register_module("norm", torch::nn::BatchNorm1d(plan.out));
  if (plan.activation == inference::Activation::prelu) {
    activation_ = register_module("activation", torch::nn::PReLU());
  }
}

torch::Tensor DenseImpl::forward(const torch::Tensor& input) {
  return finish(linear_product(linear_, input));
}

torch::Tensor DenseImpl::finish(torch::Tensor mapped) {
  if (norm_) {
    // Statistics are over clouds and nodes alike, so both become rows.
    const auto shape = mapped.sizes().vec();
    mapped = normalise_rows(mapped.reshape({-1, plan_.out}), norm_).view(shape);
  }
  switch (plan_.activation) {
    case inference::Activation::prelu:
      return activation_(mapped);
    case inference::Activation::relu:
      return torch::relu(mapped);
    case inference::Activation::none:
      break;
  }
  return mapped;
}

torch::Tensor max_over_rows(Dense& layer, const torch::Tensor& rows) {
  const inference::DensePlan& plan = layer->plan();
  const bool fused = layer->is_training() && fits_training_kernels(rows) && plan.norm &&
                     plan.activation == inference::Activation::none && plan.in < plan.out;
  if (fused) {
    const auto flat = rows.reshape({-1, plan.in});
    return max_of_linear(rows, fold_normalisation(flat, layer->linear(), layer->norm()));
  }
  const auto features = layer(rows);
  // The reduction that also returns indices has the far cheaper backward pass, the other the
  // cheaper forward.
  return features.requires_grad() ? std::get<0>(features.max(1)) : features.amax(1);
}

MlpImpl::MlpImpl(const inference::MlpPlan& plan, double dropout) : dropout_(dropout) {
  for (std::size_t i = 0; i < plan.size(); ++i) {
    layers_.push_back(register_module(std::to_string(i), Dense(plan[i])));
  }
}

torch::Tensor MlpImpl::forward(torch::Tensor input) {
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const bool last = i + 1 == layers_.size();
    if (last && dropout_ > 0.0) input = torch::dropout(input, dropout_, is_training());
    input = layers_[i](input);
  }
  return input;
}

torch::Tensor MlpImpl::forward_max(torch::Tensor rows) {
  for (std::size_t i = 0; i + 1 < layers_.size(); ++i) rows = layers_[i](rows);
  return max_over_rows(layers_.back(), rows);
}

}  // namespace pointtree::network
