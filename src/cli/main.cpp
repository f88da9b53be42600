// SPDX-License-Identifier: Apache-2.0
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "commands.hpp"
#include "exit_code.hpp"
#include "io/name_list.hpp"

using namespace pointtree::cli;  // NOLINT(google-build-using-namespace)

namespace {

std::vector<std::string> names_of_commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> names_of_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// --help shows defaults, but "[]" says nothing.
void hide_empty_lists(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    if (option->get_default_str() == "[]") option->default_str("");
  }
  for (CLI::App* command : app.get_subcommands({})) hide_empty_lists(*command);
}

/// What was probably meant by the first word that no command knows; empty where all is known.
std::string correction(const CLI::App& app, int argc, char** argv) {
  const CLI::App* command = &app;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.rfind("--", 0) == 0) {
      const std::string name = word.substr(0, word.find('='));
      const auto known = names_of_options(*command);
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      return fmt::format("{}: no option '{}'{}", command->get_name(), name,
                         pointtree::io::did_you_mean(name, known));
    }
    const std::vector<std::string> known = names_of_commands(*command);
    if (known.empty()) continue;  // a value or a file
    const auto found = std::find(known.begin(), known.end(), word);
    if (found == known.end()) {
      return fmt::format("{}: no command '{}'{}", command->get_name(), word,
                         pointtree::io::did_you_mean(word, known));
    }
    command = command->get_subcommand(word);
  }
  return {};
}

int explain(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  if (error.get_exit_code() == 0 || dynamic_cast<const CLI::RuntimeError*>(&error) != nullptr)
    return app.exit(error);  // --help and --version, or a command's own exit code
  const std::string what = correction(app, argc, argv);
  std::fprintf(stderr, "%s\nRun with --help for more information.\n",
               what.empty() ? error.what() : what.c_str());
  return kUsage;
}

}  // namespace

int main(int argc, char** argv) {
  // Standard output is for results.
  spdlog::set_default_logger(spdlog::stderr_color_mt("pointtree"));
  CLI::App app{"Transformation-robust recognition and segmentation of lidar point clouds",
               "pointtree"};
  app.set_version_flag("--version", std::string("pointtree ") + POINTTREE_VERSION);
  app.require_subcommand(1);
  app.footer("Exit codes: 0 success, 1 failure, 2 wrong usage, 130 interrupted.");
  app.option_defaults()->always_capture_default();
  add_ead_command(app);
  add_model_command(app);
  add_node_command(app);
#ifdef POINTTREE_WITH_SIMULATION
  add_replay_command(app);
  add_report_command(app);
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

  hide_empty_lists(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return explain(app, error, argc, argv);
  } catch (const UsageError& error) {
    spdlog::error("{}", error.what());
    return kUsage;
  } catch (const std::exception& error) {
    spdlog::error("{}", error.what());
    return kFailure;
  }
  return 0;
}
