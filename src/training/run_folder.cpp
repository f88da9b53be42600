// SPDX-License-Identifier: Apache-2.0
#include "run_folder.hpp"

#include <sstream>

#include "io/file_bytes.hpp"
#include "network/network_weights.hpp"
#include "training/chart.hpp"

namespace pointtree::training {

void write_class_report(const std::filesystem::path& folder, const Evaluator& evaluator,
                        const Scores& scores) {
  const auto& confusion = scores.confusion();
  const auto accuracies = confusion.class_accuracies();
  const auto ious = confusion.class_ious();
  const auto cell = [](const std::optional<double>& value) {
    return value ? std::to_string(*value) : std::string();
  };
  std::ostringstream table;
  table << "class,count,accuracy,iou\n";
  for (int c = 0; c < confusion.classes(); ++c) {
    table << evaluator.names()[c] << ',' << confusion.true_count(c) << ',' << cell(accuracies[c])
          << ',' << cell(ious[c]) << '\n';
  }
  io::write_file(folder / "classes.csv", table.str());
  training::draw_confusion_matrix(
      {"True class (rows) and predicted class (columns)", evaluator.names(), confusion.counts()},
      folder / "confusion.png");
}

void export_bundle(const std::filesystem::path& folder, const TrainConfig& config,
                   const Evaluator& evaluator, const network::PointTreeNet& network,
                   const ValidationRecord& validation) {
  inference::Manifest manifest;
  manifest.name = std::filesystem::path(config.run.folder).filename().string();
  manifest.description = "validation-selected weights of step " + std::to_string(validation.step);
  const auto colours = inference::distinct_colours(evaluator.names().size());
  for (std::size_t c = 0; c < evaluator.names().size(); ++c)
    manifest.classes.push_back({evaluator.names()[c], colours[c]});
  manifest.channels = evaluator.data().extra_channels;
  manifest.channels.resize(static_cast<std::size_t>(config.model.extra_channels));
  manifest.training_data = config.data.name;
  manifest.training_terms = config.data.terms;
  manifest.units = config.data.units;
  const auto source = config.data.name + ", validation split, transformation " +
                      std::string(geometry::to_string(config.augment.transformation));
  manifest.scores = {
      {"overall accuracy", validation.overall_accuracy, source, "pointtree train"},
      {"mean class accuracy", validation.mean_class_accuracy, source, "pointtree train"}};
  if (evaluator.segments())
    manifest.scores.push_back({"mean IoU", validation.mean_iou, source, "pointtree train"});
  network::save_network(network, folder, manifest);
}

}  // namespace pointtree::training
