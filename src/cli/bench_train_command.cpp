// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <memory>

#include "commands.hpp"
#include "training/train_benchmark.hpp"

namespace pointtree::cli {

void add_bench_train_command(CLI::App& app) {
  auto* command = bench_command(app).add_subcommand(
      "train", "Training step of the paper's def against the same network written plainly");
  auto benchmark = std::make_shared<training::TrainBenchmark>();
  auto json = std::make_shared<bool>(false);
  command->add_option("--points", benchmark->points, "Points per cloud, a power of two");
  command->add_option("--batch", benchmark->batch, "Clouds per step")->check(CLI::Range(2, 1024));
  command->add_option("--steps", benchmark->steps, "Steps per block")->check(CLI::PositiveNumber);
  command->add_option("--rounds", benchmark->rounds, "Blocks of each kind")
      ->check(CLI::PositiveNumber);
  command->add_option("--threads", benchmark->threads, "Threads of the networks")
      ->check(CLI::PositiveNumber);
  command->add_option("--workers", benchmark->workers, "Threads that prepare batches")
      ->check(CLI::PositiveNumber);
  command->add_flag("--json", *json, "Print JSON");
  command->callback([benchmark, json] {
    const auto result = training::run_train_benchmark(*benchmark);
    if (*json) {
      std::fputs(training::to_json(*benchmark, result).c_str(), stdout);
      return;
    }
    std::printf("plain eager step   %8.2f CPU ms per cloud\n", 1e3 * result.plain_seconds);
    std::printf("this library       %8.2f CPU ms per cloud, %.1f %% of it waiting for data\n",
                1e3 * result.seconds, 100.0 * result.waiting_share);
    std::printf("in bfloat16        %8.2f CPU ms per cloud\n", 1e3 * result.half_seconds);
    std::printf("speed-up           %8.2f, of bfloat16 %.2f more\n", result.speedup(),
                result.seconds / result.half_seconds);
  });
}

}  // namespace pointtree::cli
