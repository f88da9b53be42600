// SPDX-License-Identifier: Apache-2.0
#include "implementation.hpp"

#include <chrono>
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
      max_batch_(static_cast<std::size_t>(max_batch)),
      workspaces_(threads) {
  warm_up();
}

void CpuImplementation::warm_up() {
  const WarmUpCloud cloud(info());
  if (info().segments) {
    segment({cloud.input()});
  } else {
    classify({cloud.input()});
  }
}

template <typename Answer, typename MakeAnswer>
Answers<Answer> CpuImplementation::run(const std::vector<CloudInput>& clouds,
                                       std::size_t logits_per_cloud,
                                       const MakeAnswer& make_answer) {
  check_clouds(clouds, info());
  Answers<Answer> answers;
  answers.clouds.reserve(clouds.size());
  const auto lease = workspaces_.lease();
  Workspace& workspace = *lease;
  Context context{workspace.pool, workspace.arena, kernels()};
  std::vector<std::optional<PosedCloud>> posed;
  for (std::size_t first = 0; first < clouds.size(); first += max_batch_) {
    const std::size_t count = std::min(max_batch_, clouds.size() - first);
    workspace.arena.reset();
    const auto start = Clock::now();
    const auto batch = prepare_batch(clouds, first, count, info(), context, posed);
    answers.times.tree += milliseconds_since(start);
    const auto network_start = Clock::now();
    const float* logits = run_network(network_, batch, context);
    for (std::size_t i = 0; i < count; ++i) {
      answers.clouds.push_back(
          make_answer(logits + i * logits_per_cloud, std::move(*posed[first + i])));
    }
    answers.times.network += milliseconds_since(network_start);
  }
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
