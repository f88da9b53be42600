#include "gloo_communicator.hpp"

#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#include <vector>

namespace pointtree::training {

namespace {

// Longer than a validation, during which only rank 0 works.
constexpr std::chrono::minutes kTimeout{30};

class Gloo final : public Communicator {
 public:
  explicit Gloo(const Rendezvous& rendezvous) : rank_(rendezvous.rank), size_(rendezvous.size) {
    c10d::TCPStoreOptions options;
    options.port = static_cast<std::uint16_t>(rendezvous.port);
    // Under torchrun its own agent already serves the store at this address.
    options.isServer =
        rendezvous.rank == 0 && std::getenv("TORCHELASTIC_USE_AGENT_STORE") == nullptr;
    options.numWorkers = static_cast<std::size_t>(rendezvous.size);
    options.waitWorkers = false;
    auto store = c10::make_intrusive<c10d::TCPStore>(rendezvous.address, options);
    const auto restart = std::getenv("TORCHELASTIC_RESTART_COUNT");
    auto prefixed = c10::make_intrusive<c10d::PrefixStore>(
        std::string("pointtree/") + (restart == nullptr ? "0" : restart), store);
    group_ = c10::make_intrusive<c10d::ProcessGroupGloo>(
        prefixed, rank_, size_, c10d::ProcessGroupGloo::Options::create_default(kTimeout));
  }

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
      throw LostPeer("process " + std::to_string(rank_) + " of " + std::to_string(size_) +
                     " lost another one: " + error.what());
    }
  }

  int rank_;
  int size_;
  c10::intrusive_ptr<c10d::ProcessGroupGloo> group_;
};

}  // namespace

std::unique_ptr<Communicator> join_gloo(const Rendezvous& rendezvous) {
  try {
    return std::make_unique<Gloo>(rendezvous);
  } catch (const LostPeer&) {
    throw;
  } catch (const std::exception& error) {
    throw std::runtime_error("cannot meet the other processes at " + rendezvous.address + ":" +
                             std::to_string(rendezvous.port) + ": " + error.what());
  }
}

}  // namespace pointtree::training
