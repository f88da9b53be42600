// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "pointtree/inference/model_config.hpp"

namespace pointtree::training {

/// What `pointtree bench train` measures.
struct TrainBenchmark {
  int points = 2048;
  int batch = 16;
  int steps = 3;    ///< per block, data preparation included
  int rounds = 3;   ///< blocks of each kind, taken in turns
  int threads = 1;  ///< of the networks' arithmetic
  int workers = 1;  ///< that prepare our batches ahead
};

/// Processor seconds per cloud over all threads, the fastest block of each kind.
struct TrainBenchmarkResult {
  double plain_seconds = 0.0;  ///< eager LibTorch modules, trees made between the steps
  double seconds = 0.0;        ///< this library's training step
  double half_seconds = 0.0;   ///< the same with products in bfloat16
  double waiting_share = 0.0;  ///< of our fastest block spent waiting for data
  double speedup() const { return plain_seconds / seconds; }
};

/// Trains the paper's def on random clouds, once written plainly and once with this library, in
/// turns.
TrainBenchmarkResult run_train_benchmark(const TrainBenchmark& benchmark);

/// The result as JSON text with the key `speedup_over_eager`.
std::string to_json(const TrainBenchmark& benchmark, const TrainBenchmarkResult& result);

}  // namespace pointtree::training
