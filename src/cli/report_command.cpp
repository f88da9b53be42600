// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "exit_code.hpp"
#include "io/file_bytes.hpp"
#include "io/outputs.hpp"
#include "merge_reports.hpp"

namespace pointtree::cli {
namespace {

namespace fs = std::filesystem;

struct MergeOptions {
  std::vector<fs::path> reports;
  fs::path output;
  bool overwrite = false;
};

void merge(const MergeOptions& options) {
  io::Outputs outputs(options.overwrite, options.reports);
  const fs::path place = outputs.file(options.output);
  const MergedReport merged = merge_reports(options.reports);
  if (!place.empty()) io::write_file(place, merged.report + "\n");
  outputs.commit();
  std::fputs(merged.text.c_str(), stdout);
  if (place.empty()) std::fprintf(stdout, "%s\n", merged.report.c_str());
  for (const std::string& fault : merged.faults) std::fprintf(stderr, "%s\n", fault.c_str());
  if (!merged.faults.empty()) throw CLI::RuntimeError(kFailure);
}

}  // namespace

void add_report_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("report", "Work on reports of replay and evaluate");
  command->require_subcommand(1);
  auto options = std::make_shared<MergeOptions>();
  CLI::App* merging = command->add_subcommand(
      "merge", "Make one report of those that the processes of one job wrote");
  merging->add_option("reports", options->reports, "Reports (JSON), one of each process")
      ->required()
      ->check(CLI::ExistingFile);
  merging->add_option("--output", options->output, "Write the report here; default: print it");
  merging->add_flag("--overwrite", options->overwrite, "Replace the output if it exists");
  merging->callback([options] { merge(*options); });
}

}  // namespace pointtree::cli
