// SPDX-License-Identifier: Apache-2.0
#include <spdlog/spdlog.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "data_places.hpp"
#include "datasets/transformed_copy.hpp"
#include "exit_code.hpp"
#include "io/outputs.hpp"
#include "one_of.hpp"

namespace pointtree::cli {
namespace {

struct TransformOptions {
  std::string data;
  std::string kind = "auto";
  std::vector<std::string> splits = {"train"};
  std::string output;
  std::string transformation = "affine";
  std::string form = "authors";
  bool json = false;
  bool overwrite = false;
  datasets::CopyConfig copy;
};

void run(TransformOptions options) {
  options.copy.transformation =
      from_string<geometry::TransformationKind>(options.transformation, "--transform");
  options.copy.form = from_string<geometry::TransformationForm>(options.form, "--form");
  io::Outputs outputs(options.overwrite, data_places(options.data));
  const auto place = outputs.folder(options.output, [](const std::filesystem::path& name) {
    return name.extension() == ".h5" || name.extension() == ".txt";
  });
  nlohmann::json summary;
  for (const std::string& split : options.splits) {
    const auto dataset = datasets::open_dataset(options.data, options.kind, split);
    const std::size_t total = dataset->size() * options.copy.copies;
    datasets::write_transformed_copy(*dataset, options.copy, place, [&](std::size_t stored) {
      if (stored % 1000 == 0) spdlog::info("{}: {} of {} clouds", split, stored, total);
    });
    spdlog::info("{}: {} copies of {} clouds in {}", split, total, dataset->size(), options.output);
    summary[split] = {{"clouds", dataset->size()}, {"stored", total}};
  }
  outputs.commit();
  summary["transform"] = options.transformation;
  summary["seed"] = options.copy.seed;
  if (options.json) std::puts(summary.dump(2).c_str());
}

}  // namespace

void add_transform_command(CLI::App& app) {
  auto options = std::make_shared<TransformOptions>();
  CLI::App* command =
      app.add_subcommand("transform", "Stores transformed copies of a data set as HDF5");
  command
      ->add_option("--data", options->data,
                   "Folder of the data set, or parameters of a generated one")
      ->required();
  command->add_option("--kind", options->kind, "Kind of data set")->capture_default_str();
  command->add_option("--split", options->splits, "Splits to copy")->capture_default_str();
  command->add_option("--output", options->output, "Folder for the copies")->required();
  command->add_option("--transform", options->transformation, "Random maps of the clouds")
      ->check(one_of<geometry::TransformationKind>())
      ->capture_default_str();
  auto* form = command->add_option("--form", options->form, "Distribution of the transformation");
  form->check(one_of<geometry::TransformationForm>())->capture_default_str();
  command
      ->add_option("--copies", options->copy.copies,
                   "Differently transformed copies of every cloud")
      ->capture_default_str();
  command
      ->add_option("--points", options->copy.points,
                   "Points per cloud; 0: as many as the first cloud has")
      ->capture_default_str();
  command->add_option("--seed", options->copy.seed, "Another seed, other transformations")
      ->capture_default_str();
  datasets::ObservationConfig& observation = options->copy.observation;
  auto* partial = command
                      ->add_option("--partial", observation.partial_probability,
                                   "Share of clouds seen from one side only")
                      ->capture_default_str();
  command
      ->add_option("--rings", observation.ring_probability,
                   "Share of those that is cut into lidar rows")
      ->needs(partial)
      ->capture_default_str();
  command->add_option("--drop-out", observation.drop_out, "Up to this share of the points is lost")
      ->capture_default_str();
  command
      ->add_option("--jitter", observation.jitter,
                   "Noise in units of the mean distance to the centre")
      ->capture_default_str();
  command->add_flag("--overwrite", options->overwrite, "Replace the copies in an existing folder");
  command->add_flag("--json", options->json, "Print what was stored as JSON");
  command->callback([options, form] {
    if (form->count() > 0 && options->transformation == "none")
      throw UsageError("--form has no effect with --transform none");
    run(*options);
  });
}

}  // namespace pointtree::cli
