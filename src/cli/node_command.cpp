// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "commands.hpp"

namespace pointtree::cli {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string model;
  std::string device;
};

/// The node is a program of its own, so that this one needs no ROS: beside it, or where an
/// installation keeps a package's programs.
fs::path find_node() {
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  for (const fs::path& place : {folder, folder / "../lib/pointtree"}) {
    const fs::path node = place / "pointtree_standalone_node";
    if (fs::exists(node)) return node;
  }
  throw std::runtime_error(
      "the ROS 2 node was not built: ROS 2's base from PyPI is missing; see docs/robot.md");
}

/// Becomes the node.
void run(const Arguments& arguments, const std::vector<std::string>& passed_on) {
  const fs::path program = find_node();
  std::vector<std::string> line = {program.string()};
  line.insert(line.end(), passed_on.begin(), passed_on.end());
  line.emplace_back("--ros-args");
  if (!arguments.model.empty()) {
    line.insert(line.end(), {"-p", "model:=" + arguments.model});
  }
  if (!arguments.device.empty()) {
    line.insert(line.end(), {"-p", "device:=" + arguments.device});
  }
  std::vector<char*> raw;
  for (std::string& word : line) raw.push_back(word.data());
  raw.push_back(nullptr);
  execv(program.c_str(), raw.data());
  throw std::runtime_error(program.string() + ": " + std::strerror(errno));
}

}  // namespace

void add_node_command(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "node", "Run as a ROS 2 node; what follows --ros-args is handed to ROS, as for any node");
  command->add_option("--model", arguments->model,
                      "folder or name of the model bundle; default: objects");
  command->add_option("--device", arguments->device, "auto, cpu or cuda:N; default: auto");
  command->prefix_command();
  command->callback([arguments, command] { run(*arguments, command->remaining()); });
}

}  // namespace pointtree::cli
