// SPDX-License-Identifier: Apache-2.0
#include "training/evaluation.hpp"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <stdexcept>

#include "case_pictures.hpp"
#include "datasets/channel_selection.hpp"
#include "ensemble.hpp"
#include "geometry/seed.hpp"
#include "io/stopwatch.hpp"
#include "pointtree/geometry/cloud_size.hpp"
#include "pointtree/geometry/expected_angle_difference.hpp"
#include "training/batch_source.hpp"
#include "training/losses.hpp"

namespace pointtree::training {

namespace {

// Clouds whose angle differences are measured; the mean settles long before.
constexpr std::size_t kAngleClouds = 256;

double mean_angle_difference(const datasets::Dataset& data, const EvaluationRequest& request,
                             const inference::ModelConfig& model) {
  const geometry::TransformationSampler sampler(request.transformation, request.form);
  const auto count = std::min(data.size(), kAngleClouds);
  double sum = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto index = i * data.size() / count;
    const auto cloud = data.at(index).points;
    geometry::Random random(geometry::mix_seed({request.seed, index}));
    const auto moved = sampler.draw(cloud, random).apply(cloud);
    sum += geometry::expected_angle_difference(geometry::pre_align(cloud, model.pre_align).points,
                                               geometry::pre_align(moved, model.pre_align).points);
  }
  return count > 0 ? sum / static_cast<double>(count) : 0.0;
}

// What the data's numbers mean to a model that knows further classes after those of the data.
datasets::DatasetInfo with_classes_of(const inference::Manifest& manifest,
                                      datasets::DatasetInfo info) {
  const bool begins =
      info.classes.size() < manifest.classes.size() &&
      std::equal(info.classes.begin(), info.classes.end(), manifest.classes.begin(),
                 [](const auto& name, const auto& known) { return name == known.name; });
  if (manifest.model.task == inference::Task::classification && begins) {
    info.classes.clear();
    for (const auto& known : manifest.classes) info.classes.push_back(known.name);
  }
  return info;
}

std::unique_ptr<datasets::Dataset> open_for(const inference::Manifest& manifest,
                                            const EvaluationRequest& request) {
  auto dataset = datasets::open_dataset(request.data, request.kind, request.split);
  const auto& channels = manifest.channels;
  return channels.empty() ? std::move(dataset)
                          : datasets::with_channels(std::move(dataset), channels);
}

EvaluationOptions options_for(const Member& member, const EvaluationRequest& request) {
  EvaluationOptions options;
  options.model = member.config;
  options.augment.transformation = request.transformation;
  options.augment.form = request.form;
  if (request.lidar) options.augment.observation = datasets::lidar_observation();
  options.batch = request.batch;
  options.workers = request.workers;
  options.limit = request.limit;
  return options;
}

// The same clouds for every member, each prepared as its network wants them.
std::vector<std::unique_ptr<BatchSource>> sources_of(
    const std::vector<Member>& members, const std::shared_ptr<const datasets::Dataset>& data,
    const EvaluationRequest& request, std::uint64_t seed) {
  std::vector<std::unique_ptr<BatchSource>> sources;
  for (const Member& member : members) {
    auto options = options_for(member, request);
    options.seed = seed;
    options.rank = request.rank;
    options.processes = request.processes;
    sources.push_back(
        std::unique_ptr<BatchSource>(new BatchSource(evaluation_batches(data, options))));
  }
  return sources;
}

// Tells how far the evaluation is, and whether it is to stop.
class Course {
 public:
  Course(const EvaluationWatch& watch, std::int64_t clouds) : watch_(watch), of_(clouds) {}

  bool stopped() {
    stopped_ = stopped_ || (watch_.stop && watch_.stop());
    return stopped_;
  }

  void add(std::int64_t clouds) {
    clouds_ += clouds;
    if (watch_.progress)
      watch_.progress(static_cast<double>(clouds_) / static_cast<double>(of_), clouds_, of_);
  }

  std::int64_t clouds() const { return clouds_; }

