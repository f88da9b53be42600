// SPDX-License-Identifier: Apache-2.0
#include "gloo_process_group.hpp"

#include <stdexcept>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <vector>

#include "rendezvous.hpp"

namespace pointtree::training {

namespace {

class Gloo final : public ProcessGroup {
 public:
  explicit Gloo(const Rendezvous& rendezvous)
      : rank_(rendezvous.rank),
        size_(rendezvous.size),
        group_(c10::make_intrusive<c10d::ProcessGroupGloo>(
            meeting_store(rendezvous), rank_, size_,
            c10d::ProcessGroupGloo::Options::create_default(kPeerTimeout))) {}

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void sum(const at::Tensor& tensor) override {
    std::vector<at::Tensor> tensors{tensor};
    complete(group_->allreduce(tensors));
  }

  void broadcast(const at::Tensor& tensor) override {
    std::vector<at::Tensor> tensors{tensor};
    complete(group_->broadcast(tensors));
  }

 private:
  void complete(const c10::intrusive_ptr<c10d::Work>& work) const {
    try {
      work->wait();
    } catch (const std::exception& error) {
      throw lost_peer(*this, error);
    }
  }

  int rank_;
  int size_;
  c10::intrusive_ptr<c10d::ProcessGroupGloo> group_;
};

}  // namespace

std::unique_ptr<ProcessGroup> join_gloo(const Rendezvous& rendezvous) {
  try {
    return std::make_unique<Gloo>(rendezvous);
  } catch (const LostPeer&) {
    throw;
  } catch (const std::exception& error) {
    throw cannot_meet(rendezvous, error);
  }
}

}  // namespace pointtree::training
