// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "training/train_config.hpp"

namespace pointtree::training {

/// How a run ended.
struct TrainOutcome {
  std::int64_t steps = 0;    ///< optimiser steps done
  double best_score = 0.0;   ///< of the validation that the bundle was taken from
  bool interrupted = false;  ///< ended early on request; the folder holds a checkpoint
};

/// Trains as configured into config.run.folder, continuing the newest checkpoint there if there is
/// one.
///
/// The folder receives config.yaml, checkpoint-<step>.safetensors, steps.csv, validation.csv,
/// log.json, curves.png, bundle/ (the best weights, ready for the node) and, at the end,
/// confusion.png, classes.csv and summary.json. Randomness depends on the seed, the step and the
/// cloud only, so that a killed run resumes to the same weights.
TrainOutcome train(const TrainConfig& config);

}  // namespace pointtree::training
