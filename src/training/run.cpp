// SPDX-License-Identifier: Apache-2.0
#include "run.hpp"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/zeros.h>
#include <torch/utils.h>

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "compute_device.hpp"
#include "datasets/channel_selection.hpp"
#include "geometry/seed.hpp"
#include "io/file_bytes.hpp"
#include "io/stopwatch.hpp"
#include "network/network_weights.hpp"
#include "network/shared_statistics.hpp"
#include "run_folder.hpp"
#include "training/batch.hpp"
#include "training/losses.hpp"

namespace pointtree::training {

namespace {

// Scores of a network (put into evaluation mode) over a data set.
Scores evaluate_network(network::PointTreeNet& network,
                        std::shared_ptr<const datasets::Dataset> data, const Evaluator& evaluator,
                        const EvaluationOptions& options) {
  const at::NoGradGuard no_grad;
  network->eval();
  const auto device = network->parameters().front().device();
  Scores scores(evaluator);
  auto batches = evaluation_batches(std::move(data), options);
  while (const auto batch = batches.next()) {
    const auto output =
        network->forward(on_device(batch->points, device), on_device(batch->owner, device));
    const auto logits = output.logits.cpu();
    const auto loss =
        cross_entropy(logits, evaluator.targets(*batch), 0.0, evaluator.allowed(*batch));
    scores.add(evaluator, *batch, logits, loss.item<double>());
  }
  return scores;
}

std::string formatted(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

// Weights depend on the run's seed and the bundle it starts from alone, however the process came to
// this point. A run that goes on from a checkpoint does not need the bundle any more.
network::PointTreeNet first_network(const TrainConfig& config) {
  torch::manual_seed(config.run.seed);
  network::PointTreeNet network(config.model);
  if (!config.run.start.empty() && !newest_checkpoint(config.run.folder) &&
      network::copy_weights(inference::Bundle(config.run.start), network) == 0) {
    throw std::invalid_argument("run.start: no layer of " + config.run.start +
                                " fits the network of section model");
  }
  return network;
}

// While it lives, batch normalisation takes its statistics over all processes.
class SharedStatistics {
 public:
  explicit SharedStatistics(ProcessGroup& group) {
    if (group.size() == 1) return;
    network::share_batch_statistics([&group](const at::Tensor& values) { group.sum(values); },
                                    group.size());
  }
  ~SharedStatistics() { network::share_batch_statistics({}, 1); }
  SharedStatistics(const SharedStatistics&) = delete;
  SharedStatistics& operator=(const SharedStatistics&) = delete;
};

void append(NamedTensors& all, const std::string& prefix, const NamedTensors& more) {
  for (const auto& [name, value] : more) all.emplace_back(prefix + name, value);
}

std::unique_ptr<datasets::Dataset> open_split(const DataConfig& config, const std::string& split) {
  auto dataset = datasets::open_dataset(config.path, config.kind, split);
  if (config.channels.empty()) return dataset;
  return datasets::with_channels(std::move(dataset), datasets::channel_names(config.channels));
}

}  // namespace

Run::Run(const TrainConfig& config, ProcessGroup& group, c10::Device device)
    : config_(config),
      group_(group),
      folder_(config.run.folder),
      train_data_(open_split(config.data, config.data.train_split)),
      validation_data_(open_split(config.data, config.data.validation_split)),
      evaluator_(config.model, train_data_->info()),
      device_(device),
      preprocessor_(
          network::make_tensor_preprocessor(device_, inference::preprocessor_config(config.model))),
      network_(first_network(config)) {
  network_->to(device_);
  if (config.run.folder.empty())
    throw std::invalid_argument("run.folder: expected a folder, found nothing");
  if (config.run.batch % group.size() != 0) {
    throw std::invalid_argument("run.batch: expected a multiple of the " +
                                std::to_string(group.size()) + " processes, found " +
                                std::to_string(config.run.batch));
  }
  if (config.loss.mix_probability > 0.0 &&
      (config.model.task == inference::Task::segmentation || config.model.points < 8)) {
    throw std::invalid_argument(
        "loss.mix_probability: expected 0 unless clouds of 8 points or more are classified");
  }
  steps_per_epoch_ = training_steps_per_epoch(train_data_, config);
  total_steps_ =
      config.run.steps > 0
          ? config.run.steps
          : std::max<std::int64_t>(
                1, std::llround(config.run.epochs * static_cast<double>(steps_per_epoch_)));
  validate_every_ = config.run.validate_every > 0 ? config.run.validate_every : steps_per_epoch_;
  keep_freed_memory();
  if (config.run.threads > 0) at::set_num_threads(config.run.threads);

  optimizer_ = std::make_unique<Adam>(parameters_of(network_), config.optimizer);
  if (config.optimizer.ema_decay > 0.0) {
    average_ = std::make_unique<AveragedWeights>(network_tensors(), config.optimizer.ema_decay);
  }
  state_.config = to_yaml_text(config_);
  restore();
}

double Run::epoch() const {
  return static_cast<double>(state_.step) / static_cast<double>(steps_per_epoch_);
}

NamedTensors Run::network_tensors() const {
  NamedTensors tensors = parameters_of(network_);
  for (const auto& item : network_->named_buffers()) tensors.emplace_back(item.key(), item.value());
  return tensors;
}

NamedTensors Run::all_tensors() const {
  NamedTensors all;
  append(all, "network.", network_tensors());
  append(all, "adam.", optimizer_->state());
  if (average_) append(all, "average.", average_->averages());
  return all;
}

void Run::restore() {
  if (leads()) {
    std::filesystem::create_directories(folder_);
    io::write_file(folder_ / "config.yaml", state_.config);
  }
  if (const auto checkpoint = newest_checkpoint(folder_)) {
    auto restored = read_state(*checkpoint);
    read_tensors(*checkpoint, all_tensors());
    restored.config = state_.config;
    state_ = restored;
    optimizer_->set_steps(state_.step);
    if (leads()) progress_.say("resuming " + checkpoint->string());
  }
  if (leads()) log_.emplace(folder_, state_.step);
}

bool Run::step(const Batch& loaded, double waited) {
  const io::Stopwatch computing;
  Batch batch = preprocessed(loaded, *preprocessor_, device_);
  const double share = mix(batch);
  // Dropout is the only draw inside the network; seeding it by step leaves no generator state to
  // keep.
  torch::manual_seed(geometry::mix_seed({config_.run.seed, static_cast<std::uint64_t>(state_.step),
                                         static_cast<std::uint64_t>(group_.rank())}));
  network_->train();
  optimizer_->clear_gradients();
  const auto output = forward(batch);
  const auto allowed = on_device(evaluator_.allowed(batch), device_);
  const auto targets = on_device(evaluator_.targets(batch), device_);
  const auto weights = class_weights_of(targets);
  const auto loss_of = [&](const at::Tensor& logits) {
    const double smoothing = config_.loss.label_smoothing;
    const auto own = cross_entropy(logits, targets, smoothing, allowed, weights);
    if (share == 0.0) return own;
    return (1.0 - share) * own +
           share * cross_entropy(logits, of_cloud_before(targets), smoothing, allowed, weights);
  };
  const auto main_loss = loss_of(output.logits);
  auto loss = main_loss;
  for (const auto& logits : output.auxiliary) loss = loss + loss_of(logits);
  loss.backward();

  const auto known = targets.ge(0);
  auto figures = at::zeros({4}, at::kDouble);
  figures[0] = main_loss.detach().to(at::kDouble) / group_.size();
  figures[1] = predict(output.logits.detach(), allowed).eq(targets).logical_and(known).sum();
  figures[2] = known.sum();
  figures[3] = interrupt_.requested() ? 1.0 : 0.0;
  sum_gradients();
  if (group_.size() > 1) group_.sum(figures);

  const double loss_value = figures[0].item<double>();
  if (!std::isfinite(loss_value)) {
    throw std::runtime_error("the loss is not a number any more at step " +
                             std::to_string(state_.step) +
                             "; lower optimizer.learning_rate or set optimizer.clip_norm");
  }
  optimizer_->clip_gradients();
  optimizer_->step(
      learning_rate(config_.schedule, config_.optimizer.learning_rate, state_.step, total_steps_));
  ++state_.step;
  if (average_) average_->update(state_.step);

  const double taken = computing.seconds() + waited;
  state_.seconds += taken;
  ++window_.steps;
  window_.loss += loss_value;
  window_.right += figures[1].item<double>();
  window_.decided += figures[2].item<double>();
  window_.seconds += taken;
  window_.waited += waited;
  return figures[3].item<double>() > 0.0;
}

double Run::mix(Batch& batch) const {
  geometry::Random random(geometry::mix_seed(
      {config_.run.seed, geometry::hash_name("mix"), static_cast<std::uint64_t>(state_.step)}));
  if (!geometry::chance(random, config_.loss.mix_probability)) return 0.0;
  return cut_mix(batch.points, random);
}

at::Tensor Run::class_weights_of(const at::Tensor& targets) {
  if (config_.loss.class_balance <= 0.0) return {};
  auto counts = class_counts(targets.cpu(), config_.model.classes);
  if (group_.size() > 1) group_.sum(counts);
  return on_device(class_weights(counts, config_.loss.class_balance), device_);
}

network::NetworkOutput Run::forward(const Batch& batch) {
  const MixedPrecision mixed(config_.run.amp, device_.type());
  return network_->forward(on_device(batch.points, device_), on_device(batch.owner, device_));
}

void Run::sum_gradients() {
  if (group_.size() == 1) return;
  // One message for all gradients: latency, not bandwidth, limits small layers.
  std::vector<at::Tensor> flat;
  for (const auto& parameter : network_->parameters()) {
    if (parameter.grad().defined()) flat.push_back(parameter.grad().reshape({-1}));
  }
  auto all = at::cat(flat);
  all.div_(group_.size());
  group_.sum(all);
  std::int64_t offset = 0;
  for (const auto& parameter : network_->parameters()) {
    if (!parameter.grad().defined()) continue;
    parameter.grad().copy_(all.narrow(0, offset, parameter.numel()).view_as(parameter));
    offset += parameter.numel();
  }
}

void Run::log_window() {
  if (window_.steps == 0) return;
  StepRecord record;
  record.step = state_.step;
  record.epoch = epoch();
  record.hours = state_.seconds / 3600.0;
  record.learning_rate = learning_rate(config_.schedule, config_.optimizer.learning_rate,
                                       state_.step - 1, total_steps_);
  record.loss = window_.loss / static_cast<double>(window_.steps);
  record.accuracy = window_.decided > 0.0 ? window_.right / window_.decided : 0.0;
  record.clouds_per_second =
      static_cast<double>(window_.steps * config_.run.batch) / window_.seconds;
  record.wait_share = window_.waited / window_.seconds;
  if (leads()) log_->append(record);
  window_ = {};
}

void Run::show_progress() {
  if (!leads() || window_.steps == 0) return;
  const double per_step = window_.seconds / static_cast<double>(window_.steps);
  const double left = per_step * static_cast<double>(total_steps_ - state_.step);
  const auto count = static_cast<double>(window_.steps);
  progress_.show(
      static_cast<double>(state_.step) / static_cast<double>(total_steps_),
      "step " + std::to_string(state_.step) + "/" + std::to_string(total_steps_) +
          formatted("  epoch %.2f", epoch()) + formatted("  loss %.3f", window_.loss / count) +
          formatted("  accuracy %.1f %%", 100.0 * window_.right / std::max(1.0, window_.decided)) +
          formatted("  %.1f clouds/s", config_.run.batch / per_step) +
          formatted("  waiting %.1f %%", 100.0 * window_.waited / window_.seconds) + "  left " +
          io::clock_text(left));
}

Scores Run::evaluate_validation() {
  if (average_) average_->swap();
  Scores scores =
      evaluate_network(network_, validation_data_, evaluator_, validation_options(config_));
  if (average_) average_->swap();
  return scores;
}

void Run::validate() {
  log_window();
  if (!leads()) return;
  const auto scores = evaluate_validation();
  ValidationRecord record;
  record.step = state_.step;
  record.epoch = epoch();
  record.hours = state_.seconds / 3600.0;
  record.loss = scores.mean_loss();
  record.overall_accuracy = scores.confusion().overall_accuracy();
  record.mean_class_accuracy = scores.confusion().mean_class_accuracy();
  record.mean_iou =
      scores.parts() ? scores.parts()->class_mean_iou() : scores.confusion().mean_iou();
  record.score = scores.primary();
  record.best = record.score > state_.best_score;
  if (record.best) {
    state_.best_score = record.score;
    state_.best_step = state_.step;
    if (average_) average_->swap();
    export_bundle(folder_ / "bundle", config_, evaluator_, network_, record);
    if (average_) average_->swap();
    write_class_report(folder_, evaluator_, scores);
  }
  log_->append(record);
  log_->write_json();
  log_->draw_curves();
  progress_.say("step " + std::to_string(state_.step) + formatted("  epoch %.2f", record.epoch) +
                formatted("  hours %.3f", record.hours) +
                formatted("  validation loss %.3f", record.loss) +
                formatted("  accuracy %.2f %%", 100.0 * record.overall_accuracy) +
                formatted("  score %.4f", record.score) + (record.best ? "  best" : ""));
}

void Run::save() {
  if (leads()) write_checkpoint(folder_, state_, all_tensors());
}

TrainOutcome Run::train() {
  auto batches = training_batches(train_data_, config_, state_.step, group_.rank(), group_.size());
  io::Stopwatch since_checkpoint;
  bool stop = false;
  while (state_.step < total_steps_ && !stop) {
    const io::Stopwatch waiting;
    const auto batch = batches.next();
    try {
      stop = step(*batch, waiting.seconds());
    } catch (const LostPeer& error) {
      // Weights and moments are those after the last whole step, so they make a good checkpoint.
      save();
      throw std::runtime_error(std::string(error.what()) + "; the run can be resumed from step " +
                               std::to_string(state_.step) + " with: pointtree train --resume " +
                               folder_.string());
    }
    show_progress();
    if (state_.step % config_.run.log_every == 0) log_window();
    const bool last = state_.step == total_steps_;
    if (state_.step % validate_every_ == 0 || last) validate();
    if (stop || last || since_checkpoint.seconds() >= 60.0 * config_.run.checkpoint_minutes) {
      save();
      since_checkpoint = {};
    }
  }
  TrainOutcome outcome{state_.step, state_.best_score, stop && state_.step < total_steps_};
  if (!leads()) return outcome;
  if (outcome.interrupted) {
    progress_.say("stopped at step " + std::to_string(state_.step) + " with a checkpoint in " +
                  folder_.string() + "; resume with: pointtree train --resume " + folder_.string());
  } else {
    write_summary();
  }
  return outcome;
}

void Run::write_summary() {
  nlohmann::ordered_json summary;
  summary["steps"] = state_.step;
  summary["epochs"] = epoch();
  summary["hours"] = state_.seconds / 3600.0;
  summary["best_step"] = state_.best_step;
  summary["best_validation_score"] = state_.best_score;
  summary["bundle"] = "bundle";
  io::write_file(folder_ / "summary.json", summary.dump(1) + "\n");
}

TrainOutcome train(const TrainConfig& config) {
  const c10::Device device = compute_device(config.run, process_count());
  const auto group = make_process_group(device);
  const SharedStatistics shared(*group);
  return Run(config, *group, device).train();
}

}  // namespace pointtree::training
