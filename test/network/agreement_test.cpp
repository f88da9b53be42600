// SPDX-License-Identifier: Apache-2.0

// The engine beside the training form on real clouds and trained weights: every bundle of
// ModelNet40 classes in models/, or in the folder that POINTTREE_MODELS names.
#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <torch/utils.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "datasets/channel_selection.hpp"
#include "datasets/readers.hpp"
#include "geometry/write_features.hpp"
#include "network/network_weights.hpp"
#include "pointtree/geometry/cloud_size.hpp"
#include "pointtree/geometry/sampling.hpp"
#include "pointtree/inference/engine.hpp"

namespace pointtree::network {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSeed = 1;
constexpr std::size_t kBatch = 16;

// What one side makes of a cloud: its class and the log-likelihoods of all.
struct Answer {
  std::int64_t label;
  std::vector<float> log_likelihoods;
};

// The points of a cloud and, where the model asks for it, its size at each of them.
struct Cloud {
  geometry::Points points;
  datasets::Channels extra;
};

Cloud resampled(const datasets::Example& example, const inference::ModelConfig& config) {
  const auto rows = geometry::resample(example.points, config.points, kSeed);
  return {example.points(rows, Eigen::all),
          example.extra(rows, Eigen::seqN(0, config.extra_channels))};
}

// Posed and in leaf order, as the training form takes clouds: [1, N, channels].
torch::Tensor leaves_of(const Cloud& cloud, const inference::ModelConfig& config) {
  const auto posed = geometry::pre_align(cloud.points, config.pre_align);
  const auto order =
      geometry::build_tree(geometry::PointsView(posed.points), config.tree_options()).leaf_order();
  const geometry::Points leaves = posed.points(order, Eigen::all);
  auto rows = torch::empty({1, config.points, config.channels()});
  Eigen::Map<datasets::Channels> values(rows.data_ptr<float>(), config.points, config.channels());
  values.leftCols(3) = leaves;
  values.middleCols(3, config.extra_channels) = cloud.extra(order, Eigen::all);
  geometry::write_features(leaves, posed.linear, config.features,
                           values.data() + 3 + config.extra_channels, values.cols());
  return rows;
}

// The mean of the probabilities of all the bundle's networks.
std::vector<Answer> training_form_answers(const inference::Bundle& bundle,
                                          const std::vector<Cloud>& clouds) {
  const torch::NoGradGuard no_grad;
  std::vector<PointTreeNet> networks{load_network(bundle)};
  for (const auto& member : inference::ensemble_folders(bundle)) {
    networks.push_back(load_network(inference::Bundle(member)));
  }
  std::vector<Answer> answers;
  for (std::size_t first = 0; first < clouds.size(); first += kBatch) {
    torch::Tensor sum;
    for (PointTreeNet& network : networks) {
      std::vector<torch::Tensor> batch;
      for (std::size_t i = first; i < std::min(first + kBatch, clouds.size()); ++i) {
        batch.push_back(leaves_of(clouds[i], network->config()));
      }
      const auto own = torch::softmax(network->forward(torch::cat(batch)).logits, 1);
      sum = sum.defined() ? sum + own : own;
    }
    const torch::Tensor logs =
        (sum / static_cast<double>(networks.size())).clamp_min(1e-30).log().contiguous();
    const std::int64_t classes = logs.size(1);
    for (std::int64_t i = 0; i < logs.size(0); ++i) {
      const float* row = logs.data_ptr<float>() + i * classes;
      answers.push_back({std::max_element(row, row + classes) - row, {row, row + classes}});
    }
  }
  return answers;
}

std::vector<Answer> engine_answers(const fs::path& bundle, inference::Precision precision,
                                   const std::vector<Cloud>& clouds) {
  inference::EngineOptions options;
  options.precision = precision;
  options.threads = 1;
  options.max_batch = kBatch;
  const inference::Engine engine(bundle, options);
  std::vector<inference::CloudInput> inputs;
  for (const Cloud& cloud : clouds) {
    const auto width = cloud.extra.cols();
    inputs.push_back({cloud.points, inference::ChannelsView(cloud.extra.data(), cloud.extra.rows(),
                                                            width, Eigen::OuterStride<>(width))});
  }
  std::vector<Answer> answers;
  for (const inference::Classification& cloud : engine.classify(inputs).clouds) {
    answers.push_back({cloud.label, cloud.log_likelihoods});
  }
  return answers;
}

struct Agreement {
  double labels = 0.0;      // share of clouds that both sides call the same
  double difference = 0.0;  // largest of the log-likelihoods of classes above 1 %
};

Agreement compare(const std::vector<Answer>& expected, const std::vector<Answer>& found) {
  constexpr float kLikely = -4.6F;
  Agreement agreement;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i].label == found[i].label) agreement.labels += 1.0;
    for (std::size_t c = 0; c < expected[i].log_likelihoods.size(); ++c) {
      const float value = expected[i].log_likelihoods[c];
      if (value < kLikely) continue;
      agreement.difference = std::max(
          agreement.difference, std::abs(static_cast<double>(found[i].log_likelihoods[c] - value)));
    }
  }
  agreement.labels /= static_cast<double>(expected.size());
  return agreement;
}

