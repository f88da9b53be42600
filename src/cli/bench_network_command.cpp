// SPDX-License-Identifier: Apache-2.0
#include <ATen/Parallel.h>
#include <sys/resource.h>
#include <torch/utils.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "bench_clock.hpp"
#include "commands.hpp"
#include "inference/preprocessor.hpp"
#include "network/network_weights.hpp"

namespace pointtree::cli {
namespace {

struct Options {
  int batch = 8;
  int threads = 1;
  int points = 0;  // 0: as configured
  int repeats = 10;
  std::string precision;  // empty: float32, on a CUDA device half
  std::string device = "cpu";
  std::string config;
  bool json = false;
};

double peak_resident_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

// Points on random ellipsoids: smooth surfaces, as scanners see them.
geometry::Points random_surface(int count, std::mt19937& random) {
  std::normal_distribution<float> normal;
  std::uniform_real_distribution<float> uniform(0.3F, 1.0F);
  const Eigen::RowVector3f axes(uniform(random), uniform(random), uniform(random));
  geometry::Points points(count, 3);
  for (int i = 0; i < count; ++i) {
    const Eigen::RowVector3f direction(normal(random), normal(random), normal(random));
    points.row(i) = direction.normalized().cwiseProduct(axes);
  }
  return points;
}

struct Clouds {
  std::vector<geometry::Points> points;
  std::vector<std::vector<float>> channels;
  std::vector<inference::CloudInput> inputs;
  torch::Tensor leaves;  // [B, N, channels], what the training form takes
};

Clouds make_clouds(const inference::ModelConfig& config, int batch) {
  std::mt19937 random(1);
  Clouds clouds;
  const inference::Preprocessor preprocessor(inference::preprocessor_config(config));
  const auto per_cloud =
      static_cast<std::size_t>(config.points) * static_cast<std::size_t>(config.channels());
  std::vector<float> leaves(static_cast<std::size_t>(batch) * per_cloud);
  for (int b = 0; b < batch; ++b) {
    clouds.points.push_back(random_surface(config.points, random));
    clouds.channels.emplace_back(
        static_cast<std::size_t>(config.points) * static_cast<std::size_t>(config.extra_channels),
        0.5F);
    const auto i = static_cast<std::size_t>(b);
    const inference::ChannelsView channels(clouds.channels[i].data(), config.points,
                                           config.extra_channels,
                                           Eigen::OuterStride<>(config.extra_channels));
    preprocessor.write_leaves(preprocessor.pose(clouds.points[i]), channels,
                              leaves.data() + i * per_cloud);
  }
  for (int b = 0; b < batch; ++b) {
    const auto i = static_cast<std::size_t>(b);
    clouds.inputs.push_back(
        {clouds.points[i],
         inference::ChannelsView(clouds.channels[i].data(), config.points, config.extra_channels,
                                 Eigen::OuterStride<>(config.extra_channels))});
  }
  clouds.leaves = torch::tensor(leaves).view({batch, config.points, config.channels()});
  return clouds;
}

// Clouds of one turn, at least: the first call finds the caches full of another's weights, which a
// node that only calls its own engine never does.
constexpr int kCloudsPerTurn = 8;

// The best time of all calls, in milliseconds per cloud.
class Stopwatch {
 public:
  // Processor time counts only where one thread of this process does the work.
  Stopwatch(bool wall, int clouds)
      : clock_(wall ? wall_seconds : process_seconds),
        clouds_(clouds),
        calls_(std::max(1, kCloudsPerTurn / clouds)) {}

  template <typename Work>
  void time_turn(const Work& work) {
    for (int call = 0; call < calls_; ++call) least_.measure(clock_, work);
  }
  double best() const { return 1e3 * least_.seconds() / clouds_; }

