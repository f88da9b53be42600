// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "commands.hpp"
#include "exit_code.hpp"
#include "io/fields.hpp"
#include "training/train_config.hpp"
#include "training/trainer.hpp"

namespace pointtree::cli {

namespace {

struct TrainArguments {
  std::string config;
  std::string resume;
  std::vector<std::string> overrides;
  bool keys = false;
};

/// What the configuration of a run that is already in the folder has otherwise: a key of network or
/// data, with which no run goes on. Empty where the folder is free or holds this run.
std::string other_run(const training::TrainConfig& config) {
  const auto file = std::filesystem::path(config.run.folder) / "config.yaml";
  if (config.run.folder.empty() || !std::filesystem::exists(file)) return {};
  training::TrainConfig here = config;
  training::TrainConfig there;
  try {
    there = training::load_train_config(file, {});
  } catch (const std::invalid_argument&) {
    return "config.yaml";
  }
  const io::Fields known = fields_of(there);
  for (const io::Field& field : fields_of(here)) {
    const bool defines = field.name.rfind("model.", 0) == 0 || field.name == "data.path" ||
                         field.name == "data.kind";
    if (defines && field.get() != io::find_field(known, field.name)->get()) return field.name;
  }
  return {};
}

void run_training(const TrainArguments& arguments) {
  if (arguments.keys) {
    training::TrainConfig defaults;
    std::fputs(io::key_list(fields_of(defaults)).c_str(), stdout);
    return;
  }
  if (arguments.config.empty() == arguments.resume.empty()) {
    throw UsageError("train: expected either a configuration file or --resume with a run's folder");
  }
  auto overrides = arguments.overrides;
  std::filesystem::path file = arguments.config;
  if (!arguments.resume.empty()) {
    file = std::filesystem::path(arguments.resume) / "config.yaml";
    overrides.push_back("run.folder=" + arguments.resume);
  }
  const auto config = training::load_train_config(file, overrides);
  if (arguments.resume.empty()) {
    if (const std::string key = other_run(config); !key.empty()) {
      throw std::runtime_error(
          "run.folder: " + config.run.folder + " holds a run with another " + key +
          "; choose another folder, or continue that run with --resume " + config.run.folder);
    }
  }
  const auto outcome = training::train(config);
  if (outcome.interrupted) throw CLI::RuntimeError(kInterrupted);
  std::printf("trained for %lld steps, best validation score %.4f\n",
              static_cast<long long>(outcome.steps), outcome.best_score);
}

}  // namespace

void add_train_command(CLI::App& app) {
  auto* command =
      app.add_subcommand("train", "Train a network; continues where the run's folder left off");
  auto arguments = std::make_shared<TrainArguments>();
  command->add_option("config", arguments->config,
                      "YAML file such as config/train/modelnet40_canonical.yaml");
  command
      ->add_option("--set", arguments->overrides, "Replace a value: section.key=value (repeatable)")
      ->take_all()
      ->expected(1, -1);
  command->add_option("--resume", arguments->resume,
                      "Continue the run of this folder with its own configuration");
  command->add_flag("--keys", arguments->keys, "List every key with its default and meaning");
  command->callback([arguments] { run_training(*arguments); });
}

}  // namespace pointtree::cli
