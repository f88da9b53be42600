#include "gpu_cost.hpp"

#include <algorithm>

namespace pointtree::cli {
namespace {

// Assumptions, not measurements.
constexpr double kShareOfFlops = 0.6;    // of the peak that large products reach
constexpr double kShareOfBytes = 0.75;   // of the peak that streaming reaches
constexpr double kLaunch = 2e-6;         // seconds between the kernels of a graph
constexpr double kDoubleLatency = 40.0;  // cycles until a float64 result can be used
constexpr double kPhase = 100.0;         // cycles of a barrier and what surrounds it
constexpr double kWarp = 32.0;

// Float64 instructions, counted in the kernels.
constexpr double kMeanStep = 1.0;          // per two points of a node, one warp
constexpr double kScatterStep = 4.0;       // likewise
constexpr double kPerDirection = 320.0;    // per group of eight nodes: ten squarings and the normal
constexpr double kDirectionChain = 120.0;  // of these one after the other
constexpr double kPerPoint = 12.0;         // projections and buckets, all lanes busy
constexpr double kPosePerPoint = 90.0;     // canonical: three passes and the writing
constexpr double kPoseChain = 900.0;       // two eigen-decompositions by one thread
constexpr double kPhasesPerLevel = 32.0;

double seconds(const GpuModel& gpu, double cycles) { return cycles / (gpu.clock * 1e9); }

/// Cycles that a multiprocessor's float64 units need for one instruction of a warp.
double warp_cycles(const GpuModel& gpu) { return kWarp / gpu.double_units; }

double pose_seconds(const GpuModel& gpu, double points, double batch) {
  const double one =
      points * kPosePerPoint / kWarp * warp_cycles(gpu) + kPoseChain * kDoubleLatency;
  const double rounds = std::max(1.0, batch / gpu.processors);
  return seconds(gpu, one * rounds) + kLaunch;
}

/// One level: either the chain of one node's sums is the longest, or all work together.
double level_seconds(const GpuModel& gpu, double points, double size, double batch) {
  const double nodes = points / size;
  const double steps = size / 2;
  const double chain = steps * (kDoubleLatency + kScatterStep * warp_cycles(gpu)) +
                       kDirectionChain * kDoubleLatency + kPhasesPerLevel * kPhase;
  const double groups = std::max(1.0, nodes / 8);
  const double work = nodes * steps * (kMeanStep + kScatterStep) + groups * kPerDirection +
                      points * kPerPoint / kWarp;
  const double all = batch * work * warp_cycles(gpu) / gpu.processors;
  return seconds(gpu, std::max(chain, all)) + kLaunch;
}

double tree_seconds(const GpuModel& gpu, double points, double batch) {
  double sum = points / 2 * kDoubleLatency / (gpu.clock * 1e9) + kLaunch;  // the centroid
  for (double size = points; size > 2; size /= 2) sum += level_seconds(gpu, points, size, batch);
  return sum + kLaunch;
}

bool has(const std::string& name, const std::string& part) {
  return name.find(part) != std::string::npos;
}

/// One linear map with what follows it: activation, maximum of pairs or over points, carry.
double layer_seconds(const GpuModel& gpu, const inference::PlacedDense& layer, double batch) {
  const auto in = static_cast<double>(layer.dense.in);
  const auto out = static_cast<double>(layer.dense.out);
  const double rows = batch * static_cast<double>(layer.positions);
  const bool half =
      in >= 64 && !has(layer.name, "tnet.global") && !has(layer.name, "alignment.head");
  const double size = half ? 2.0 : 4.0;
  const double flops = 2.0 * rows * in * out / (half ? gpu.half_flops : gpu.single_flops) / 1e9;
  const double bytes = size * (in * out + rows * (in + out)) / gpu.memory_bytes / 1e9;
  double after = 0.0;
  double launches = 1.0;
  if (layer.dense.activation != inference::Activation::none) {
    after += 2.0 * rows * out * size;
    launches += 1.0;
  }
  if (has(layer.name, "levels") || has(layer.name, "readouts") || has(layer.name, "tnet.point")) {
    after += 1.5 * rows * out * size;
    launches += 1.0;
  }
  return std::max(flops / kShareOfFlops, bytes / kShareOfBytes) +
         after / (gpu.memory_bytes * 1e9 * kShareOfBytes) + launches * kLaunch;
}

}  // namespace

const std::vector<GpuModel>& known_gpus() {
  static const std::vector<GpuModel> kGpus{
      {"RTX 3060", 28, 1.777, 25500.0, 12740.0, 360.0, 12.0, 2},
      {"Jetson AGX Orin 64 GB", 16, 1.3, 42600.0, 5320.0, 204.8, 100.0, 2},
  };
  return kGpus;
}

GpuCost compute_cost(const GpuModel& gpu, const inference::NetworkPlan& plan, int batch) {
  const double points = plan.config.points;
  GpuCost cost;
  cost.pose = 1e3 * pose_seconds(gpu, points, batch);
  cost.tree = 1e3 * tree_seconds(gpu, points, batch);
  for (const inference::PlacedDense& layer : inference::dense_layers(plan)) {
    if (!layer.training_only) cost.network += 1e3 * layer_seconds(gpu, layer, batch);
  }
  double bytes = 4.0 * points * plan.config.channels();
  if (plan.config.task == inference::Task::segmentation) {
    bytes += points * (12.0 + 4.0 + 32.0 + 4.0 * plan.config.classes);  // pose, tree and logits
  }
  cost.transfer = 1e3 * batch * bytes / (gpu.host_bytes * 1e9);
  return cost;
}

}  // namespace pointtree::cli
