// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>

#include "commands.hpp"
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
};

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

void run_evaluation(EvaluateArguments& arguments) {
  auto& request = arguments.request;
  request.transformation = geometry::transformation_kind(arguments.transform);
  request.form = geometry::transformation_form(arguments.form);
  if (!arguments.pre_align.empty())
    request.pre_align = geometry::pre_align_mode(arguments.pre_align);
  const auto evaluation = training::evaluate(request);
  arguments.labels.command = repeat_command(arguments);
  const auto json = training::to_json(evaluation, request, arguments.labels);
  if (!arguments.record.empty()) {
    std::ofstream file(arguments.record, std::ios::trunc);
    file << json;
    if (!file.flush()) throw std::runtime_error("cannot write " + arguments.record);
  }
  const auto text = arguments.json ? json : training::to_text(evaluation, request);
  std::fputs(text.c_str(), stdout);
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
  command->add_option("--transform", arguments->transform,
                      "none, similarity, affine, affine_aggressive or projective");
  command->add_flag("--lidar", request.lidar,
                    "See every cloud as a spinning lidar does: one side, in rows, thinned, noisy");
  command->add_option("--form", arguments->form,
                      "Distribution of the transformation: authors or paper");
  command->add_option(
      "--pre-align", arguments->pre_align,
      "none, plain, iterative, canonical, upright or metric; default: the model's own");
  command->add_option("--draws", request.draws, "Passes with different transformations");
  command->add_option("--seed", request.seed, "Seed of the transformations");
  command->add_option("--batch", request.batch, "Clouds per pass through the network")
      ->check(CLI::PositiveNumber);
  command->add_option("--threads", request.threads, "Threads of the network; 0: LibTorch decides");
  command->add_option("--workers", request.workers, "Threads that prepare clouds");
  command->add_option("--limit", request.limit, "Evaluate only so many clouds; 0: all");
  command->add_option("--pictures", request.pictures,
                      "Folder for pictures of right and wrong cases");
  command->add_option("--label", arguments->labels.label, "What to call the model in comparisons");
  command->add_option("--table", arguments->labels.table,
                      "The paper's table that the figure belongs to");
  command->add_option("--record", arguments->record,
                      "Also write the JSON to this file, for pointtree compare");
  command->add_flag("--json", arguments->json, "Print JSON");
  command->callback([arguments] { run_evaluation(*arguments); });
}

}  // namespace pointtree::cli
