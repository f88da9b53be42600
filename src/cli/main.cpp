// SPDX-License-Identifier: Apache-2.0
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <exception>
#include <string>

#include "commands.hpp"

using namespace pointtree::cli;  // NOLINT(google-build-using-namespace)

int main(int argc, char** argv) {
  // Standard output is for results.
  spdlog::set_default_logger(spdlog::stderr_color_mt("pointtree"));
  CLI::App app{"Transformation-robust recognition and segmentation of lidar point clouds",
               "pointtree"};
  app.set_version_flag("--version", std::string("pointtree ") + POINTTREE_VERSION);
  app.require_subcommand(1);
  add_ead_command(app);
  add_model_command(app);
  add_node_command(app);
#ifdef POINTTREE_WITH_SIMULATION
  add_replay_command(app);
  add_simulate_command(app);
#endif
#ifdef POINTTREE_WITH_LAB
  add_transform_command(app);
  add_train_command(app);
  add_evaluate_command(app);
  add_compare_command(app);
  add_bench_network_command(app);
  add_bench_train_command(app);
#endif
#ifdef POINTTREE_WITH_PCL
  add_bench_pipeline_command(app);
#endif
#ifdef POINTTREE_WITH_NANOFLANN
  add_bench_tree_command(app);
#endif

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  } catch (const std::exception& error) {
    spdlog::error("{}", error.what());
    return 1;
  }
  return 0;
}