 private:
  double (*clock_)();
  int clouds_;
  int calls_;
  Least least_;
};

void run_engine(const inference::Engine& engine, const Clouds& clouds) {
  if (engine.info().segments) {
    engine.segment(clouds.inputs);
  } else {
    engine.classify(clouds.inputs);
  }
}

void run_trees(const Clouds& clouds, const inference::ModelConfig& config) {
  const inference::Preprocessor preprocessor(inference::preprocessor_config(config));
  for (const geometry::Points& points : clouds.points) {
    preprocessor.pose(points);
  }
}

double weight_megabytes(const inference::EngineInfo& info) {
  const double bytes = info.precision == inference::Precision::float32    ? 4.0
                       : info.precision == inference::Precision::bfloat16 ? 2.0
                                                                          : 1.0;
  return static_cast<double>(info.parameters) * bytes * 1e-6;
}

nlohmann::json measure(const Options& options) {
  inference::ModelConfig config;
  if (!options.config.empty()) config = inference::model_config(YAML::LoadFile(options.config));
  if (options.points > 0) config.points = options.points;
  const int threads =
      options.threads > 0 ? options.threads : static_cast<int>(std::thread::hardware_concurrency());

  torch::manual_seed(1);
  network::PointTreeNet network(config);
  network->eval();
  inference::EngineOptions engine_options;
  engine_options.threads = threads;
  engine_options.max_batch = options.batch;
  engine_options.device = options.device;
  if (!options.precision.empty()) {
    engine_options.precision = from_string<inference::Precision>(options.precision, "--precision");
  }
  const inference::Engine engine = network::make_engine(network, engine_options);
  const bool on_cpu = engine.info().device == "cpu";
  std::string precision(to_string(engine.info().precision));
  if (!on_cpu && options.precision != "float32") precision = "half";
  std::optional<inference::Engine> exact;  // where the engine is not that itself
  if (!on_cpu || engine.info().precision != inference::Precision::float32) {
    engine_options.device = "cpu";
    engine_options.precision = inference::Precision::float32;
    exact = network::make_engine(network, engine_options);
  }
  const Clouds clouds = make_clouds(config, options.batch);

  // Taken in turns, so that whatever else the machine does falls on all alike.
  // A device's time is no processor time of this process.
  const bool wall = threads > 1 || !on_cpu;
  Stopwatch own(wall, options.batch);
  Stopwatch float32(wall, options.batch);
  Stopwatch eager(wall, options.batch);
  Stopwatch trees(false, options.batch);
  const torch::NoGradGuard no_grad;
  at::set_num_threads(threads);
  for (int repeat = 0; repeat < options.repeats; ++repeat) {
    own.time_turn([&] { run_engine(engine, clouds); });
    if (exact) float32.time_turn([&] { run_engine(*exact, clouds); });
    eager.time_turn([&] {
      run_trees(clouds, config);
      network->forward(clouds.leaves);
    });
    trees.time_turn([&] { run_trees(clouds, config); });
  }
  const inference::EngineInfo& info = engine.info();
  const double float32_ms = exact ? float32.best() : own.best();
  const double gflops = 2e-6 * static_cast<double>(info.multiply_adds) / own.best();
  return {{"batch", options.batch},
          {"threads", threads},
          {"device", engine.info().device},
          {"precision", precision},
          {"points", config.points},
          {"parameters", info.parameters},
          {"multiply_adds_per_cloud", info.multiply_adds},
          {"clock", wall ? "wall time" : "processor time"},
          {"ms_per_cloud", own.best()},
          {"eager_ms_per_cloud", eager.best()},
          {"speedup_over_eager", eager.best() / own.best()},
          {"float32_ms_per_cloud", float32_ms},
          {"speedup_over_float32", float32_ms / own.best()},
          {"pre_align_and_tree_ms_per_cloud", trees.best()},
          {"clouds_per_second", 1e3 / own.best()},
          {"gflops", gflops},
          {"weight_megabytes", weight_megabytes(info)},
          {"peak_resident_megabytes", peak_resident_megabytes()}};
}

void print(const nlohmann::json& result) {
  for (const auto& [key, value] : result.items()) {
    if (value.is_number_float()) {
      std::printf("%-36s%16.3f\n", key.c_str(), value.get<double>());
    } else {
      std::printf("%-36s%16s\n", key.c_str(), value.dump().c_str());
    }
  }
}

}  // namespace

void add_bench_network_command(CLI::App& app) {
  auto* command = bench_command(app).add_subcommand(
      "network",
      "Times the inference engine beside the training form in evaluation, without gradients, on "
      "random weights. Both times include pre-alignment and trees, which are also timed alone.");
  auto options = std::make_shared<Options>();
  command->add_option("--batch", options->batch, "Clouds per call")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  command->add_option("--threads", options->threads, "Threads; 0: as many as cores")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command->add_option("--points", options->points, "Points per cloud; 0: as configured")
      ->check(CLI::Range(0, 1 << 16))
      ->capture_default_str();
  command
      ->add_option("--precision", options->precision,
                   "Of the engine's weights; default: float32, on a CUDA device half")
      ->check(CLI::IsMember({"float32", "bfloat16", "int8"}));
  command->add_option("--device", options->device, "auto, cpu or cuda:N")->capture_default_str();
  command->add_option("--config", options->config, "YAML file; default: the paper's def classifier")
      ->check(CLI::ExistingFile);
  command
      ->add_option("--repeats", options->repeats, "Turns of each, of which the fastest call counts")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print one JSON object");
  command->callback([options] {
    const nlohmann::json result = measure(*options);
    if (options->json) {
      std::cout << result.dump(2) << "\n";
    } else {
      print(result);
    }
  });
}

}  // namespace pointtree::cli
