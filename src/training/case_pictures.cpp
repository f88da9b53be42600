// SPDX-License-Identifier: Apache-2.0
#include "case_pictures.hpp"

#include <ATen/TensorOperators.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "training/cloud_grid.hpp"
#include "training/losses.hpp"

namespace pointtree::training {

namespace {

constexpr std::size_t kShown = 20;
constexpr int kColumns = 5;
constexpr std::size_t kPerClass = 2;  // so that one hard class does not fill the picture
constexpr double kRightShare = 0.9;   // a segmented cloud counts as right from this share of points

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
      cases_.push_back({index, category, category, share, share >= kRightShare});
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
    if (pictures.size() == kShown) break;
    if (++shown[item.truth] > kPerClass) continue;
    auto example = data_.at(static_cast<std::size_t>(item.index));
    char share[16];
    std::snprintf(share, sizeof share, " %.0f %%", 100.0 * item.sureness);
    const auto said = evaluator.segments() || right
                          ? name(item.truth)
                          : name(item.truth) + " as " + name(item.predicted);
    pictures.push_back({example.points, example.point_labels, said + share, right});
  }
  training::draw_cloud_grid(pictures, kColumns, folder_ / (right ? "right.png" : "wrong.png"));
}

void CasePictures::draw(const Evaluator& evaluator) const {
  draw(evaluator, true);
  draw(evaluator, false);
}

}  // namespace pointtree::training
