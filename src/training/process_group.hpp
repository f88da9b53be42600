// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <stdexcept>

namespace pointtree::training {

/// Thrown where a process that trains along cannot be reached any more.
class LostPeer : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The processes that train one network together; this one is `rank` of `size`.
class ProcessGroup {
 public:
  virtual ~ProcessGroup() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// Replaces the tensor by the sum over all processes; throws LostPeer where one does not answer.
  virtual void sum(const at::Tensor& tensor) = 0;

  /// Replaces the tensor by the one of rank 0.
  virtual void broadcast(const at::Tensor& tensor) = 0;
};

/// Processes of the run, by the variable WORLD_SIZE that `torchrun` sets; 1 where it is unset.
int process_count();

/// A process group of the variables that `torchrun` sets (MASTER_ADDR, MASTER_PORT, RANK,
/// WORLD_SIZE), or of this process alone where WORLD_SIZE is unset or 1: gloo for a network on the
/// CPU, NCCL for one on a CUDA device.
std::unique_ptr<ProcessGroup> make_process_group(c10::Device device = c10::kCPU);

}  // namespace pointtree::training
