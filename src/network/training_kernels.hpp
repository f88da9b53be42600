// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/linear.h>

/// The memory-bound parts of a training step, fused. Every function has the value and the gradients
/// of the plain modules it stands for, to rounding; what differs is which tensors are made on the
/// way.
namespace pointtree::network {

/// Whether the kernels below serve a tensor: float32 on the CPU, while gradients are recorded.
bool fits_training_kernels(const at::Tensor& features);

/// While it lives, mixed precision is off: coordinates and statistics need all their digits.
class FullPrecision {
  c10::impl::ExcludeDispatchKeyGuard guard_{c10::autocast_dispatch_keyset};
};

/// x · weightᵀ + bias. Under mixed precision on the CPU the product alone is bfloat16: what follows
/// is memory-bound, and made for float32.
at::Tensor linear_product(torch::nn::Linear linear, const at::Tensor& input);

/// A linear map with the batch normalisation behind it folded in: x · weightᵀ + bias.
struct FoldedLinear {
  at::Tensor weight;  ///< [out, in]
  at::Tensor bias;    ///< [out]
};

/// Folds training-mode normalisation into the map before it, without computing the map: mean and
/// variance of W x + b follow from mean and covariance of x. Pays where in is small against out.
/// `rows` is [R, in]; running statistics are updated; gradients flow through the statistics.
FoldedLinear fold_normalisation(const at::Tensor& rows, const torch::nn::Linear& linear,
                                torch::nn::BatchNorm1d norm);

/// max over points of x · weightᵀ + bias: [B, N, in] → [B, out].
///
/// The [B, N, out] product is made in pieces that stay in cache and is never stored: only the point
/// that won each channel receives a gradient.
at::Tensor max_of_linear(const at::Tensor& points, const FoldedLinear& map);

/// prelu(x · firstᵀ + bias) · weightᵀ + bias: [R, in] → [R, out], its hidden features [R, hidden]
/// made in pieces, twice (once more in the backward pass), and never stored.
at::Tensor prelu_mlp(const at::Tensor& rows, const FoldedLinear& first, const at::Tensor& slope,
                     const at::Tensor& weight, const at::Tensor& bias);

/// Training-mode batch normalisation of [B, 2n, C] over rows, then the larger of each adjacent
/// pair: [B, n, C]. Where both are equal the left one takes the gradient.
at::Tensor normalised_max_of_pairs(const at::Tensor& features, torch::nn::BatchNorm1d norm);

}  // namespace pointtree::network
