// SPDX-License-Identifier: Apache-2.0
#include "training/train_benchmark.hpp"

#include <ATen/Parallel.h>
#include <torch/nn/functional/loss.h>
#include <torch/optim/adam.h>
#include <torch/utils.h>

#include <ctime>
#include <limits>
#include <nlohmann/json.hpp>

#include "datasets/held_dataset.hpp"
#include "geometry/seed.hpp"
#include "io/stopwatch.hpp"
#include "plain_network.hpp"
#include "pointtree/geometry/random.hpp"
#include "pointtree/network/network.hpp"
#include "training/adam.hpp"
#include "training/batch_source.hpp"
#include "training/compute_device.hpp"
#include "training/losses.hpp"

namespace pointtree::training {

namespace {

constexpr int kClasses = 40;
// Processor time of all threads, which other work on the machine hardly changes.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Boxes of random proportions filled with points, kept in memory.
std::shared_ptr<const datasets::Dataset> random_clouds(int count, int points) {
  datasets::DatasetInfo info{"random", "train"};
  for (int c = 0; c < kClasses; ++c) info.classes.push_back(std::to_string(c));
  geometry::Random random(1);
  std::vector<datasets::Example> clouds;
  for (int i = 0; i < count; ++i) {
    datasets::Example& cloud = clouds.emplace_back();
    cloud.points.resize(points, 3);
    const Eigen::RowVector3f size(1.0F, static_cast<float>(random.uniform()),
                                  static_cast<float>(random.uniform()));
    for (Eigen::Index p = 0; p < points; ++p) {
      for (int axis = 0; axis < 3; ++axis) {
        cloud.points(p, axis) = size[axis] * static_cast<float>(random.uniform(-1.0, 1.0));
      }
    }
    cloud.label = i % kClasses;
  }
  return std::make_shared<datasets::HeldDataset>(std::move(info), std::move(clouds));
}

TrainConfig configuration(const TrainBenchmark& benchmark) {
  TrainConfig config;
  config.model.points = benchmark.points;
  config.model.classes = kClasses;
  config.augment.transformation = geometry::TransformationKind::affine;
  config.run.batch = benchmark.batch;
  config.data.workers = benchmark.workers;
  return config;
}

// The step as a first version would have it: clouds prepared one by one, then forward, backward,
// Adam.
class PlainTraining {
 public:
  explicit PlainTraining(const TrainBenchmark& benchmark)
      : benchmark_(benchmark),
        network_(benchmark.points, kClasses),
        optimizer_(network_->parameters(), torch::optim::AdamOptions(1e-4)) {}

  void step(const datasets::Dataset& clouds, std::uint64_t number) {
    auto points = torch::empty({benchmark_.batch, benchmark_.points, 3});
    auto order = torch::empty({benchmark_.batch, benchmark_.points}, torch::kLong);
    auto labels = torch::empty({benchmark_.batch}, torch::kLong);
    const geometry::TransformationSampler sampler(geometry::TransformationKind::affine);
    for (int b = 0; b < benchmark_.batch; ++b) {
      const auto example =
          clouds.at((number * static_cast<std::uint64_t>(benchmark_.batch) + b) % clouds.size());
      geometry::Random random(geometry::mix_seed({number, static_cast<std::uint64_t>(b)}));
      const auto moved = sampler.draw(example.points, random).apply(example.points);
      const auto aligned = geometry::pre_align(moved, geometry::PreAlignMode::iterative).points;
      const auto tree = geometry::build_tree(aligned);
      std::copy(aligned.data(), aligned.data() + aligned.size(), points[b].data_ptr<float>());
      std::copy(tree.leaf_order().begin(), tree.leaf_order().end(),
                order[b].data_ptr<std::int64_t>());
      labels[b] = example.label;
    }
    optimizer_.zero_grad();
    torch::nn::functional::cross_entropy(network_->forward(points, order), labels).backward();
    optimizer_.step();
  }

 private:
  TrainBenchmark benchmark_;
  PlainNetwork network_;
  torch::optim::Adam optimizer_;
};

// This library's step, batches prepared ahead by the loader.
class FusedTraining {
 public:
  explicit FusedTraining(const TrainBenchmark& benchmark)
      : network_(configuration(benchmark).model),
        optimizer_(parameters_of(network_), OptimizerConfig{}) {}

  void step(const Batch& batch, bool half) {
    optimizer_.clear_gradients();
    cross_entropy(logits(batch, half), batch.labels, 0.0).backward();
    optimizer_.step(1e-4);
  }

 private:
  at::Tensor logits(const Batch& batch, bool half) {
    const MixedPrecision mixed(half, at::kCPU);
    return network_->forward(batch.points).logits;
  }

  network::PointTreeNet network_;
  Adam optimizer_;
};

}  // namespace

TrainBenchmarkResult run_train_benchmark(const TrainBenchmark& benchmark) {
  keep_freed_memory();
  at::set_num_threads(benchmark.threads);
  torch::manual_seed(0);
  const auto clouds = random_clouds(4 * benchmark.batch, benchmark.points);
  const auto config = configuration(benchmark);
  PlainTraining plain(benchmark);
  FusedTraining fused(benchmark);
  const double block = static_cast<double>(benchmark.steps) * benchmark.batch;
  TrainBenchmarkResult result;
  result.plain_seconds = result.seconds = result.half_seconds =
      std::numeric_limits<double>::infinity();
  const auto measure_ours = [&](bool half, double& fastest) {
    const double processor = processor_seconds();
    const io::Stopwatch running;
    double waited = 0.0;
    auto batches = training_batches(clouds, config, 0, 0, 1);
    for (int i = 0; i < benchmark.steps; ++i) {
      const io::Stopwatch waiting;
      const auto batch = batches.next();
      waited += waiting.seconds();
      fused.step(*batch, half);
    }
    const double taken = (processor_seconds() - processor) / block;
    if (taken >= fastest) return;
    fastest = taken;
    result.waiting_share = waited / running.seconds();
  };
  for (int round = 0; round < benchmark.rounds; ++round) {
    const double processor = processor_seconds();
    for (int i = 0; i < benchmark.steps; ++i) plain.step(*clouds, static_cast<std::uint64_t>(i));
    result.plain_seconds =
        std::min(result.plain_seconds, (processor_seconds() - processor) / block);
    measure_ours(true, result.half_seconds);
    measure_ours(false, result.seconds);
  }
  return result;
}

std::string to_json(const TrainBenchmark& benchmark, const TrainBenchmarkResult& result) {
  nlohmann::ordered_json out;
  out["points"] = benchmark.points;
  out["batch"] = benchmark.batch;
  out["threads"] = benchmark.threads;
  out["workers"] = benchmark.workers;
  out["steps"] = benchmark.steps;
  out["rounds"] = benchmark.rounds;
  out["eager_cpu_ms_per_cloud"] = 1e3 * result.plain_seconds;
  out["cpu_ms_per_cloud"] = 1e3 * result.seconds;
  out["cpu_ms_per_cloud_bfloat16"] = 1e3 * result.half_seconds;
  out["waiting_share"] = result.waiting_share;
  out["speedup_over_eager"] = result.speedup();
  out["speedup_of_bfloat16"] = result.seconds / result.half_seconds;
  return out.dump(1) + "\n";
}

}  // namespace pointtree::training
