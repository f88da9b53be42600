// SPDX-License-Identifier: Apache-2.0
#include "case_pictures.hpp"

#include <ATen/TensorOperators.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "canvas.hpp"
#include "pointtree/geometry/points.hpp"
#include "training/losses.hpp"

namespace pointtree::training {
namespace {

/// A cloud to be shown with a caption; the frame's colour tells good from bad.
struct CloudPicture {
  geometry::Points points;
  std::vector<std::int32_t> labels;  ///< per point: decides its colour; empty: coloured by depth
  std::string caption;
  bool good = true;
};

constexpr int kCell = 200;
constexpr double kCaption = 34.0;
constexpr Rgb kGood{0.00, 0.62, 0.45};
constexpr Rgb kBad{0.84, 0.20, 0.10};

// Hues apart by the golden angle, so that neighbouring labels differ; grey where there is none.
Rgb label_colour(std::int32_t label) {
  if (label < 0) return {0.75, 0.75, 0.75};
  const double hue = 6.0 * std::fmod(0.61803398875 * static_cast<double>(label) + 0.55, 1.0);
  const auto channel = [&](double shift) {
    const double k = std::fmod(hue + shift, 6.0);
    return 0.85 - 0.70 * std::clamp(std::min(k, 4.0 - k), 0.0, 1.0);
  };
  return {channel(5.0), channel(3.0), channel(1.0)};
}

geometry::Points upright(const geometry::Points& points, const datasets::DatasetInfo& data) {
  if (!data.y_up) return points;
  geometry::Points turned(points.rows(), 3);
  turned << -points.col(2), -points.col(0), points.col(1);
  return turned;
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

/// Draws clouds in rows of `columns`, each seen slightly from above; throws std::runtime_error
/// where the file cannot be written.
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

constexpr std::size_t kShown = 20;
constexpr int kColumns = 5;
constexpr int kPairsOfColumns = 4;    // where truth and answer stand side by side
constexpr std::size_t kPerClass = 2;  // so that one hard class does not fill the picture
constexpr double kRightShare = 0.9;   // a segmented cloud counts as right from this share of points

// What was found, from leaf order to the cloud's own.
std::vector<std::int32_t> labels_of_points(const at::Tensor& predicted, const Batch& batch,
                                           std::int64_t cloud) {
  const auto leaves = static_cast<std::size_t>(predicted.numel());
  const std::int32_t* points = batch.leaf_points.data() + static_cast<std::size_t>(cloud) * leaves;
  std::vector<std::int32_t> labels(
      static_cast<std::size_t>(*std::max_element(points, points + leaves)) + 1, -1);
  const auto found = predicted.contiguous();
  const auto* label = found.const_data_ptr<std::int64_t>();
  for (std::size_t leaf = 0; leaf < leaves; ++leaf)
    labels[static_cast<std::size_t>(points[leaf])] = static_cast<std::int32_t>(label[leaf]);
  return labels;
}

}  // namespace

CasePictures::CasePictures(std::filesystem::path folder, const datasets::Dataset& data)
    : folder_(std::move(folder)), data_(data) {
  std::filesystem::create_directories(folder_);
}

void CasePictures::add(const Evaluator& evaluator, const Batch& batch, const at::Tensor& logits) {
  const auto predicted = predict(logits, evaluator.allowed(batch));
  const auto sureness = logits.softmax(-1).amax(-1);
  for (std::int64_t b = 0; b < batch.size(); ++b) {
    const auto index = batch.indices[static_cast<std::size_t>(b)];
    if (evaluator.segments()) {
      const double share =
          predicted[b].eq(batch.point_labels[b]).to(at::kDouble).mean().item<double>();
      const int category = batch.labels[b].item<int>();
      cases_.push_back({index, category, category, share, share >= kRightShare,
                        labels_of_points(predicted[b], batch, b)});
      continue;
    }
    const int truth = batch.labels[b].item<int>();
    const int said = predicted[b].item<int>();
    cases_.push_back({index, truth, said, sureness[b].item<double>(), truth == said});
  }
}

void CasePictures::draw(const Evaluator& evaluator, bool right) const {
  auto chosen = cases_;
  chosen.erase(
      std::remove_if(chosen.begin(), chosen.end(), [&](const Case& c) { return c.right != right; }),
      chosen.end());
  std::sort(chosen.begin(), chosen.end(), [&](const Case& a, const Case& b) {
    // Point labels: the best of the right and the worst of the wrong; classes: the surest of both.
    return evaluator.segments() && !right ? a.sureness < b.sureness : a.sureness > b.sureness;
  });
  std::vector<training::CloudPicture> pictures;
  std::map<int, std::size_t> shown;
  const auto name = [&](int c) {
    const auto& names = evaluator.data().classes;
    return c >= 0 && c < static_cast<int>(names.size()) ? names[c] : std::string();
  };
  for (const auto& item : chosen) {
    if (pictures.size() >= kShown * (evaluator.segments() ? 2 : 1)) break;
    if (++shown[item.truth] > kPerClass) continue;
    auto example = data_.at(static_cast<std::size_t>(item.index));
    char share[16];
    std::snprintf(share, sizeof share, " %.0f %%", 100.0 * item.sureness);
    const auto said = evaluator.segments() || right
                          ? name(item.truth)
                          : name(item.truth) + " as " + name(item.predicted);
    const auto points = upright(example.points, evaluator.data());
    if (!evaluator.segments()) {
      pictures.push_back({points, {}, said + share, right});
      continue;
    }
    auto found = item.found;
    found.resize(static_cast<std::size_t>(points.rows()), -1);
    pictures.push_back({points, example.point_labels, said + ": truth", true});
    pictures.push_back({points, std::move(found), "found" + std::string(share), right});
  }
  draw_cloud_grid(pictures, evaluator.segments() ? 2 * kPairsOfColumns : kColumns,
                  folder_ / (right ? "right.png" : "wrong.png"));
}

void CasePictures::draw(const Evaluator& evaluator) const {
  draw(evaluator, true);
  draw(evaluator, false);
}

}  // namespace pointtree::training
