// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <memory>

#include "inference/preprocessor.hpp"

namespace pointtree::network {

/// Poses clouds and builds their trees on the device that they are on. On CUDA devices calls only
/// put work into the current stream.
class TensorPreprocessor {
 public:
  virtual ~TensorPreprocessor() = default;

  /// The clouds [B, N, 3] in their standard pose.
  virtual at::Tensor pose(const at::Tensor& clouds) = 0;

  /// Which point of its posed cloud each leaf holds: [B, N] int64.
  virtual at::Tensor leaf_orders(const at::Tensor& posed) = 0;
};

/// A preprocessor for float32 clouds of 2^d points; on the CPU for any cloud that pre_align and
/// build_tree take, on a CUDA device for 2 to 2^16 finite points. Throws std::runtime_error where
/// the device cannot be had.
std::unique_ptr<TensorPreprocessor> make_tensor_preprocessor(
    c10::Device device, const inference::PreprocessorConfig& config);

}  // namespace pointtree::network
