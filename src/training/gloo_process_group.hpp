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

/// The function that the library pointtree_training_cuda exports, and under which name.
using JoinNccl = ProcessGroup* (*)(const Rendezvous&, int device);
inline constexpr const char* kTrainingCudaLibrary = "libpointtree_training_cuda.so";
inline constexpr const char* kJoinNcclSymbol = "pointtree_join_nccl";

}  // namespace pointtree::training
