// SPDX-License-Identifier: Apache-2.0
#include "network/shared_statistics.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/custom_function.h>

#include <utility>

namespace pointtree::network {
namespace {

struct Sharing {
  SumOverProcesses sum;
  int processes = 1;
};

Sharing& sharing() {
  static Sharing shared;
  return shared;
}

struct SumFunction : torch::autograd::Function<SumFunction> {
  static at::Tensor forward(torch::autograd::AutogradContext*, const at::Tensor& values) {
    auto total = values.clone();
    sum_statistics(total);
    return total;
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext*,
                                                 torch::autograd::variable_list gradients) {
    auto total = gradients[0].clone();
    sum_statistics(total);
    return {total};
  }
};

}  // namespace

void share_batch_statistics(SumOverProcesses sum, int processes) {
  sharing() = {std::move(sum), processes};
}

int statistics_processes() { return sharing().sum ? sharing().processes : 1; }

void sum_statistics(const at::Tensor& values) {
  if (sharing().sum) sharing().sum(values);
}

at::Tensor differentiable_sum(const at::Tensor& values) {
  return sharing().sum ? SumFunction::apply(values) : values;
}

at::Tensor normalise_rows(const at::Tensor& rows, torch::nn::BatchNorm1d norm) {
  if (!norm->is_training() || !sharing().sum) return norm(rows);
  const auto count = static_cast<double>(rows.size(0)) * statistics_processes();
  const auto mean = differentiable_sum(rows.sum(0)) / count;
  const auto centred = rows - mean;
  const auto variance = differentiable_sum(centred.square().sum(0)) / count;
  update_running_statistics(norm, mean, variance, count);
  return centred * ((variance + norm->options.eps()).rsqrt() * norm->weight) + norm->bias;
}

void update_running_statistics(torch::nn::BatchNorm1d norm, const at::Tensor& mean,
                               const at::Tensor& variance, double rows) {
  const at::NoGradGuard no_grad;
  const double momentum = norm->options.momentum().value_or(0.1);
  norm->running_mean.lerp_(mean.detach(), momentum);
  norm->running_var.lerp_(variance.detach() * (rows / (rows - 1.0)), momentum);
  norm->num_batches_tracked.add_(1);
}

}  // namespace pointtree::network
