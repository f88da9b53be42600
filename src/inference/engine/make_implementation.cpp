// SPDX-License-Identifier: Apache-2.0
#include "make_implementation.hpp"

#include <iostream>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>

#include "cuda_plugin.hpp"
#include "device_implementation.hpp"
#include "geometry/write_features.hpp"
#include "pointtree/inference/device.hpp"

namespace pointtree::inference::engine {
namespace {

constexpr int kMaximumThreads = 1024;
constexpr int kMaximumBatch = 4096;

void check_range(const std::string& key, int value, int low, int high) {
  if (value < low || value > high) {
    throw std::runtime_error("engine: " + key + " should be in " + std::to_string(low) + " to " +
                             std::to_string(high) + ", is " + std::to_string(value));
  }
}

int thread_count(int wanted) {
  if (wanted > 0) return wanted;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void check(const EngineInfo& info, const EngineOptions& options) {
  check_range("threads", options.threads, 0, kMaximumThreads);
  check_range("max_batch", options.max_batch, 1, kMaximumBatch);
  constexpr std::size_t kLabels = std::numeric_limits<std::uint8_t>::max();
  if (info.segments && info.classes.size() > kLabels) {
    throw std::runtime_error("engine: a segmenting model may have " + std::to_string(kLabels) +
                             " classes, " + info.name + " has " +
                             std::to_string(info.classes.size()));
  }
}

/// `auto` stays so only where there is a CUDA device to try.
DeviceChoice choose_device(const EngineOptions& options) {
  DeviceChoice choice = parse_device(options.device);
  if (choice.kind == DeviceChoice::Kind::automatic && count_cuda_devices() == 0) {
    choice.kind = DeviceChoice::Kind::cpu;
  }
  return choice;
}

constexpr std::int32_t kLeastPoints = 16;  // as of a model

/// Whether equal points of a cloud stay together up to the root: nothing looks at them but the
/// tree.
bool sees_only_subtrees(const NetworkPlan& plan) {
  return plan.config.task == Task::classification && plan.config.merge == Merge::max &&
         !plan.alignment && plan.blocks.empty() &&
         geometry::take_repeated_leaves(plan.config.features);
}

DeviceImplementation::Notice notice_of(const EngineOptions& options) {
  if (options.notice) return options.notice;
  return [](const std::string& text) { std::cerr << text << "\n"; };
}

}  // namespace

std::unique_ptr<Engine::Implementation> make_implementation(EngineInfo info,
                                                            const NetworkPlan& plan,
                                                            const EngineOptions& options,
                                                            const TensorReader& read) {
  const ModelConfig& config = plan.config;
  info.segments = config.task == Task::segmentation;
  info.points = config.points;
  info.least_points = config.points;
  info.pre_align = config.pre_align;
  info.tree = config.tree_options();
  info.features = config.features;
  info.precision = options.precision.value_or(info.precision);
  info.device = "cpu";
  for (const PlacedDense& layer : dense_layers(plan)) {
    if (layer.training_only) continue;
    info.parameters += parameters(layer.dense);
    info.multiply_adds += layer.dense.in * layer.dense.out * layer.positions;
  }
  check(info, options);
  const DeviceChoice choice = choose_device(options);
  const auto on_cpu = [&] {
    EngineInfo of_cpu = info;
    if (sees_only_subtrees(plan)) of_cpu.least_points = kLeastPoints;
    return std::make_unique<CpuImplementation>(std::move(of_cpu),
                                               pack_network(plan, info.precision, read),
                                               options.max_batch, thread_count(options.threads));
  };
  if (choice.kind == DeviceChoice::Kind::cpu) return on_cpu();
  EngineInfo on_device = info;
  on_device.device = "cuda:" + std::to_string(choice.index);
  const bool exact = options.precision == Precision::float32;
  const auto on_cuda = [&] {
    auto backend =
        make_cuda_backend({plan, read, on_device, choice.index, exact, options.max_batch});
    return std::make_unique<DeviceImplementation>(std::move(on_device), std::move(backend),
                                                  options.max_batch, notice_of(options));
  };
  if (choice.kind == DeviceChoice::Kind::cuda) return on_cuda();
  return device_or_cpu(on_cuda, on_cpu, [&](const std::string& reason) {
    notice_of(options)(info.name + ": " + reason + "; going on with the CPU");
  });
}

}  // namespace pointtree::inference::engine
