// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdlib>
#include <string>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "gloo_process_group.hpp"

namespace pointtree::training {

/// How long a process waits for the others: longer than a validation, during which only rank 0
/// works.
inline constexpr std::chrono::minutes kPeerTimeout{30};

/// The store in which the processes of a run find each other.
inline c10::intrusive_ptr<c10d::Store> meeting_store(const Rendezvous& rendezvous) {
  c10d::TCPStoreOptions options;
  options.port = static_cast<std::uint16_t>(rendezvous.port);
  // Under torchrun its own agent already serves the store at this address.
  options.isServer = rendezvous.rank == 0 && std::getenv("TORCHELASTIC_USE_AGENT_STORE") == nullptr;
  options.numWorkers = static_cast<std::size_t>(rendezvous.size);
  options.waitWorkers = false;
  auto store = c10::make_intrusive<c10d::TCPStore>(rendezvous.address, options);
  const char* restart = std::getenv("TORCHELASTIC_RESTART_COUNT");
  return c10::make_intrusive<c10d::PrefixStore>(
      std::string("pointtree/") + (restart == nullptr ? "0" : restart), store);
}

/// What a process says where another one does not answer.
inline LostPeer lost_peer(const ProcessGroup& self, const std::exception& error) {
  return LostPeer("process " + std::to_string(self.rank()) + " of " + std::to_string(self.size()) +
                  " lost another one: " + error.what());
}

/// What is said where the processes of a run do not come together.
inline std::runtime_error cannot_meet(const Rendezvous& rendezvous, const std::exception& error) {
  return std::runtime_error("cannot meet the other processes at " + rendezvous.address + ":" +
                            std::to_string(rendezvous.port) + ": " + error.what());
}

}  // namespace pointtree::training
