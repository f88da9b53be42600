// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>

#include "canvas.hpp"
#include "training/chart.hpp"

namespace pointtree::training {

namespace {

constexpr Rgb kInk{0.15, 0.15, 0.18};

// White for 0, deep blue for 1.
Rgb shade(double share) { return {1.0 - 0.95 * share, 1.0 - 0.65 * share, 1.0 - 0.35 * share}; }

}  // namespace

void draw_confusion_matrix(const ConfusionChart& chart, const std::filesystem::path& png) {
  const auto n = chart.names.size();
  if (n == 0 || chart.counts.size() != n * n) {
    throw std::invalid_argument("a confusion chart of " + std::to_string(n) + " classes needs " +
                                std::to_string(n * n) + " counts, not " +
                                std::to_string(chart.counts.size()));
  }
  const double cell = std::clamp(900.0 / static_cast<double>(n), 20.0, 60.0);
  constexpr double kMargin = 130.0;
  constexpr double kTop = 50.0;
  const double extent = cell * static_cast<double>(n);
  Canvas canvas(static_cast<int>(kMargin + extent + 20.0),
                static_cast<int>(kTop + extent + kMargin));
  canvas.set_colour(kInk);
  canvas.text(chart.title, kMargin + 0.5 * extent, 28.0, 16.0, TextAnchor::centre);

  for (std::size_t row = 0; row < n; ++row) {
    const double y = kTop + cell * static_cast<double>(row);
    std::int64_t total = 0;
    for (std::size_t column = 0; column < n; ++column) total += chart.counts[row * n + column];
    for (std::size_t column = 0; column < n; ++column) {
      const auto count = chart.counts[row * n + column];
      const double share =
          total > 0 ? static_cast<double>(count) / static_cast<double>(total) : 0.0;
      const double x = kMargin + cell * static_cast<double>(column);
      canvas.set_colour(shade(share));
      canvas.fill_rectangle(x, y, cell - 1.0, cell - 1.0);
      if (count == 0) continue;
      canvas.set_colour(share > 0.5 ? Rgb{1.0, 1.0, 1.0} : kInk);
      canvas.text(std::to_string(count), x + 0.5 * cell, y + 0.5 * cell + 3.0, 9.0,
                  TextAnchor::centre);
    }
    canvas.set_colour(kInk);
    canvas.text(chart.names[row], kMargin - 6.0, y + 0.5 * cell + 4.0, 12.0, TextAnchor::right);
    canvas.text(chart.names[row], kMargin + cell * (static_cast<double>(row) + 0.5) + 4.0,
                kTop + extent + 6.0, 12.0, TextAnchor::right, true);
  }
  canvas.write_png(png);
}

}  // namespace pointtree::training
