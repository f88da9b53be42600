// SPDX-License-Identifier: Apache-2.0
#include <spdlog/fmt/fmt.h>

#include <cstdio>
#include <memory>
#include <string>

#include "commands.hpp"
#include "exit_code.hpp"
#include "one_of.hpp"
#include "perception/scan_blocks.hpp"
#include "pointtree/perception/engine_recogniser.hpp"
#include "pointtree/perception/pipeline_config.hpp"
#include "replay.hpp"

namespace pointtree::cli {
namespace {

struct Arguments {
  ReplayOptions options;
  std::string model;
  std::string mode;
  std::string reader = "auto";
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
      throw UsageError(fmt::format("{}: its mode is {}, but --mode says {}", arguments.config,
                                   to_string(config.mode), arguments.mode));
    }
    return config;
  }
  using perception::Mode;
  for (const Mode mode : {Mode::objects, Mode::blocks, Mode::scene}) {
    if (arguments.mode == to_string(mode)) return perception::default_config(mode);
  }
  return perception::default_config(perception::mode_of(model));
}

void run(Arguments& arguments) {
  if (arguments.print_config) {
    std::fputs(perception::to_yaml(choose_config(arguments, {})).c_str(), stdout);
    return;
  }
  if (arguments.options.recordings.empty()) throw UsageError("replay needs a recording");
  if (arguments.model.empty()) throw UsageError("replay needs --model");
  arguments.options.selection.reader = from_string<io::BagBackend>(arguments.reader, "--reader");
  arguments.options.share = share_of_launcher();
  arguments.options.inputs = {arguments.model, arguments.config};
  auto engine = std::make_shared<const inference::Engine>(arguments.model, arguments.engine);
  arguments.options.config = choose_config(arguments, engine->info());
  const auto recogniser = std::make_shared<perception::EngineRecogniser>(std::move(engine));
  const ReplayOutcome outcome = replay(arguments.options, recogniser);
  std::fputs(outcome.text.c_str(), stdout);
  std::fflush(stdout);
  if (outcome.interrupted) throw CLI::RuntimeError(kInterrupted);
  if (outcome.failed > 0) throw CLI::RuntimeError(kFailure);
}

}  // namespace

void add_replay_command(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  ReplayOptions& options = arguments->options;
  CLI::App* command = app.add_subcommand(
      "replay", "Play bags, cloud files or folders of them through the pipeline");
  command->add_option("recordings", options.recordings,
                      "rosbag2 folders, .mcap, .db3, cloud files, folders of cloud files or of "
                      "bags; under torchrun, MPI or a Slurm array each process plays its share");
  command->add_option("--model", arguments->model, "folder of the model bundle, required to play");
  command
      ->add_option("--mode", arguments->mode,
                   "what a cloud is cut into; default: what the model does")
      ->check(one_of<perception::Mode>());
  command->add_option("--config", arguments->config, "YAML file with the pipeline's parameters")
      ->check(CLI::ExistingFile);
  command->add_flag("--print-config", arguments->print_config,
                    "print the configuration with every parameter and stop");
  command->add_option("--topic", options.selection.topic,
                      "topic of a bag; default: its only topic of clouds");
  command
      ->add_option("--reader", arguments->reader,
                   "who reads a bag: this program, or rosbag2_cpp of a sourced ROS 2")
      ->check(one_of<io::BagBackend>());
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
      "YAML file: what the numbers in the recording's labels mean; default: RECORDING.labels.yaml; "
      "none: labels are ignored");
  command->add_option("--output", options.output,
                      "write labelled clouds, objects and markers: .mcap file or rosbag2 folder; "
                      "a folder of .mcap files where there are several recordings");
  command->add_option("--report", options.report, "write the measurements: JSON file");
  command->add_option("--picture", options.picture, "draw a frame: PNG file");
  CLI::Option* page =
      command->add_option("--html", options.page, "write a page with an orbiting view: HTML file");
  command->add_option("--frame", options.frame,
                      "number of the frame in the picture and the table, from 0");
  command
      ->add_option("--html-frames", options.page_frames,
                   "frames in the page, from the pictured one on")
      ->check(CLI::PositiveNumber)
      ->needs(page);
  command->add_flag("--overwrite", options.overwrite, "replace outputs that exist");
  command->add_option("--threads", arguments->engine.threads, "threads; 0: as many as cores")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--device", arguments->engine.device, "auto, cpu or cuda:N");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace pointtree::cli
