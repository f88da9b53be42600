// SPDX-License-Identifier: Apache-2.0
#include "training/batch_source.hpp"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <vector>

#include "pointtree/inference/device.hpp"

namespace pointtree::training {

namespace {

// Validation draws are shared by all runs, so that their scores can be compared.
constexpr std::uint64_t kValidationSeed = 20221023;

datasets::PreparationConfig preparation(const inference::ModelConfig& model,
                                        const datasets::AugmentationConfig& augment) {
  datasets::PreparationConfig config;
  config.depth = model.depth();
  config.preprocessor = inference::preprocessor_config(model);
  config.use_extra = model.extra_channels > 0;
  config.augmentation = augment;
  return config;
}

at::Tensor as_int64(const std::vector<std::int32_t>& values, at::IntArrayRef shape) {
  auto tensor = at::empty(shape, at::kLong);
  std::copy(values.begin(), values.end(), tensor.mutable_data_ptr<std::int64_t>());
  return tensor;
}

bool has_repeats(const std::int32_t* points, std::size_t count) {
  std::vector<std::int32_t> sorted(points, points + count);
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
}

// Which leaf owns a point's feature: the first leaf that holds the point, so that owners stay below
// `leaves` however many points the cloud had before sampling.
at::Tensor owners(const datasets::Batch& batch) {
  const auto b = static_cast<std::int64_t>(batch.size);
  const auto n = static_cast<std::int64_t>(batch.leaves);
  auto tensor = at::empty({b, n}, at::kLong);
  auto* owner = tensor.mutable_data_ptr<std::int64_t>();
  std::vector<std::int32_t> scratch(batch.leaves);
  std::vector<std::int32_t> first(batch.leaves);
  for (std::int64_t cloud = 0; cloud < b; ++cloud) {
    inference::write_owners(batch.leaf_points.data() + cloud * n, batch.leaves, scratch.data(),
                            first.data());
    std::copy(first.begin(), first.end(), owner + cloud * n);
  }
  return tensor;
}

datasets::LoaderConfig training_loader(const TrainConfig& config, int rank, int size) {
  datasets::LoaderConfig loader;
  loader.preparation = preparation(config.model, config.augment);
  // Descriptions and lost leaves are made from the tree, so with them the tree is made here too.
  loader.preparation.preprocess = !config.model.features.empty() ||
                                  config.augment.leaf_dropout > 0.0 ||
                                  !preprocesses_on_device(config.run);
  loader.batch_size = static_cast<std::size_t>(config.run.batch / size);
  loader.seed = config.run.seed;
  loader.fresh = config.data.fresh;
  loader.balance = config.data.balance;
  loader.repeat = static_cast<std::size_t>(config.data.repeat);
  loader.limit = static_cast<std::size_t>(config.data.limit);
  loader.rank = static_cast<std::size_t>(rank);
  loader.world_size = static_cast<std::size_t>(size);
  loader.threads = config.data.workers;
  return loader;
}

}  // namespace

bool preprocesses_on_device(const RunConfig& config) {
  if (config.trees != "auto") return config.trees == "device";
  return config.device == "auto" ? inference::count_cuda_devices() > 0 : config.device != "cpu";
}

BatchSource::BatchSource(std::shared_ptr<const datasets::Dataset> data,
                         const datasets::LoaderConfig& config, bool point_labels)
    : loader_(std::move(data), config), point_labels_(point_labels) {}

std::optional<Batch> BatchSource::next() {
  const auto loaded = loader_.next();
  if (!loaded) return std::nullopt;
  const auto b = static_cast<std::int64_t>(loaded->size);
  const auto n = static_cast<std::int64_t>(loaded->leaves);
  Batch batch;
  batch.points = at::empty({b, n, static_cast<std::int64_t>(loaded->channels)}, at::kFloat);
  std::copy(loaded->features.begin(), loaded->features.end(),
            batch.points.mutable_data_ptr<float>());
  batch.labels = as_int64(loaded->labels, {b});
  batch.indices.assign(loaded->indices.begin(), loaded->indices.end());
  batch.augmentations = loaded->augmentations;
  if (!point_labels_) return batch;
  batch.point_labels = as_int64(loaded->leaf_labels, {b, n});
  batch.leaf_points = loaded->leaf_points;
  bool repeated = false;
  for (std::size_t cloud = 0; cloud < loaded->size && !repeated; ++cloud) {
    repeated = has_repeats(loaded->leaf_points.data() + cloud * loaded->leaves, loaded->leaves);
  }
  if (repeated) batch.owner = owners(*loaded);
  return batch;
}

std::int64_t training_steps_per_epoch(std::shared_ptr<const datasets::Dataset> data,
                                      const TrainConfig& config) {
  auto loader = training_loader(config, 0, 1);
  loader.shuffle = !data->in_random_order();
  loader.threads = 0;
  return static_cast<std::int64_t>(datasets::Loader(std::move(data), loader).steps_per_epoch());
}

BatchSource training_batches(std::shared_ptr<const datasets::Dataset> data,
                             const TrainConfig& config, std::int64_t first_step, int rank,
                             int size) {
  auto loader = training_loader(config, rank, size);
  loader.shuffle = !data->in_random_order();
  const auto steps = training_steps_per_epoch(data, config);
  loader.first_epoch = static_cast<std::size_t>(first_step / steps);
  loader.first_step = static_cast<std::size_t>(first_step % steps);
  return {std::move(data), loader, config.model.task == inference::Task::segmentation};
}

BatchSource evaluation_batches(std::shared_ptr<const datasets::Dataset> data,
                               const EvaluationOptions& options) {
  datasets::LoaderConfig loader;
  loader.preparation = preparation(options.model, options.augment);
  loader.batch_size = static_cast<std::size_t>(options.batch);
  loader.seed = options.seed;
  loader.shuffle = false;
  loader.drop_last = false;
  loader.fresh = false;
  loader.limit = static_cast<std::size_t>(options.limit);
  loader.epochs = 1;
  loader.rank = static_cast<std::size_t>(options.rank);
  loader.world_size = static_cast<std::size_t>(options.processes);
  loader.threads = options.workers;
  return {std::move(data), loader, options.model.task == inference::Task::segmentation};
}

EvaluationOptions validation_options(const TrainConfig& config) {
  EvaluationOptions options;
  options.model = config.model;
  // Validation sees what tests see: the sensor and the transformation, nothing done after the tree.
  options.augment = {};
  if (!config.run.validate_whole) options.augment.observation = config.augment.observation;
  options.augment.transformation = config.augment.transformation;
  options.augment.form = config.augment.form;
  options.seed = kValidationSeed;
  options.batch = config.run.batch;
  options.workers = config.data.workers;
  return options;
}

}  // namespace pointtree::training
