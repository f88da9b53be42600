// SPDX-License-Identifier: Apache-2.0
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <future>
#include <random>
#include <string>

#include "geometry/write_features.hpp"
#include "inference/small_configs.hpp"
#include "network/network_weights.hpp"
#include "temporary_folder.hpp"
#include "trained_like.hpp"

namespace pointtree::network {
namespace {

using Channels = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Cloud {
  geometry::Points points;
  Channels channels;
  std::vector<std::int32_t> source;

  inference::CloudInput input() const {
    inference::CloudInput view{points};
    new (&view.channels) inference::ChannelsView(channels.data(), channels.rows(), channels.cols(),
                                                 Eigen::OuterStride<>(channels.cols()));
    view.source = source;
    return view;
  }
};

Cloud random_cloud(const inference::ModelConfig& config, std::mt19937& random, bool repeats) {
  std::normal_distribution<float> normal;
  const auto draw = [&] { return normal(random); };
  Cloud cloud{geometry::Points::NullaryExpr(config.points, 3, draw),
              Channels::NullaryExpr(config.points, config.extra_channels, draw),
              {}};
  if (repeats) {
    // The last quarter repeats the first; sources are any numbers.
    const int kept = config.points * 3 / 4;
    for (int i = 0; i < config.points; ++i) {
      cloud.source.push_back(1000 - i % kept);
      cloud.points.row(i) = cloud.points.row(i % kept).eval();
      cloud.channels.row(i) = cloud.channels.row(i % kept).eval();
    }
  }
  return cloud;
}

// What the training form answers: logits of the cloud, or of its points in input order.
torch::Tensor reference(PointTreeNet& network, const Cloud& cloud) {
  const inference::ModelConfig& config = network->config();
  const auto posed = geometry::pre_align(cloud.points, config.pre_align);
  const auto order =
      geometry::build_tree(geometry::PointsView(posed.points), config.tree_options()).leaf_order();
  std::vector<std::int64_t> owners;
  for (const std::int32_t row : order) {
    owners.push_back(cloud.source.empty() ? row : 1000 - cloud.source[std::size_t(row)]);
  }
  auto leaves = torch::empty({1, config.points, config.channels()});
  Eigen::Map<Channels> rows(leaves.data_ptr<float>(), config.points, config.channels());
  rows.leftCols(3) = posed.points(order, Eigen::all);
  rows.middleCols(3, config.extra_channels) = cloud.channels(order, Eigen::all);
  geometry::write_features(geometry::Points(rows.leftCols(3)), posed.linear, config.features,
                           rows.data() + 3 + config.extra_channels, rows.cols());
  const auto owner = torch::tensor(owners).unsqueeze(0);
  const torch::NoGradGuard no_grad;
  const auto logits =
      network->forward(leaves, cloud.source.empty() ? torch::Tensor() : owner).logits;
  if (config.task == inference::Task::classification) return torch::log_softmax(logits[0], 0);
  const auto leaf_order = torch::tensor(std::vector<std::int64_t>(order.begin(), order.end()));
  return torch::empty_like(logits[0]).index_copy_(0, leaf_order, torch::log_softmax(logits[0], 1));
}

void expect_same(const inference::Classification& answer, const torch::Tensor& expected,
                 double tolerance) {
  ASSERT_EQ(static_cast<std::int64_t>(answer.log_likelihoods.size()), expected.numel());
  for (std::int64_t c = 0; c < expected.numel(); ++c) {
    EXPECT_NEAR(answer.log_likelihoods[static_cast<std::size_t>(c)], expected[c].item<float>(),
                tolerance);
  }
  EXPECT_EQ(answer.log_likelihoods[static_cast<std::size_t>(answer.label)],
            *std::max_element(answer.log_likelihoods.begin(), answer.log_likelihoods.end()));
  EXPECT_NEAR(answer.probability, expected.max().exp().item<float>(), tolerance);
}

void expect_same(const inference::Segmentation& answer, const torch::Tensor& expected,
                 double tolerance) {
  ASSERT_EQ(static_cast<std::int64_t>(answer.labels.size()), expected.size(0));
  const auto entropies = -(expected.exp() * expected).sum(1);
  for (std::int64_t i = 0; i < expected.size(0); ++i) {
    const auto row = static_cast<std::size_t>(i);
    const float largest = expected[i].max().item<float>();
    // Labels may differ only between classes that are as good as equally likely.
    EXPECT_NEAR(expected[i][answer.labels[row]].item<float>(), largest, tolerance);
    EXPECT_NEAR(answer.probabilities[row], std::exp(largest), tolerance);
    EXPECT_NEAR(answer.entropies[row], entropies[i].item<float>(), tolerance);
  }
}

class EveryVariant : public testing::TestWithParam<std::string> {
 protected:
  void compare(inference::Precision precision, double tolerance, int threads) {
    const inference::ModelConfig config = inference::small_configs().at(GetParam());
    PointTreeNet network = trained_like(config, 11);
    inference::EngineOptions options;
    options.precision = precision;
    options.threads = threads;
    options.max_batch = 3;
    const inference::Engine engine = make_engine(network, options);
    std::mt19937 random(5);
    std::vector<Cloud> clouds;
    for (int i = 0; i < 5; ++i) clouds.push_back(random_cloud(config, random, i % 2 == 1));
    std::vector<inference::CloudInput> inputs;
    for (const Cloud& cloud : clouds) inputs.push_back(cloud.input());
    const auto check = [&](const auto& answers) {
      ASSERT_EQ(answers.clouds.size(), clouds.size());
      for (std::size_t i = 0; i < clouds.size(); ++i) {
        SCOPED_TRACE(testing::Message() << GetParam() << ", cloud " << i << ", seeds 11 and 5");
        expect_same(answers.clouds[i], reference(network, clouds[i]), tolerance);
      }
    };
    if (engine.info().segments) {
      check(engine.segment(inputs));
    } else {
      check(engine.classify(inputs));
    }
  }
};

TEST_P(EveryVariant, engine_answers_as_the_training_form_in_float32) {
  compare(inference::Precision::float32, 1e-5, 1);
}

TEST_P(EveryVariant, several_threads_give_the_same_answers) {
  compare(inference::Precision::float32, 1e-5, 3);
}

TEST_P(EveryVariant, engine_stays_near_the_training_form_in_bfloat16) {
  compare(inference::Precision::bfloat16, 0.05, 1);
}

TEST_P(EveryVariant, engine_stays_near_the_training_form_in_int8) {
  compare(inference::Precision::int8, 0.1, 1);
}

std::vector<std::string> variant_names() {
  std::vector<std::string> names;
  for (const auto& [name, config] : inference::small_configs()) names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Engine, EveryVariant, testing::ValuesIn(variant_names()),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           for (char& c : name) {
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           }
                           return name;
                         });

inference::ModelConfig medium_config() {
  inference::ModelConfig config;
  config.points = 512;
  config.width = 0.25;
  config.classes = 10;
  return config;
}

TEST(Engine, wider_networks_agree_in_every_precision) {
  PointTreeNet network = trained_like(medium_config(), 3);
  std::mt19937 random(9);
  const Cloud cloud = random_cloud(medium_config(), random, false);
  const torch::Tensor expected = reference(network, cloud);
  for (const auto& [precision, tolerance] : {std::pair(inference::Precision::float32, 1e-5),
                                             std::pair(inference::Precision::bfloat16, 0.02),
                                             std::pair(inference::Precision::int8, 0.05)}) {
    SCOPED_TRACE(testing::Message() << to_string(precision) << ", seeds 3 and 9");
    inference::EngineOptions options;
    options.precision = precision;
    const inference::Engine engine = make_engine(network, options);
    expect_same(engine.classify({cloud.input()}).clouds.front(), expected, tolerance);
  }
}

TEST(Engine, a_bundle_answers_as_the_network_it_was_saved_from) {
  const test::TemporaryFolder folder;
  PointTreeNet network = trained_like(inference::small_configs().at("intensity"), 6);
  inference::Manifest manifest;
  manifest.name = "small";
  manifest.channels = {"intensity"};
  save_network(network, folder.path(), manifest);
  const inference::Engine engine(folder.path());
  EXPECT_EQ(engine.info().name, "small");
  EXPECT_EQ(engine.info().channels, std::vector<std::string>{"intensity"});
  EXPECT_EQ(engine.info().classes.size(), 5U);
  EXPECT_EQ(engine.info().checksum.size(), 64U);
  std::mt19937 random(6);
  const Cloud cloud = random_cloud(network->config(), random, false);
  expect_same(engine.classify({cloud.input()}).clouds.front(), reference(network, cloud), 1e-5);
}

TEST(Engine, a_bundle_of_several_networks_answers_with_their_mean_probability) {
  const test::TemporaryFolder folder;
  const inference::ModelConfig config = inference::small_config();
  PointTreeNet first = trained_like(config, 1);
  PointTreeNet second = trained_like(config, 2);
  inference::Manifest manifest;
  manifest.name = "second";
  save_network(second, folder / "bundle/member", manifest);
  manifest.name = "first";
  manifest.ensemble = {"member"};
  save_network(first, folder / "bundle", manifest);
  const inference::Engine joint(folder / "bundle");
  std::mt19937 random(3);
  const Cloud cloud = random_cloud(config, random, false);
  const auto one = make_engine(first).classify({cloud.input()}).clouds.front();
  const auto two = make_engine(second).classify({cloud.input()}).clouds.front();
  const auto mean = joint.classify({cloud.input()}).clouds.front();
  for (std::size_t c = 0; c < mean.log_likelihoods.size(); ++c) {
    const double expected =
        (std::exp(one.log_likelihoods[c]) + std::exp(two.log_likelihoods[c])) / 2;
    EXPECT_NEAR(std::exp(mean.log_likelihoods[c]), expected, 1e-6);
  }
  EXPECT_EQ(joint.info().multiply_adds, 2 * make_engine(first).info().multiply_adds);

  inference::ModelConfig other = config;
  other.classes += 1;
  save_network(trained_like(other, 3), folder / "bundle/member", {});
  try {
    inference::Engine{folder / "bundle"};
    FAIL() << "classes differ";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("differ"), std::string::npos) << error.what();
  }
}

