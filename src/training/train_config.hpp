// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "datasets/augmentation.hpp"
#include "pointtree/inference/model_config.hpp"
#include "training/schedule.hpp"

namespace pointtree::training {

/// Which clouds are learned from, and what is done to them on the way to the network.
struct DataConfig {
  std::string path;           ///< folder of the data set, or parameters of a generated one
  std::string kind = "auto";  ///< which reader opens it
  std::string train_split = "train";
  std::string validation_split = "validation";
  std::string name;             ///< of the data, for the manifest
  std::string terms;            ///< licence or terms of use of the data, for the manifest
  std::string units = "metre";  ///< of the coordinates, for the manifest
  int repeat = 1;               ///< differently augmented copies of every cloud in an epoch
  bool fresh = true;            ///< new augmentation every epoch; otherwise the same for ever
  bool balance = false;         ///< repeat the clouds of rare classes
  std::string channels;         ///< given to the network, separated by commas; empty: all
  int limit = 0;                ///< learn from only this many clouds; 0: all
  int workers = 1;              ///< threads that prepare batches ahead of the network
};

/// The optimiser: Adam as the paper has it, or AdamW.
struct OptimizerConfig {
  std::string name = "adam";  ///< adam or adamw
  double learning_rate = 1e-4;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0.0;
  double clip_norm = 0.0;  ///< largest L2 norm of all gradients together; 0: no limit
  double ema_decay = 0.0;  ///< decay per step of the averaged weights that are validated; 0: off
};

/// What is minimised.
struct LossConfig {
  double label_smoothing = 0.0;
  double class_balance = 0.0;    ///< class weights: share of the batch to the power of minus this
  double mix_probability = 0.0;  ///< classification: share of steps whose clouds swap subtrees
};

/// How long, how often and how reproducibly.
struct RunConfig {
  std::string folder;      ///< where everything of the run goes
  std::string start;       ///< bundle whose weights it starts from; empty: random weights
  std::int64_t steps = 0;  ///< optimiser steps; 0: epochs decides
  double epochs = 100.0;   ///< passes over the training clouds, used where steps is 0
  int batch = 64;          ///< clouds per step over all processes
  std::uint64_t seed = 674433238;
  int threads = 0;                  ///< threads of the network's arithmetic; 0: LibTorch decides
  std::int64_t validate_every = 0;  ///< steps between validations; 0: once per epoch
  bool validate_whole = false;      ///< validate without the observation of the augmentation
  double checkpoint_minutes = 5.0;  ///< time between checkpoints; 0: after every step
  std::int64_t log_every = 20;      ///< steps per line of the step log
  std::string device = "cpu";       ///< auto | cpu | cuda:N
  bool amp = false;                 ///< products in bfloat16
  std::string trees = "auto";       ///< auto | loader | device: where poses and trees are made
};

/// Everything that defines a training run.
struct TrainConfig {
  inference::ModelConfig model;
  DataConfig data;
  datasets::AugmentationConfig augment;
  OptimizerConfig optimizer;
  ScheduleConfig schedule;
  LossConfig loss;
  RunConfig run;
};

/// All keys as `section.key` with meanings and limits.
std::vector<io::Field> fields_of(TrainConfig& config);

/// Reads a YAML file, replaces the values of `section.key=value` overrides and validates
/// everything; unknown keys are refused. Throws std::invalid_argument naming the key, what was
/// expected and what was found.
TrainConfig load_train_config(const std::filesystem::path& file,
                              const std::vector<std::string>& overrides);

/// The same from YAML text.
TrainConfig parse_train_config(const std::string& yaml,
                               const std::vector<std::string>& overrides = {});

/// Every key with its value as YAML text that parse_train_config reads back.
std::string to_yaml_text(const TrainConfig& config);

}  // namespace pointtree::training
