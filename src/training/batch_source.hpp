// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "datasets/loader.hpp"
#include "training/batch.hpp"
#include "training/train_config.hpp"

namespace pointtree::training {

/// Batches one after the other, prepared ahead by worker threads.
class BatchSource {
 public:
  BatchSource(std::shared_ptr<const datasets::Dataset> data, const datasets::LoaderConfig& config,
              bool point_labels);

  /// The next batch as tensors, or none where there are no more.
  std::optional<Batch> next();

  std::int64_t steps_per_epoch() const {
    return static_cast<std::int64_t>(loader_.steps_per_epoch());
  }

 private:
  datasets::Loader loader_;
  bool point_labels_;
};

/// Whether poses and trees of training clouds are made where the network is; `auto` makes them
/// there unless that is the CPU.
bool preprocesses_on_device(const RunConfig& config);

/// Endless augmented batches of a run, from a step on. The batch of a step depends on the
/// configuration and the step only; process `rank` of `size` gets its equal share of it.
BatchSource training_batches(std::shared_ptr<const datasets::Dataset> data,
                             const TrainConfig& config, std::int64_t first_step, int rank,
                             int size);

/// Steps in one pass over the training clouds.
std::int64_t training_steps_per_epoch(std::shared_ptr<const datasets::Dataset> data,
                                      const TrainConfig& config);

/// How clouds are prepared for the evaluation of a network.
struct EvaluationOptions {
  inference::ModelConfig model;
  datasets::AugmentationConfig augment;  ///< one fixed draw per cloud
  std::uint64_t seed = 0;
  int batch = 64;
  int workers = 1;
  int limit = 0;  ///< only so many clouds; 0: all
  int rank = 0;   ///< of this process among those that share the clouds
  int processes = 1;
};

/// Every cloud of a data set once, with one draw per cloud that depends on the seed and its index
/// only.
BatchSource evaluation_batches(std::shared_ptr<const datasets::Dataset> data,
                               const EvaluationOptions& options);

/// How the validation clouds of a run are prepared: the same for all runs of one configuration,
/// whatever their seed.
EvaluationOptions validation_options(const TrainConfig& config);

}  // namespace pointtree::training
