// SPDX-License-Identifier: Apache-2.0
#include "training/cloud_grid.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "canvas.hpp"

namespace pointtree::training {

namespace {

constexpr int kCell = 200;
constexpr double kCaption = 34.0;
constexpr Rgb kGood{0.00, 0.62, 0.45};
constexpr Rgb kBad{0.84, 0.20, 0.10};

// Hues apart by the golden angle, so that neighbouring labels differ.
Rgb label_colour(std::int32_t label) {
  const double hue = 6.0 * std::fmod(0.61803398875 * static_cast<double>(label) + 0.55, 1.0);
  const auto channel = [&](double shift) {
    const double k = std::fmod(hue + shift, 6.0);
    return 0.85 - 0.70 * std::clamp(std::min(k, 4.0 - k), 0.0, 1.0);
  };
  return {channel(5.0), channel(3.0), channel(1.0)};
}

// Looks from the front right, a little from above; z is up.
geometry::Points seen(const geometry::Points& points) {
  constexpr float kTurn = 0.6F;
  constexpr float kTilt = 0.35F;
  geometry::Points view = points.rowwise() - points.colwise().mean();
  const float reach = std::max(1e-9F, view.rowwise().norm().maxCoeff());
  Eigen::Matrix3f map;
  map.col(0) = Eigen::Vector3f(std::cos(kTurn), std::sin(kTurn), 0.0F);
  map.col(1) = Eigen::Vector3f(std::sin(kTurn) * std::sin(kTilt),
                               -std::cos(kTurn) * std::sin(kTilt), std::cos(kTilt));
  map.col(2) = Eigen::Vector3f(std::sin(kTurn) * std::cos(kTilt),
                               -std::cos(kTurn) * std::cos(kTilt), -std::sin(kTilt));
  return (view * map / reach).eval();
}

void draw_cloud(Canvas& canvas, const CloudPicture& cloud, double left, double top) {
  if (cloud.points.rows() > 0) {
    const auto view = seen(cloud.points);
    std::vector<Eigen::Index> order(static_cast<std::size_t>(view.rows()));
    std::iota(order.begin(), order.end(), Eigen::Index{0});
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return view(a, 2) < view(b, 2); });
    const double middle = 0.5 * kCell;
    const double scale = 0.46 * (kCell - kCaption);
    for (const auto i : order) {
      const double near = 0.5 + 0.5 * static_cast<double>(view(i, 2));
      canvas.set_colour(cloud.labels.empty()
                            ? Rgb{0.65 - 0.60 * near, 0.75 - 0.45 * near, 0.85 - 0.15 * near}
                            : label_colour(cloud.labels[static_cast<std::size_t>(i)]));
      canvas.fill_rectangle(
          left + middle + scale * static_cast<double>(view(i, 0)),
          top + 0.5 * (kCell - kCaption) - scale * static_cast<double>(view(i, 1)), 2.0, 2.0);
    }
  }
  canvas.set_colour(cloud.good ? kGood : kBad);
  canvas.text(cloud.caption, left + 0.5 * kCell, top + kCell - 14.0, 12.0, TextAnchor::centre);
  canvas.fill_rectangle(left + 20.0, top + kCell - 8.0, kCell - 40.0, 3.0);
}

}  // namespace

void draw_cloud_grid(const std::vector<CloudPicture>& clouds, int columns,
                     const std::filesystem::path& png) {
  columns = std::max(1, columns);
  const int count = static_cast<int>(clouds.size());
  const int rows = std::max(1, (count + columns - 1) / columns);
  Canvas canvas(kCell * columns, kCell * rows);
  for (int i = 0; i < count; ++i) {
    const int row = i / columns;
    draw_cloud(canvas, clouds[static_cast<std::size_t>(i)], kCell * (i % columns), kCell * row);
  }
  canvas.write_png(png);
}

}  // namespace pointtree::training