 private:
  const EvaluationWatch& watch_;
  std::int64_t of_;
  std::int64_t clouds_ = 0;
  bool stopped_ = false;
};

Scores run_draw(std::vector<Member>& members,
                const std::vector<std::unique_ptr<BatchSource>>& sources,
                const Evaluator& evaluator, CasePictures* pictures, Course& course) {
  Scores scores(evaluator);
  while (!course.stopped()) {
    auto first = sources.front()->next();
    if (!first) break;
    std::vector<Batch> batches;
    batches.push_back(std::move(*first));
    for (std::size_t i = 1; i < sources.size(); ++i) batches.push_back(sources[i]->next().value());
    const Batch& batch = batches.front();
    const auto clouds = batch.labels.size(0);
    if (clouds == 0) continue;  // the other processes take what is left of the data
    const auto logits = ensemble_logits(members, batches);
    const auto loss =
        cross_entropy(logits, evaluator.targets(batch), 0.0, evaluator.allowed(batch));
    scores.add(evaluator, batch, logits, loss.item<double>());
    if (pictures != nullptr) pictures->add(evaluator, batch, logits);
    course.add(clouds);
  }
  return scores;
}

std::string plan_of(const EvaluationRequest& request, std::size_t models, std::int64_t clouds) {
  const auto count = [](std::int64_t number, const std::string& name) {
    return std::to_string(number) + " " + name + (number == 1 ? "" : "s");
  };
  std::string text = count(static_cast<std::int64_t>(models), "model");
  text += " x " + std::to_string(request.draws) + (request.draws == 1 ? " pass" : " passes");
  return text + " x " + count(clouds, "cloud") + ", transformation " +
         std::string(geometry::to_string(request.transformation));
}

}  // namespace

Evaluation evaluate(const EvaluationRequest& request) {
  if (request.draws < 1) throw std::invalid_argument("draws: expected at least 1");
  const at::NoGradGuard no_grad;
  if (request.threads > 0) at::set_num_threads(request.threads);
  auto members = load_members(request);
  const Member& first = members.front();
  const std::shared_ptr<const datasets::Dataset> data = open_for(first.manifest, request);

  const Evaluator evaluator(first.config, with_classes_of(first.manifest, data->info()));
  Evaluation result{evaluator,
                    Scores(evaluator),
                    0.0,
                    0,
                    0.0,
                    joined(members, &inference::Manifest::name),
                    joined(members, &inference::Manifest::weights_sha256),
                    std::string(geometry::to_string(first.config.pre_align))};
  std::optional<CasePictures> pictures;
  if (!request.pictures.empty()) pictures.emplace(request.pictures, *data);
  const auto clouds = static_cast<std::int64_t>(
      request.limit > 0
          ? std::min<std::size_t>(data->size(), static_cast<std::size_t>(request.limit))
          : data->size());
  if (request.processes > 1 && evaluator.has_parts())
    throw std::invalid_argument("parts of shapes can't be evaluated by several processes");
  if (request.watch.plan) request.watch.plan(plan_of(request, members.size(), clouds));
  Course course(request.watch,
                std::max<std::int64_t>(1, request.draws * clouds / request.processes));
  const io::Stopwatch running;
  for (int draw = 0; draw < request.draws && !course.stopped(); ++draw) {
    const auto seed = geometry::mix_seed({request.seed, static_cast<std::uint64_t>(draw)});
    const auto scores = run_draw(members, sources_of(members, data, request, seed), evaluator,
                                 draw == 0 && pictures ? &*pictures : nullptr, course);
    result.confusions.push_back(scores.confusion());
    result.pooled.merge(scores);
  }
  result.seconds = running.seconds();
  result.interrupted = course.stopped();
  const auto passes =
      std::max<std::int64_t>(1, static_cast<std::int64_t>(result.confusions.size()));
  result.clouds = (course.clouds() + passes - 1) / passes;
  result.ead = mean_angle_difference(*data, request, first.config);
  if (pictures) pictures->draw(evaluator);
  return result;
}

}  // namespace pointtree::training