TEST(Engine, refuses_a_folder_that_is_no_bundle) {
  EXPECT_THROW(inference::Engine("/nowhere/at/all"), std::runtime_error);
}

TEST(Engine, concurrent_calls_do_not_disturb_each_other) {
  PointTreeNet network = trained_like(medium_config(), 3);
  const inference::Engine engine = make_engine(network, {});
  std::mt19937 random(4);
  std::vector<Cloud> clouds;
  std::vector<std::vector<float>> alone;
  for (int i = 0; i < 4; ++i) {
    clouds.push_back(random_cloud(medium_config(), random, false));
    alone.push_back(engine.classify({clouds.back().input()}).clouds.front().log_likelihoods);
  }
  std::vector<std::future<bool>> callers;
  for (std::size_t i = 0; i < clouds.size(); ++i) {
    callers.push_back(std::async(std::launch::async, [&, i] {
      bool same = true;
      for (int call = 0; call < 10; ++call) {
        const auto answers = engine.classify({clouds[i].input()});
        same = same && answers.clouds.front().log_likelihoods == alone[i];
      }
      return same;
    }));
  }
  for (auto& caller : callers) EXPECT_TRUE(caller.get());
}

TEST(Engine, unsampled_points_find_the_leaf_of_their_neighbour) {
  inference::ModelConfig config = inference::small_configs().at("segmentation");
  PointTreeNet network = trained_like(config, 2);
  const inference::Engine engine = make_engine(network, {});
  std::mt19937 random(8);
  const Cloud cloud = random_cloud(config, random, false);
  const auto answers = engine.segment({cloud.input()});
  const inference::Segmentation& answer = answers.clouds.front();
  for (int i = 0; i < config.points; ++i) {
    const Eigen::RowVector3d moved =
        cloud.points.row(i).cast<double>() * answer.pre_alignment.linear +
        answer.pre_alignment.translation;
    const auto leaf = static_cast<std::size_t>(answer.tree.locate(moved.transpose()));
    EXPECT_EQ(answer.tree.leaf_order()[leaf], i);
  }
}

