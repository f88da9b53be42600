#include "implementation.hpp"

#include <chrono>
#include <cmath>
#include <stdexcept>

#include "answers.hpp"
#include "cloud_batch.hpp"
#include "executor.hpp"

namespace pointtree::model {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Any cloud without ties will do: points on a stretched spiral.
geometry::Points warm_up_cloud(std::int32_t count) {
  geometry::Points points(count, 3);
  for (std::int32_t i = 0; i < count; ++i) {
    const float t = static_cast<float>(i) / static_cast<float>(count);
    points.row(i) << std::cos(20.0F * t), 0.7F * std::sin(20.0F * t) + 0.2F * t, 0.4F * t * t;
  }
  return points;
}

}  // namespace

Engine::Implementation::Implementation(EngineInfo info, engine::PackedNetwork network,
                                       int max_batch, int threads)
    : info_(std::move(info)),
      network_(std::move(network)),
      max_batch_(static_cast<std::size_t>(max_batch)),
      workspaces_(threads) {
  warm_up();
}

void Engine::Implementation::warm_up() {
  const geometry::Points points = warm_up_cloud(info_.points);
  const Eigen::MatrixXf zeros =
      Eigen::MatrixXf::Zero(static_cast<Eigen::Index>(info_.channels.size()), info_.points);
  CloudInput cloud{points};
  if (!info_.channels.empty()) {
    new (&cloud.channels)
        ChannelsView(zeros.data(), zeros.cols(), zeros.rows(), Eigen::OuterStride<>(zeros.rows()));
  }
  if (info_.segments) {
    segment({cloud});
  } else {
    classify({cloud});
  }
}

template <typename Answer, typename MakeAnswer>
Answers<Answer> Engine::Implementation::run(const std::vector<CloudInput>& clouds,
                                            std::size_t logits_per_cloud,
                                            const MakeAnswer& make_answer) {
  engine::check_clouds(clouds, info_);
  Answers<Answer> answers;
  answers.clouds.reserve(clouds.size());
  const auto lease = workspaces_.lease();
  engine::Workspace& workspace = *lease;
  engine::Context context{workspace.team, workspace.arena, engine::kernels()};
  std::vector<std::optional<engine::PosedCloud>> posed;
  for (std::size_t first = 0; first < clouds.size(); first += max_batch_) {
    const std::size_t count = std::min(max_batch_, clouds.size() - first);
    workspace.arena.reset();
    const auto start = Clock::now();
    const auto batch = engine::prepare_batch(clouds, first, count, info_, context, posed);
    answers.times.tree += milliseconds_since(start);
    const auto network_start = Clock::now();
    const float* logits = engine::run_network(network_, batch, context);
    for (std::size_t i = 0; i < count; ++i) {
      answers.clouds.push_back(
          make_answer(logits + i * logits_per_cloud, std::move(*posed[first + i])));
    }
    answers.times.network += milliseconds_since(network_start);
  }
  return answers;
}

Answers<Classification> Engine::Implementation::classify(const std::vector<CloudInput>& clouds) {
  if (info_.segments) throw std::invalid_argument(info_.name + " segments; it cannot classify");
  const std::size_t classes = info_.classes.size();
  return run<Classification>(clouds, classes, [&](const float* logits, engine::PosedCloud&&) {
    return engine::classification_from(logits, classes);
  });
}

Answers<Segmentation> Engine::Implementation::segment(const std::vector<CloudInput>& clouds) {
  if (!info_.segments) throw std::invalid_argument(info_.name + " classifies; it cannot segment");
  const std::size_t classes = info_.classes.size();
  const auto points = static_cast<std::size_t>(info_.points);
  return run<Segmentation>(clouds, points * classes,
                           [&](const float* logits, engine::PosedCloud&& posed) {
                             return engine::segmentation_from(logits, classes, std::move(posed));
                           });
}

}  // namespace pointtree::model
