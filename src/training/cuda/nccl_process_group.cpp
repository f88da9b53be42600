// SPDX-License-Identifier: Apache-2.0
#include <c10/cuda/CUDAGuard.h>

#include <cstdlib>
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#include <vector>

#include "gloo_process_group.hpp"
#include "rendezvous.hpp"

namespace pointtree::training {
namespace {

/// Messages between CUDA devices, one per process. NCCL takes tensors on the device only; the few
/// numbers that are on the host take the way over it.
class Nccl final : public ProcessGroup {
 public:
  Nccl(const Rendezvous& rendezvous, int device)
      : rank_(rendezvous.rank),
        size_(rendezvous.size),
        device_(c10::DeviceType::CUDA, static_cast<c10::DeviceIndex>(device)) {
    // So that a lost process shows here as an error and not as the end of this process.
    ::setenv("TORCH_NCCL_BLOCKING_WAIT", "1", 0);
    const c10::cuda::CUDAGuard guard(device_);
    auto options = c10d::ProcessGroupNCCL::Options::create();
    options->timeout = kPeerTimeout;
    group_ = c10::make_intrusive<c10d::ProcessGroupNCCL>(meeting_store(rendezvous), rank_, size_,
                                                         options);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void sum(const at::Tensor& tensor) override {
    on_device(tensor, [&](std::vector<at::Tensor>& tensors) { return group_->allreduce(tensors); });
  }

  void broadcast(const at::Tensor& tensor) override {
    on_device(tensor, [&](std::vector<at::Tensor>& tensors) { return group_->broadcast(tensors); });
  }

 private:
  template <typename Start>
  void on_device(const at::Tensor& tensor, const Start& start) const {
    const c10::cuda::CUDAGuard guard(device_);
    try {
      std::vector<at::Tensor> tensors{tensor.to(device_).contiguous()};
      start(tensors)->wait();
      if (!tensors.front().is_same(tensor)) tensor.copy_(tensors.front());
    } catch (const std::exception& error) {
      throw lost_peer(*this, error);
    }
  }

  int rank_;
  int size_;
  c10::Device device_;
  c10::intrusive_ptr<c10d::ProcessGroupNCCL> group_;
};

}  // namespace
}  // namespace pointtree::training

extern "C" pointtree::training::ProcessGroup* pointtree_join_nccl(
    const pointtree::training::Rendezvous& rendezvous, int device) {
  try {
    return new pointtree::training::Nccl(rendezvous, device);
  } catch (const std::exception& error) {
    throw pointtree::training::cannot_meet(rendezvous, error);
  }
}
