#include "pointtree/training/evaluation.hpp"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "case_pictures.hpp"
#include "committee.hpp"
#include "pointtree/datasets/channel_selection.hpp"
#include "pointtree/geometry/expected_angle_difference.hpp"
#include "pointtree/geometry/seed.hpp"
#include "pointtree/training/batch_source.hpp"
#include "pointtree/training/losses.hpp"

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

// One model's looks at all clouds.
struct Look {
  Member* member;
  std::unique_ptr<BatchSource> batches;
};

std::vector<Look> looks_of(std::vector<Member>& members,
                           const std::shared_ptr<const datasets::Dataset>& data,
                           const EvaluationRequest& request, std::uint64_t seed) {
  std::vector<Look> looks;
  for (Member& member : members) {
    auto options = options_for(member, request);
    options.seed = seed;
    for (int view = 0; view < member.views; ++view) {
      options.view = static_cast<std::uint64_t>(view);
      looks.push_back({&member, std::unique_ptr<BatchSource>(
                                    new BatchSource(evaluation_batches(data, options)))});
    }
  }
  return looks;
}

Scores run_draw(const std::vector<Look>& looks, std::size_t members, const Judge& judge, int votes,
                CasePictures* pictures) {
  Scores scores(judge);
  while (const auto batch = looks.front().batches->next()) {
    auto likelihoods = vote(*looks.front().member, *batch, votes);
    for (std::size_t i = 1; i < looks.size(); ++i) {
      likelihoods = likelihoods + vote(*looks[i].member, looks[i].batches->next().value(), votes);
    }
    const auto logits = (likelihoods / static_cast<double>(members)).clamp_min(1e-30).log();
    const auto loss = cross_entropy(logits, judge.targets(*batch), 0.0, judge.allowed(*batch));
    scores.add(judge, *batch, logits, loss.item<double>());
    if (pictures != nullptr) pictures->add(judge, *batch, logits);
  }
  return scores;
}

}  // namespace

Evaluation evaluate(const EvaluationRequest& request) {
  if (request.draws < 1) throw std::invalid_argument("draws: expected at least 1");
  if (request.votes != 1 && request.votes != 2 && request.votes != 4 && request.votes != 8) {
    throw std::invalid_argument("votes: expected 1, 2, 4 or 8, found " +
                                std::to_string(request.votes));
  }
  if (request.views < 0) throw std::invalid_argument("views: expected at least 0");
  const at::NoGradGuard no_grad;
  if (request.threads > 0) at::set_num_threads(request.threads);
  auto members = load_members(request);
  const Member& first = members.front();
  const std::shared_ptr<const datasets::Dataset> data = open_for(first.manifest, request);

  const Judge judge(first.config, with_classes_of(first.manifest, data->info()));
  Evaluation result{judge,
                    Scores(judge),
                    {},
                    {},
                    {},
                    0.0,
                    0,
                    0,
                    0.0,
                    joined(members, &inference::Manifest::name),
                    joined(members, &inference::Manifest::weights_sha256),
                    std::string(geometry::to_string(first.config.pre_align))};
  for (const Member& member : members) result.views += member.views;
  std::optional<CasePictures> pictures;
  if (!request.pictures.empty()) pictures.emplace(request.pictures, *data);
  const auto start = std::chrono::steady_clock::now();
  for (int draw = 0; draw < request.draws; ++draw) {
    const auto seed = geometry::mix_seed({request.seed, static_cast<std::uint64_t>(draw)});
    const auto scores = run_draw(looks_of(members, data, request, seed), members.size(), judge,
                                 request.votes, draw == 0 && pictures ? &*pictures : nullptr);
    result.accuracies.push_back(scores.confusion().overall_accuracy());
    result.class_accuracies.push_back(scores.confusion().mean_class_accuracy());
    result.primaries.push_back(scores.primary());
    result.pooled.merge(scores);
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.clouds = static_cast<std::int64_t>(
      request.limit > 0
          ? std::min<std::size_t>(data->size(), static_cast<std::size_t>(request.limit))
          : data->size());
  result.ead = mean_angle_difference(*data, request, first.config);
  if (pictures) pictures->draw(judge);
  return result;
}

}  // namespace pointtree::training
