// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "canvas.hpp"
#include "training/chart.hpp"

namespace pointtree::training {

namespace {

constexpr int kPanelWidth = 620;
constexpr int kPanelHeight = 430;
constexpr double kLeft = 70.0;
constexpr double kRight = 20.0;
constexpr double kTop = 40.0;
constexpr double kBottom = 55.0;
constexpr Rgb kInk{0.15, 0.15, 0.18};
constexpr Rgb kGrid{0.88, 0.88, 0.90};

// Colours that differ for readers with the common colour deficiencies (Okabe and Ito).
constexpr std::array<Rgb, 7> kLineColours{{{0.00, 0.45, 0.70},
                                           {0.84, 0.37, 0.00},
                                           {0.00, 0.62, 0.45},
                                           {0.80, 0.47, 0.65},
                                           {0.90, 0.62, 0.00},
                                           {0.34, 0.71, 0.91},
                                           {0.30, 0.30, 0.30}}};

// One axis: maps values to 0…1 and knows where its ticks are.
struct Axis {
  double low = 0.0;
  double high = 1.0;

  double place(double value) const { return (value - low) / (high - low); }

  std::vector<double> ticks() const {
    const double rough = (high - low) / 6.0;
    const double magnitude = std::pow(10.0, std::floor(std::log10(rough)));
    double step = 10.0 * magnitude;
    for (const double multiple : {1.0, 2.0, 5.0}) {
      if (multiple * magnitude >= rough) {
        step = multiple * magnitude;
        break;
      }
    }
    std::vector<double> result;
    for (double t = std::ceil(low / step - 1e-9) * step; t <= high + 1e-9 * step; t += step) {
      result.push_back(std::abs(t) < 1e-9 * step ? 0.0 : t);
    }
    return result;
  }
};

Axis fit_axis(const LineChart& chart, bool vertical) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const auto& series : chart.series) {
    for (const double value : vertical ? series.y : series.x) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  if (vertical && chart.y_min) low = *chart.y_min;
  if (vertical && chart.y_max) high = *chart.y_max;
  if (!(low <= high)) {
    low = 0.0;
    high = 1.0;
  }
  if (high - low < 1e-12 * std::max(1.0, std::abs(high))) {
    low -= 0.5;
    high += 0.5;
  }
  return {low, high};
}

std::string tick_text(double value) {
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%g", value);
  return buffer.data();
}

// Draws one panel whose left edge is at `origin` pixels.
class Panel {
 public:
  Panel(Canvas& canvas, const LineChart& chart, double origin)
      : canvas_(canvas),
        chart_(chart),
        x_(fit_axis(chart, false)),
        y_(fit_axis(chart, true)),
        left_(origin + kLeft) {}

  void draw() {
    draw_axes();
    for (std::size_t i = 0; i < chart_.series.size(); ++i) draw_series(i);
    draw_legend();
  }

 private:
  static constexpr double kPlotWidth = kPanelWidth - kLeft - kRight;
  static constexpr double kPlotHeight = kPanelHeight - kTop - kBottom;

  double pixel_x(double value) const { return left_ + x_.place(value) * kPlotWidth; }
  double pixel_y(double value) const { return kTop + (1.0 - y_.place(value)) * kPlotHeight; }

  void draw_axes() {
    const double bottom = kTop + kPlotHeight;
    for (const double tick : x_.ticks()) {
      canvas_.set_colour(kGrid);
      canvas_.line(pixel_x(tick), kTop, pixel_x(tick), bottom, 1.0);
      canvas_.set_colour(kInk);
      canvas_.text(tick_text(tick), pixel_x(tick), bottom + 18.0, 12.0, TextAnchor::centre);
    }
    for (const double tick : y_.ticks()) {
      canvas_.set_colour(kGrid);
      canvas_.line(left_, pixel_y(tick), left_ + kPlotWidth, pixel_y(tick), 1.0);
      canvas_.set_colour(kInk);
      canvas_.text(tick_text(tick), left_ - 8.0, pixel_y(tick) + 4.0, 12.0, TextAnchor::right);
    }
    canvas_.line(left_, kTop, left_, bottom, 1.2);
    canvas_.line(left_, bottom, left_ + kPlotWidth, bottom, 1.2);
    const double middle = left_ + 0.5 * kPlotWidth;
    canvas_.text(chart_.title, middle, 24.0, 15.0, TextAnchor::centre);
    canvas_.text(chart_.x_label, middle, kPanelHeight - 14.0, 13.0, TextAnchor::centre);
    canvas_.text(chart_.y_label, left_ - 52.0, kTop + 0.5 * kPlotHeight, 13.0, TextAnchor::centre,
                 true);
  }

  void draw_series(std::size_t index) {
    const auto& series = chart_.series[index];
    auto* context = canvas_.context();
    canvas_.set_colour(kLineColours[index % kLineColours.size()]);
    cairo_save(context);
    cairo_rectangle(context, left_, kTop, kPlotWidth, kPlotHeight);
    cairo_clip(context);
    cairo_set_line_width(context, 1.8);
    const auto count = std::min(series.x.size(), series.y.size());
    bool drawing = false;
    for (std::size_t i = 0; i < count; ++i) {
      const bool shown = std::isfinite(series.x[i]) && std::isfinite(series.y[i]);
      if (shown && drawing) cairo_line_to(context, pixel_x(series.x[i]), pixel_y(series.y[i]));
      if (shown && !drawing) cairo_move_to(context, pixel_x(series.x[i]), pixel_y(series.y[i]));
      drawing = shown;
    }
    cairo_stroke(context);
    for (std::size_t i = 0; series.markers && i < count; ++i) {
      if (!std::isfinite(series.x[i]) || !std::isfinite(series.y[i])) continue;
      cairo_arc(context, pixel_x(series.x[i]), pixel_y(series.y[i]), 3.0, 0.0,
                6.2831853071795864769);
      cairo_fill(context);
    }
    cairo_restore(context);
  }

  void draw_legend() {
    double width = 0.0;
    std::size_t named = 0;
    for (const auto& series : chart_.series) {
      if (series.name.empty()) continue;
      width = std::max(width, canvas_.text_width(series.name, 12.0));
      ++named;
    }
    if (named == 0) return;
    constexpr double kRow = 17.0;
    const double x = left_ + kPlotWidth - width - 42.0;
    double y = kTop + 6.0;
    cairo_set_source_rgba(canvas_.context(), 1.0, 1.0, 1.0, 0.8);
    canvas_.fill_rectangle(x, y, width + 40.0, kRow * static_cast<double>(named) + 6.0);
    for (std::size_t i = 0; i < chart_.series.size(); ++i) {
      if (chart_.series[i].name.empty()) continue;
      y += kRow;
      canvas_.set_colour(kLineColours[i % kLineColours.size()]);
      canvas_.line(x + 5.0, y - 4.0, x + 27.0, y - 4.0, 2.5);
      canvas_.set_colour(kInk);
      canvas_.text(chart_.series[i].name, x + 33.0, y, 12.0, TextAnchor::left);
    }
  }

  Canvas& canvas_;
  const LineChart& chart_;
  Axis x_;
  Axis y_;
  double left_;
};

}  // namespace

void draw_line_charts(const std::vector<LineChart>& panels, const std::filesystem::path& png) {
  Canvas canvas(kPanelWidth * std::max<int>(1, static_cast<int>(panels.size())), kPanelHeight);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    Panel(canvas, panels[i], static_cast<double>(i) * kPanelWidth).draw();
  }
  canvas.write_png(png);
}

}  // namespace pointtree::training
