#include "make_implementation.hpp"

#include <limits>
#include <stdexcept>
#include <string>
#include <thread>

namespace pointtree::model::engine {
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
  if (options.device != "auto" && options.device != "cpu") {
    throw std::runtime_error("engine: device should be auto or cpu, is " + options.device);
  }
  constexpr std::size_t kLabels = std::numeric_limits<std::uint8_t>::max();
  if (info.segments && info.classes.size() > kLabels) {
    throw std::runtime_error("engine: a segmenting model may have " + std::to_string(kLabels) +
                             " classes, " + info.name + " has " +
                             std::to_string(info.classes.size()));
  }
}

}  // namespace

std::unique_ptr<Engine::Implementation> make_implementation(EngineInfo info,
                                                            const NetworkPlan& plan,
                                                            const EngineOptions& options,
                                                            const TensorReader& read) {
  const ModelConfig& config = plan.config;
  info.segments = config.task == Task::segmentation;
  info.points = config.points;
  info.pre_align = config.pre_align;
  info.split = config.tree;
  info.precision = options.precision.value_or(info.precision);
  info.device = "cpu";
  for (const PlacedDense& layer : dense_layers(plan)) {
    if (layer.training_only) continue;
    info.parameters += parameters(layer.dense);
    info.multiply_adds += layer.dense.in * layer.dense.out * layer.positions;
  }
  check(info, options);
  PackedNetwork network = pack_network(plan, info.precision, read);
  return std::make_unique<Engine::Implementation>(std::move(info), std::move(network),
                                                  options.max_batch, thread_count(options.threads));
}

}  // namespace pointtree::model::engine
