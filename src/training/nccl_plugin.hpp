// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gloo_process_group.hpp"

namespace pointtree::training {

/// The function that the library pointtree_training_cuda exports, and under which name.
using JoinNccl = ProcessGroup* (*)(const Rendezvous&, int device);
inline constexpr const char* kTrainingCudaLibrary = "libpointtree_training_cuda.so";
inline constexpr const char* kJoinNcclSymbol = "pointtree_join_nccl";

}  // namespace pointtree::training
