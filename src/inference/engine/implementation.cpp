// SPDX-License-Identifier: Apache-2.0
#include "implementation.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <stdexcept>

#include "answers.hpp"
#include "cloud_batch.hpp"
#include "executor.hpp"
#include "warm_up.hpp"

namespace pointtree::inference {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

using Pass = std::vector<const CloudInput*>;

// A pass of a segmenter keeps every level of its clouds, some kilobytes a row: more rows than these
// compute nothing faster and only touch more memory.
constexpr std::size_t kRowsOfSegmentation = std::size_t{1} << 15;

std::size_t clouds_per_pass(const EngineInfo& info, int max_batch) {
  const auto wanted = static_cast<std::size_t>(max_batch);
  if (!info.segments) return wanted;
  const auto rows = static_cast<std::size_t>(info.points);
  return std::min(wanted, std::max<std::size_t>(1, kRowsOfSegmentation / rows));
}

// Clouds of the same number of rows together, at most `max_batch` at a time.
std::vector<Pass> equal_passes(const std::vector<CloudInput>& clouds, std::size_t max_batch) {
  Pass sorted;
  for (const CloudInput& cloud : clouds) sorted.push_back(&cloud);
  std::stable_sort(sorted.begin(), sorted.end(), [](const CloudInput* a, const CloudInput* b) {
    return a->points.rows() > b->points.rows();
  });
  std::vector<Pass> passes;
  for (const CloudInput* cloud : sorted) {
    const bool joins = !passes.empty() && passes.back().size() < max_batch &&
                       passes.back().front()->points.rows() == cloud->points.rows();
    if (!joins) passes.emplace_back();
    passes.back().push_back(cloud);
  }
  return passes;
}

}  // namespace

void Engine::Implementation::check_task(bool segments) const {
  if (info_.segments == segments) return;
  throw std::invalid_argument(
      info_.name + (segments ? " classifies; it cannot segment" : " segments; it cannot classify"));
}

namespace engine {

CpuImplementation::CpuImplementation(EngineInfo info, PackedNetwork network, int max_batch,
                                     int threads)
    : Implementation(std::move(info)),
      network_(std::move(network)),
      max_batch_(clouds_per_pass(this->info(), max_batch)),
      workspaces_(threads) {
  warm_up();
}

void CpuImplementation::warm_up() {
  const WarmUpCloud cloud(info());
  if (info().segments) {
    // A whole pass, so that the first scan finds its memory ready.
    segment(std::vector<CloudInput>(max_batch_, cloud.input()));
  } else {
    classify({cloud.input()});
  }
}

template <typename Answer, typename MakeAnswer>
Answers<Answer> CpuImplementation::run(const std::vector<CloudInput>& clouds,
                                       std::size_t logits_per_cloud,
                                       const MakeAnswer& make_answer) {
  check_clouds(clouds, info());
  const auto passes = equal_passes(clouds, max_batch_);
  Answers<Answer> answers;
  std::vector<std::optional<Answer>> answered(clouds.size());
  const auto lease = workspaces_.lease();
  Workspace& workspace = *lease;
  Context context{workspace.pool, workspace.arena, kernels()};
  std::vector<std::optional<PosedCloud>> posed;
  for (const auto& pass : passes) {
    workspace.arena.reset();
    const auto start = Clock::now();
    const auto batch = prepare_batch(pass, info(), context, posed);
    answers.times.tree += milliseconds_since(start);
    const auto network_start = Clock::now();
    const float* logits = run_network(network_, batch, context);
    for (std::size_t i = 0; i < pass.size(); ++i) {
      answered[static_cast<std::size_t>(pass[i] - clouds.data())] =
          make_answer(logits + i * logits_per_cloud, std::move(*posed[i]));
    }
    answers.times.network += milliseconds_since(network_start);
  }
  answers.clouds.reserve(clouds.size());
  for (auto& answer : answered) answers.clouds.push_back(std::move(*answer));
  return answers;
}

Answers<Classification> CpuImplementation::classify(const std::vector<CloudInput>& clouds) {
  check_task(false);
  const std::size_t classes = info().classes.size();
  return run<Classification>(clouds, classes, [&](const float* logits, PosedCloud&&) {
    return classification_from(logits, classes);
  });
}

Answers<Segmentation> CpuImplementation::segment(const std::vector<CloudInput>& clouds) {
  check_task(true);
  const std::size_t classes = info().classes.size();
  const auto points = static_cast<std::size_t>(info().points);
  return run<Segmentation>(clouds, points * classes, [&](const float* logits, PosedCloud&& posed) {
    return segmentation_from(logits, classes, std::move(posed));
  });
}

}  // namespace engine
}  // namespace pointtree::inference
