// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>

#include "commands.hpp"
#include "io/file_bytes.hpp"
#include "training/comparison.hpp"

namespace pointtree::cli {

namespace {

struct CompareArguments {
  std::filesystem::path paper = "docs/paper_scores.csv";
  std::filesystem::path results = "docs/results";
  std::filesystem::path output;
};

constexpr const char* kBegin = "<!-- begin: pointtree compare -->\n";
constexpr const char* kEnd = "<!-- end: pointtree compare -->\n";

// Replaces what lies between the two marks; the prose around them stays.
std::string between_marks(const std::filesystem::path& file, const std::string& tables) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  const auto page = text.str();
  const auto begin = page.find(kBegin);
  const auto end = page.find(kEnd);
  if (begin == std::string::npos || end == std::string::npos || end < begin) {
    throw std::runtime_error(file.string() + ": expected the marks '" + std::string(kBegin, 33) +
                             "' and its end");
  }
  return page.substr(0, begin) + kBegin + "\n" + tables + "\n" + page.substr(end);
}

void run_comparison(const CompareArguments& arguments) {
  const auto tables = training::comparison_markdown(training::read_paper_scores(arguments.paper),
                                                    training::read_own_scores(arguments.results));
  if (arguments.output.empty()) {
    std::fputs(tables.c_str(), stdout);
    return;
  }
  io::write_file(arguments.output, between_marks(arguments.output, tables));
}

}  // namespace

void add_compare_command(CLI::App& app) {
  auto* command =
      app.add_subcommand("compare", "Fill the paper's tables with our figures beside the paper's");
  auto arguments = std::make_shared<CompareArguments>();
  command->add_option("--paper", arguments->paper, "The paper's figures as CSV");
  command->add_option("--results", arguments->results, "Folder with records of pointtree evaluate");
  command->add_option(
      "--output", arguments->output,
      "Markdown page whose marked part is replaced, such as docs/results.md; default: print");
  command->callback([arguments] { run_comparison(*arguments); });
}

}  // namespace pointtree::cli
