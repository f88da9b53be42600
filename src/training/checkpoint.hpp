// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "training/adam.hpp"

namespace pointtree::training {

/// The numbers of a run that are not tensors.
struct RunState {
  std::int64_t step = 0;     ///< optimiser steps done
  double seconds = 0.0;      ///< time spent training, over all parts of a resumed run
  double best_score = -1.0;  ///< best validation so far; negative: none yet
  std::int64_t best_step = 0;
  std::string config;  ///< the run's configuration as YAML
};

/// Writes `checkpoint-<step>.safetensors`, then `checkpoint-<step>.json` with the state and the
/// tensors' SHA-256, and removes all but the newest two.
///
/// Each file appears complete and synced or not at all, the state last: a checkpoint exists once
/// its state does.
void write_checkpoint(const std::filesystem::path& folder, const RunState& state,
                      const NamedTensors& tensors);

/// State file of the folder's newest checkpoint that is whole, or none where there is no checkpoint
/// at all. A damaged one is reported on standard error and passed over; throws std::runtime_error
/// where all are damaged.
std::optional<std::filesystem::path> newest_checkpoint(const std::filesystem::path& folder);

/// The state stored in a checkpoint.
RunState read_state(const std::filesystem::path& checkpoint);

/// Copies the stored tensors into the given ones; throws std::runtime_error naming a tensor that is
/// missing, extra or of another shape or type.
void read_tensors(const std::filesystem::path& checkpoint, const NamedTensors& tensors);

}  // namespace pointtree::training
