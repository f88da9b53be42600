// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "training/process_group.hpp"

namespace pointtree::training {

/// Where the processes of a run meet, as `torchrun` tells them.
struct Rendezvous {
  std::string address;  ///< MASTER_ADDR
  int port = 0;         ///< MASTER_PORT
  int rank = 0;         ///< RANK
  int size = 1;         ///< WORLD_SIZE
};

/// Joins the other processes over LibTorch's c10d with gloo; throws std::runtime_error where they
/// do not come, or where the program was built without gloo's headers.
std::unique_ptr<ProcessGroup> join_gloo(const Rendezvous& rendezvous);

}  // namespace pointtree::training
