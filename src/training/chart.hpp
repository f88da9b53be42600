// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pointtree::training {

/// One line of a chart; points that are not finite are left out.
struct ChartSeries {
  std::string name;
  std::vector<double> x;
  std::vector<double> y;
  bool markers = false;  ///< draw a dot at every point
};

/// One panel with lines, axes and a legend.
struct LineChart {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<ChartSeries> series = {};
  std::optional<double> y_min = {};  ///< otherwise from the data
  std::optional<double> y_max = {};
};

/// Draws panels side by side into a PNG; throws std::runtime_error where the file cannot be
/// written.
void draw_line_charts(const std::vector<LineChart>& panels, const std::filesystem::path& png);

/// A matrix of counts with named rows (truth) and columns (prediction), shaded by the share of its
/// row.
struct ConfusionChart {
  std::string title;
  std::vector<std::string> names;
  std::vector<std::int64_t> counts;  ///< row-major, names.size() squared
};

/// Draws the matrix into a PNG; throws std::invalid_argument where sizes do not fit.
void draw_confusion_matrix(const ConfusionChart& chart, const std::filesystem::path& png);

}  // namespace pointtree::training
