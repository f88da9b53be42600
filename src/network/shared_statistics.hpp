// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/modules/batchnorm.h>

#include <functional>

namespace pointtree::network {

/// Adds a tensor up over all processes that train one network, in place.
using SumOverProcesses = std::function<void(const at::Tensor&)>;

/// From now on batch normalisation in training takes its statistics over the rows of all processes;
/// an empty function ends that. Every process must hold the same number of rows. Not thread-safe:
/// call it before training.
void share_batch_statistics(SumOverProcesses sum, int processes);

/// How many processes share their statistics; 1 where none do.
int statistics_processes();

/// The sum over all processes, in place; nothing where statistics are not shared.
void sum_statistics(const at::Tensor& values);

/// sum_statistics with a gradient: the gradient of a sum over processes is the sum of theirs.
at::Tensor differentiable_sum(const at::Tensor& values);

/// Batch normalisation of rows [R, C], over all processes while statistics are shared.
at::Tensor normalise_rows(const at::Tensor& rows, torch::nn::BatchNorm1d norm);

/// Moves the running statistics towards a batch's mean and biased variance over `rows` rows.
void update_running_statistics(torch::nn::BatchNorm1d norm, const at::Tensor& mean,
                               const at::Tensor& variance, double rows);

}  // namespace pointtree::network
