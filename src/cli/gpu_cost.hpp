#pragma once

#include <string>
#include <vector>

#include "pointtree/inference/network_plan.hpp"

namespace pointtree::cli {

/// What a GPU's data sheet says, in units of 10^9 per second where not said otherwise.
struct GpuModel {
  std::string name;
  int processors;       ///< streaming multiprocessors
  double clock;         ///< cycles
  double half_flops;    ///< tensor cores, half in, float32 sums, dense
  double single_flops;  ///< float32
  double memory_bytes;  ///< device memory
  double host_bytes;    ///< between host and device
  int double_units;     ///< float64 operations per cycle and multiprocessor
};

/// The GPUs that costs are computed for.
const std::vector<GpuModel>& known_gpus();

/// Milliseconds of one batch.
struct GpuCost {
  double pose = 0.0;
  double tree = 0.0;
  double network = 0.0;
  double transfer = 0.0;
  double total() const { return pose + tree + network + transfer; }
};

/// Computes, from bytes, operations and the longest chains of dependent ones, what a batch should
/// cost on a GPU. No GPU takes part in it.
GpuCost compute_cost(const GpuModel& gpu, const inference::NetworkPlan& plan, int batch);

}  // namespace pointtree::cli
