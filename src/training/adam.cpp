// SPDX-License-Identifier: Apache-2.0
#include "training/adam.hpp"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_foreach_lerp.h>
#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/_foreach_norm.h>
#include <ATen/ops/_fused_adam.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/full.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>

namespace pointtree::training {

Adam::Adam(NamedTensors parameters, OptimizerConfig config)
    : parameters_(std::move(parameters)), config_(std::move(config)) {
  const at::NoGradGuard no_grad;
  Group decayed{{}, config_.weight_decay};
  Group spared{{}, 0.0};
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const auto& value = parameters_[i].second;
    first_.push_back(at::zeros_like(value));
    second_.push_back(at::zeros_like(value));
    (value.dim() > 1 ? decayed : spared).members.push_back(i);
  }
  groups_ = {decayed, spared};
}

void Adam::clear_gradients() {
  for (auto& [name, value] : parameters_) value.mutable_grad() = at::Tensor();
}

double Adam::clip_gradients() {
  if (config_.clip_norm <= 0.0) return 0.0;
  const at::NoGradGuard no_grad;
  std::vector<at::Tensor> gradients;
  for (const auto& [name, value] : parameters_) {
    if (value.grad().defined()) gradients.push_back(value.grad());
  }
  if (gradients.empty()) return 0.0;
  const double norm = at::stack(at::_foreach_norm(gradients)).norm().item<double>();
  if (norm > config_.clip_norm) at::_foreach_mul_(gradients, config_.clip_norm / norm);
  return norm;
}

void Adam::step(double learning_rate) {
  const at::NoGradGuard no_grad;
  ++steps_;
  const auto update =
      config_.name == "adamw"
          ? static_cast<decltype(&at::_ops::_fused_adam_::call)>(&at::_ops::_fused_adamw_::call)
          : &at::_ops::_fused_adam_::call;
  for (const auto& group : groups_) {
    std::vector<at::Tensor> values;
    std::vector<at::Tensor> gradients;
    std::vector<at::Tensor> first;
    std::vector<at::Tensor> second;
    std::vector<at::Tensor> steps;
    for (const auto i : group.members) {
      const auto& value = parameters_[i].second;
      if (!value.grad().defined()) continue;
      values.push_back(value);
      gradients.push_back(value.grad());
      first.push_back(first_[i]);
      second.push_back(second_[i]);
      steps.push_back(at::full({}, static_cast<float>(steps_), value.options().dtype(at::kFloat)));
    }
    if (values.empty()) continue;
    update(values, gradients, first, second, {}, steps, learning_rate, config_.beta1, config_.beta2,
           group.weight_decay, config_.epsilon, /*amsgrad=*/false, /*maximize=*/false, std::nullopt,
           std::nullopt);
  }
}

NamedTensors Adam::state() const {
  NamedTensors state;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    state.emplace_back("first." + parameters_[i].first, first_[i]);
    state.emplace_back("second." + parameters_[i].first, second_[i]);
  }
  return state;
}

AveragedWeights::AveragedWeights(const NamedTensors& values, double decay) : decay_(decay) {
  const at::NoGradGuard no_grad;
  for (const auto& [name, value] : values) {
    values_.push_back(value.detach());
    averages_.emplace_back(name, value.detach().clone());
  }
}

void AveragedWeights::update(std::int64_t step) {
  const at::NoGradGuard no_grad;
  const double decay =
      std::min(decay_, (1.0 + static_cast<double>(step)) / (10.0 + static_cast<double>(step)));
  std::vector<at::Tensor> averages;
  std::vector<at::Tensor> values;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (values_[i].is_floating_point()) {
      averages.push_back(averages_[i].second);
      values.push_back(values_[i]);
    } else {
      averages_[i].second.copy_(values_[i]);  // counters are taken as they are
    }
  }
  at::_foreach_lerp_(averages, values, 1.0 - decay);
}

void AveragedWeights::swap() {
  const at::NoGradGuard no_grad;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const auto present = values_[i].clone();
    values_[i].copy_(averages_[i].second);
    averages_[i].second.copy_(present);
  }
}

}  // namespace pointtree::training