Cloud repeated(const Cloud& cloud, int times) {
  Cloud whole{geometry::Points(times * cloud.points.rows(), 3),
              Channels(times * cloud.channels.rows(), cloud.channels.cols()),
              {}};
  for (Eigen::Index row = 0; row < whole.points.rows(); ++row) {
    whole.points.row(row) = cloud.points.row(row / times);
    whole.channels.row(row) = cloud.channels.row(row / times);
  }
  return whole;
}

TEST(Engine, a_cloud_of_few_points_is_answered_as_the_same_with_all_repeated) {
  inference::ModelConfig config = inference::small_configs().at("subtree shapes");
  config.points = 512;
  config.extra_channels = 1;
  PointTreeNet network = trained_like(config, 17);
  const inference::Engine engine = make_engine(network, {});
  std::mt19937 random(18);
  std::vector<Cloud> few;
  std::vector<Cloud> whole;
  for (const int times : {8, 1, 32, 2, 16, 1, 4}) {
    inference::ModelConfig fewer = config;
    fewer.points /= times;
    few.push_back(random_cloud(fewer, random, false));
    whole.push_back(repeated(few.back(), times));
  }
  std::vector<inference::CloudInput> inputs;
  for (const Cloud& cloud : few) inputs.push_back(cloud.input());
  const auto answers = engine.classify(inputs);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    SCOPED_TRACE(testing::Message() << few[i].points.rows() << " points");
    expect_same(answers.clouds[i], reference(network, whole[i]), 1e-5);
  }
}

