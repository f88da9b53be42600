// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <vector>

/// Each sub-command lives in a file of its own and adds itself to the program.
namespace pointtree::cli {

/// The command that all benchmarks share.
inline CLI::App& bench_command(CLI::App& app) {
  const std::vector<CLI::App*> found =
      app.get_subcommands([](CLI::App* command) { return command->get_name() == "bench"; });
  if (!found.empty()) return *found.front();
  CLI::App* bench = app.add_subcommand("bench", "Measures this machine");
  bench->require_subcommand(1);
  return *bench;
}

void add_bench_network_command(CLI::App& app);
void add_bench_pipeline_command(CLI::App& app);
void add_bench_train_command(CLI::App& app);
void add_bench_tree_command(CLI::App& app);
void add_ead_command(CLI::App& app);
void add_model_command(CLI::App& app);
void add_node_command(CLI::App& app);
void add_replay_command(CLI::App& app);
void add_report_command(CLI::App& app);
void add_simulate_command(CLI::App& app);
void add_transform_command(CLI::App& app);
void add_compare_command(CLI::App& app);
void add_evaluate_command(CLI::App& app);
void add_train_command(CLI::App& app);

}  // namespace pointtree::cli
