// SPDX-License-Identifier: Apache-2.0
#include <spdlog/fmt/fmt.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>
#include <string>

#include "commands.hpp"
#include "data_places.hpp"
#include "exit_code.hpp"
#include "io/file_bytes.hpp"
#include "io/outputs.hpp"
#include "io/progress.hpp"
#include "io/stopwatch.hpp"
#include "one_of.hpp"
#include "share.hpp"
#include "training/evaluation.hpp"

namespace pointtree::cli {

namespace {

struct EvaluateArguments {
  training::EvaluationRequest request;
  std::string transform = "none";
  std::string form = "authors";
  std::string pre_align;
  training::RecordLabels labels;
  std::string record;
  bool json = false;
  bool overwrite = false;
};

constexpr double kSecondsBetweenLines = 10.0;

// The command that repeats this evaluation, whatever folder the data are in.
std::string repeat_command(const EvaluateArguments& arguments) {
  const auto& request = arguments.request;
  const bool generated = request.data.find('=') != std::string::npos;
  std::string command = "pointtree evaluate --model";
  for (const auto& model : request.models) command += " " + model.string();
  command += " --data " + (generated ? request.data + " --kind " + request.kind : "DIR") +
             " --split " + request.split + " --transform " + arguments.transform;
  if (request.lidar) command += " --lidar";
  if (arguments.form != "authors") command += " --form " + arguments.form;
  if (!arguments.pre_align.empty()) command += " --pre-align " + arguments.pre_align;
  if (request.limit > 0) command += " --limit " + std::to_string(request.limit);
  return command + " --draws " + std::to_string(request.draws) + " --seed " +
         std::to_string(request.seed);
}

void refuse_repeated_models(const std::vector<std::filesystem::path>& models) {
  std::set<std::filesystem::path> seen;
  for (const auto& model : models) {
    if (!seen.insert(std::filesystem::weakly_canonical(model)).second)
      throw UsageError("--model: " + model.string() + " is given twice");
  }
}

/// Shows how far the evaluation is, with the time left, and ends it on Ctrl-C.
training::EvaluationWatch watch(io::ProgressLine& line, const io::InterruptGuard& interrupt) {
  const io::Stopwatch running;
  training::EvaluationWatch watch;
  watch.plan = [&line](const std::string& plan) { line.say(plan); };
  watch.progress = [&line, running](double done, std::int64_t clouds, std::int64_t of) {
    const double elapsed = running.seconds();
    line.show(done,
              fmt::format("{} of {} clouds, {:.1f} per second{}", clouds, of,
                          static_cast<double>(clouds) / elapsed, io::time_left(elapsed, done)));
  };
  watch.stop = [&interrupt] { return interrupt.requested(); };
  return watch;
}

void run_evaluation(EvaluateArguments& arguments) {
  auto& request = arguments.request;
  refuse_repeated_models(request.models);
  const Share share = share_of_launcher();
  request.rank = static_cast<int>(share.index);
  request.processes = static_cast<int>(share.count);
  std::vector<std::filesystem::path> inputs = request.models;
  const auto places = data_places(request.data);
  inputs.insert(inputs.end(), places.begin(), places.end());
  io::Outputs outputs(arguments.overwrite, inputs);
  const auto record = outputs.file(share.own(arguments.record));
  if (!request.pictures.empty()) {
    request.pictures = outputs.folder(
        share.own(request.pictures),
        [](const std::filesystem::path& name) { return name.extension() == ".png"; });
  }
  request.transformation =
      from_string<geometry::TransformationKind>(arguments.transform, "--transform");
  request.form = from_string<geometry::TransformationForm>(arguments.form, "--form");
  if (!arguments.pre_align.empty())
    request.pre_align = from_string<geometry::PreAlignMode>(arguments.pre_align, "--pre-align");
  const io::InterruptGuard interrupt;
  io::ProgressLine line(kSecondsBetweenLines);
  request.watch = watch(line, interrupt);
  const auto evaluation = training::evaluate(request);
  arguments.labels.command = repeat_command(arguments);
  const auto json = training::to_json(evaluation, request, arguments.labels);
  if (!record.empty()) io::write_file(record, json);
  outputs.commit();
  const auto text = arguments.json ? json : training::to_text(evaluation, request);
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
  if (evaluation.interrupted) throw CLI::RuntimeError(kInterrupted);
}

}  // namespace

void add_evaluate_command(CLI::App& app) {
  auto* command = app.add_subcommand("evaluate", "Evaluate a model on a data set");
  auto arguments = std::make_shared<EvaluateArguments>();
  auto& request = arguments->request;
  command
      ->add_option("--model", request.models,
                   "Bundle: a folder with model.yaml and weights; several form an ensemble")
      ->required();
  command->add_option("--data", request.data, "Folder of the data set")->required();
  command->add_option("--kind", request.kind, "Reader of the data set; auto: told from the files");
  command->add_option("--split", request.split, "Part of the data set");
  command->add_option("--transform", arguments->transform, "Random maps of the clouds")
      ->check(one_of<geometry::TransformationKind>());
  command->add_flag("--lidar", request.lidar,
                    "See every cloud as a spinning lidar does: one side, in rows, thinned, noisy");
  auto* form = command->add_option("--form", arguments->form, "Distribution of the transformation");
  form->check(one_of<geometry::TransformationForm>());
  command
      ->add_option("--pre-align", arguments->pre_align, "Pre-alignment; default: the model's own")
      ->check(one_of<geometry::PreAlignMode>());
  command->add_option("--draws", request.draws, "Passes with different transformations")
      ->check(CLI::PositiveNumber);
  command->add_option("--seed", request.seed, "Seed of the transformations");
  command->add_option("--batch", request.batch, "Clouds per pass through the network")
      ->check(CLI::PositiveNumber);
  command->add_option("--threads", request.threads, "Threads of the network; 0: LibTorch decides")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--workers", request.workers, "Threads that prepare clouds")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--limit", request.limit, "Evaluate only so many clouds; 0: all")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--pictures", request.pictures,
                      "Folder for pictures of right and wrong cases");
  command->add_option("--label", arguments->labels.label, "What to call the model in comparisons");
  command->add_option("--table", arguments->labels.table,
                      "The paper's table that the figure belongs to");
  command->add_option("--record", arguments->record,
                      "Also write the JSON to this file, for pointtree compare");
  command->add_flag("--overwrite", arguments->overwrite, "Replace outputs that exist");
  command->add_flag("--json", arguments->json, "Print JSON");
  command->callback([arguments, form] {
    if (form->count() > 0 && arguments->transform == "none")
      throw UsageError("--form has no effect with --transform none");
    const auto& labels = arguments->labels;
    const bool labelled = !labels.label.empty() || !labels.table.empty();
    if (labelled && arguments->record.empty() && !arguments->json)
      throw UsageError("--label and --table are written with --record or --json only");
    run_evaluation(*arguments);
  });
}

}  // namespace pointtree::cli
