// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "io/progress.hpp"
#include "network/tensor_preprocessor.hpp"
#include "pointtree/network/network.hpp"
#include "training/adam.hpp"
#include "training/batch_source.hpp"
#include "training/checkpoint.hpp"
#include "training/process_group.hpp"
#include "training/run_log.hpp"
#include "training/scores.hpp"
#include "training/trainer.hpp"

namespace pointtree::training {

/// One training run from its newest checkpoint to its end.
class Run {
 public:
  Run(const TrainConfig& config, ProcessGroup& group, c10::Device device);

  TrainOutcome train();

 private:
  // Sums over the steps since the last line of the log.
  struct Window {
    std::int64_t steps = 0;
    double loss = 0.0;
    double right = 0.0;  // decisions
    double decided = 0.0;
    double seconds = 0.0;
    double waited = 0.0;
  };

  bool leads() const { return group_.rank() == 0; }
  double epoch() const;
  NamedTensors network_tensors() const;
  NamedTensors all_tensors() const;
  void restore();

  /// One optimiser step; returns whether any process was asked to stop.
  bool step(const Batch& loaded, double waited);
  /// Mixes the batch where this step is drawn for it; the share that is another cloud's.
  double mix(Batch& batch) const;
  network::NetworkOutput forward(const Batch& batch);
  /// Weights of the classes over the whole batch of all processes; undefined: all alike.
  at::Tensor class_weights_of(const at::Tensor& targets);
  void sum_gradients();
  void log_window();
  void show_progress();
  Scores evaluate_validation();
  void validate();
  void save();
  void write_summary();

  TrainConfig config_;
  ProcessGroup& group_;
  std::filesystem::path folder_;
  std::shared_ptr<const datasets::Dataset> train_data_;
  std::shared_ptr<const datasets::Dataset> validation_data_;
  Evaluator evaluator_;
  c10::Device device_;
  std::unique_ptr<network::TensorPreprocessor> preprocessor_;
  network::PointTreeNet network_;
  std::unique_ptr<Adam> optimizer_;
  std::unique_ptr<AveragedWeights> average_;
  std::int64_t steps_per_epoch_;
  std::int64_t total_steps_;
  std::int64_t validate_every_;
  RunState state_;
  Window window_;
  std::optional<RunLog> log_;
  io::InterruptGuard interrupt_;
  io::ProgressLine progress_;
};

}  // namespace pointtree::training
