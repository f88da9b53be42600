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
  std::string path;
  std::string kind = "auto";
  std::string train_split = "train";
  std::string validation_split = "validation";
  std::string name;
  std::string terms;
  std::string units = "metre";
  int repeat = 1;
  bool fresh = true;
  bool balance = false;
  std::string channels;
  int limit = 0;
  int workers = 1;
};

/// The optimiser: Adam as the paper has it, or AdamW.
struct OptimizerConfig {
  std::string name = "adam";
  double learning_rate = 1e-4;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0.0;
  double clip_norm = 0.0;
  double ema_decay = 0.0;
};

/// What is minimised.
struct LossConfig {
  double label_smoothing = 0.0;
  double class_balance = 0.0;
  double mix_probability = 0.0;
};

/// How long, how often and how reproducibly.
struct RunConfig {
  std::string folder;
  std::string start;
  std::int64_t steps = 0;
  double epochs = 100.0;
  int batch = 64;
  std::uint64_t seed = 674433238;
  int threads = 0;
  std::int64_t validate_every = 0;
  bool validate_whole = false;
  double checkpoint_minutes = 5.0;
  std::int64_t log_every = 20;
  std::string device = "cpu";
  bool amp = false;
  std::string trees = "auto";
};

/// Everything that defines a training run; fields_of() says what each key means.
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
