// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include "training/train_config.hpp"

namespace pointtree::training {

/// The device that run.device means, ready for tensors; throws std::invalid_argument or
/// std::runtime_error where it cannot be had or does not go with the rest of the run. Of several
/// processes on one computer each takes the CUDA device of its number there, LOCAL_RANK, which
/// `torchrun` sets.
c10::Device compute_device(const RunConfig& config, int processes);

/// The tensor on a device; undefined ones stay so.
at::Tensor on_device(const at::Tensor& tensor, c10::Device device);

/// From now on freed memory stays with the process. Handing large tensors back to the system after
/// every use costs a third of a training step in page faults.
void keep_freed_memory();

/// While it lives, products on devices of this type are in bfloat16, whose range needs no scaling
/// of losses; weights, sums and statistics stay float32.
class MixedPrecision {
 public:
  MixedPrecision(bool wanted, c10::DeviceType device);
  ~MixedPrecision();
  MixedPrecision(const MixedPrecision&) = delete;
  MixedPrecision& operator=(const MixedPrecision&) = delete;

 private:
  bool wanted_;
  c10::DeviceType device_;
};

}  // namespace pointtree::training
