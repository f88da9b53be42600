// SPDX-License-Identifier: Apache-2.0
#include <spdlog/fmt/fmt.h>

#include <cstdio>
#include <map>
#include <memory>
#include <string>

#include "commands.hpp"
#include "perception/scan_blocks.hpp"
#include "pointtree/perception/config_file.hpp"
#include "pointtree/perception/engine_recogniser.hpp"
#include "replay.hpp"

namespace pointtree::cli {
namespace {

struct Arguments {
  ReplayOptions options;
  std::string model;
  std::string mode;
  std::string config;
  inference::EngineOptions engine;
  bool print_config = false;
};

/// The configuration of a file, or of the mode asked for, or of what the model
/// does.
perception::PipelineConfig choose_config(const Arguments& arguments,
                                         const inference::EngineInfo& model) {
  if (!arguments.config.empty()) {
    perception::PipelineConfig config = perception::read_config(arguments.config);
    if (!arguments.mode.empty() && arguments.mode != to_string(config.mode)) {
      throw std::runtime_error(fmt::format("{}: its mode is {}, but --mode says {}",
                                           arguments.config, to_string(config.mode),
                                           arguments.mode));
    }
    return config;
  }
  if (arguments.mode != "objects" && perception::takes_scan_channels(model))
    return perception::scan_config();
  const bool blocks = arguments.mode.empty() ? model.segments : arguments.mode == "blocks";
  return perception::default_config(blocks ? perception::Mode::blocks : perception::Mode::objects);
}

void run(Arguments& arguments) {
  if (arguments.print_config) {
    std::fputs(perception::to_yaml(choose_config(arguments, {})).c_str(), stdout);
    return;
  }
  if (arguments.options.recording.empty()) throw std::runtime_error("replay needs a recording");
  if (arguments.model.empty()) throw std::runtime_error("replay needs --model");
  auto engine = std::make_shared<const inference::Engine>(arguments.model, arguments.engine);
  arguments.options.config = choose_config(arguments, engine->info());
  const auto recogniser = std::make_shared<perception::EngineRecogniser>(std::move(engine));
  std::fputs(replay(arguments.options, recogniser).c_str(), stdout);
}

}  // namespace

void add_replay_command(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  ReplayOptions& options = arguments->options;
  CLI::App* command = app.add_subcommand(
      "replay", "Play a bag, a cloud file or a folder of them through the pipeline");
  command->add_option("recording", options.recording,
                      "rosbag2 folder, .mcap, .db3, cloud file or folder of cloud files");
  command->add_option("--model", arguments->model, "folder of the model bundle");
  command->add_option("--mode", arguments->mode, "objects or blocks; default: what the model does")
      ->check(CLI::IsMember({"objects", "blocks"}));
  command->add_option("--config", arguments->config, "YAML file with the pipeline's parameters");
  command->add_flag("--print-config", arguments->print_config,
                    "print the configuration with every parameter and stop");
  command->add_option("--topic", options.selection.topic,
                      "topic of a bag; default: its only topic of clouds");
  const std::map<std::string, io::BagBackend> readers = {{"auto", io::BagBackend::automatic},
                                                         {"own", io::BagBackend::own},
                                                         {"rosbag2", io::BagBackend::rosbag2}};
  command
      ->add_option("--reader", options.selection.reader,
                   "who reads a bag: own, rosbag2 (rosbag2_cpp of a sourced ROS 2), or auto")
      ->transform(CLI::CheckedTransformer(readers));
  command->add_option("--start", options.selection.start, "seconds to skip")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--duration", options.selection.duration, "seconds to play")
      ->check(CLI::PositiveNumber);
  command->add_option("--loops", options.loops, "times to play it, for steady latencies")
      ->check(CLI::PositiveNumber);
  command->add_option("--rate", options.rate, "times real time; 0: as fast as it goes")
      ->check(CLI::NonNegativeNumber);
  command->add_option(
      "--labels", options.labels,
      "YAML file: what the numbers in the recording's labels mean; default: RECORDING.labels.yaml");
  command->add_option("--output", options.output,
                      "write labelled clouds, objects and markers: .mcap file or rosbag2 folder");
  command->add_option("--report", options.report, "write the measurements: JSON file");
  command->add_option("--picture", options.picture, "draw a frame: PNG file");
  command->add_option("--html", options.page, "write a page with an orbiting view: HTML file");
  command->add_option("--frame", options.frame, "number of the frame in the picture, from 0");
  command
      ->add_option("--html-frames", options.page_frames,
                   "frames in the page, from the pictured one on")
      ->check(CLI::PositiveNumber);
  command->add_option("--threads", arguments->engine.threads, "threads; 0: as many as cores");
  command->add_option("--device", arguments->engine.device, "auto, cpu or cuda:N");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace pointtree::cli
