// SPDX-License-Identifier: Apache-2.0
#include "run_folder.hpp"

#include <sstream>

#include "io/atomic_file.hpp"
#include "training/chart.hpp"

namespace pointtree::training {

void write_text(const std::filesystem::path& file, const std::string& text) {
  io::AtomicFile out(file);
  out.write(text);
  out.commit();
}

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
    std::int64_t count = 0;
    for (int p = 0; p < confusion.classes(); ++p) count += confusion.count(c, p);
    table << evaluator.names()[c] << ',' << count << ',' << cell(accuracies[c]) << ','
          << cell(ious[c]) << '\n';
  }
  write_text(folder / "classes.csv", table.str());
  training::draw_confusion_matrix(
      {"True class (rows) and predicted class (columns)", evaluator.names(), confusion.counts()},
      folder / "confusion.png");
}

}  // namespace pointtree::training