TEST(Engine, fewer_points_are_refused_where_their_number_or_the_network_does_not_allow_them) {
  const auto message = [](const inference::ModelConfig& config, int points) {
    PointTreeNet network = trained_like(config, 1);
    std::mt19937 random(1);
    inference::ModelConfig fewer = config;
    fewer.points = points;
    try {
      make_engine(network, {}).classify({random_cloud(fewer, random, false).input()});
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const auto configs = inference::small_configs();
  EXPECT_EQ(message(configs.at("multi-scale features"), 32), "no error");
  for (const int points : {8, 24, 128}) {
    EXPECT_EQ(message(configs.at("multi-scale features"), points),
              "cloud 0: expected 64 points, found " + std::to_string(points));
  }
  EXPECT_EQ(message(configs.at("local PCA features"), 32), "cloud 0: expected 64 points, found 32");
}

TEST(Engine, refuses_clouds_that_do_not_fit_and_says_which) {
  const inference::ModelConfig config = inference::small_configs().at("intensity");
  PointTreeNet network = trained_like(config, 1);
  const inference::Engine engine = make_engine(network, {});
  std::mt19937 random(1);
  const Cloud good = random_cloud(config, random, false);
  const auto message = [&](const Cloud& bad) {
    try {
      engine.classify({good.input(), bad.input()});
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  Cloud few = good;
  few.points.conservativeResize(7, 3);
  EXPECT_EQ(message(few), "cloud 1: expected 16 points, found 7");
  Cloud bare = good;
  bare.channels.resize(16, 0);
  EXPECT_EQ(message(bare), "cloud 1: expected 1 extra channels, found 0");
  Cloud broken = good;
  broken.points(3, 1) = std::nanf("");
  EXPECT_EQ(message(broken), "cloud 1: coordinates should be finite");
  EXPECT_THROW(engine.segment({good.input()}), std::invalid_argument);
}

}  // namespace
}  // namespace pointtree::network