std::vector<fs::path> bundles() {
  const char* chosen = std::getenv("POINTTREE_MODELS");
  const fs::path folder = chosen != nullptr ? fs::path(chosen) : fs::path(POINTTREE_MODELS_FOLDER);
  std::vector<fs::path> found;
  if (!fs::is_directory(folder)) return found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!fs::exists(entry.path() / "model.yaml")) continue;
    const inference::Bundle bundle(entry.path());
    const inference::Manifest& manifest = bundle.manifest();
    const bool known = manifest.channels.empty() ||
                       manifest.channels == std::vector<std::string>{geometry::kSizeChannel};
    if (manifest.model.task == inference::Task::classification && known) {
      found.push_back(entry.path());
    }
  }
  return found;
}

TEST(EngineAgreement, calls_modelnet40_as_the_training_form_does) {
  const char* root = std::getenv("POINTTREE_DATA");
  if (root == nullptr) GTEST_SKIP() << "POINTTREE_DATA is not set";
  at::set_num_threads(1);
  const auto dataset = datasets::with_size(
      datasets::open_modelnet_hdf5(fs::path(root) / "modelnet40", "test_public"));
  const auto models = bundles();
  if (models.empty()) GTEST_SKIP() << "no trained bundle that classifies shapes";
  for (const fs::path& model : models) {
    SCOPED_TRACE(model.filename());
    const inference::Bundle bundle(model);
    std::vector<Cloud> clouds;
    for (std::size_t i = 0; i < dataset->size(); ++i) {
      clouds.push_back(resampled(dataset->at(i), bundle.manifest().model));
    }
    const auto expected = training_form_answers(bundle, clouds);
    const auto check = [&](inference::Precision precision, double labels, double difference) {
      const Agreement agreement = compare(expected, engine_answers(model, precision, clouds));
      RecordProperty(std::string(to_string(precision)) + "_labels",
                     std::to_string(agreement.labels));
      std::printf("%s %s: %.2f %% of %zu labels, log-likelihoods within %.2g\n",
                  model.filename().c_str(), std::string(to_string(precision)).c_str(),
                  100.0 * agreement.labels, clouds.size(), agreement.difference);
      EXPECT_GE(agreement.labels, labels) << to_string(precision);
      EXPECT_LE(agreement.difference, difference) << to_string(precision);
    };
    check(inference::Precision::float32, 0.999, 1e-4);
    check(inference::Precision::bfloat16, 0.99, 0.1);
    check(inference::Precision::int8, 0.99, 0.3);
  }
}

}  // namespace
}  // namespace pointtree::network
