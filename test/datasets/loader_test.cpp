// SPDX-License-Identifier: Apache-2.0
#include "datasets/loader.hpp"

#include <gmock/gmock.h>

#include <map>
#include <set>
#include <thread>

#include "geometry/seed.hpp"
#include "noise_dataset.hpp"

namespace pointtree::datasets {
namespace {

std::vector<Batch> run(std::size_t clouds, const LoaderConfig& config) {
  Loader loader(std::make_shared<Noise>(clouds), config);
  std::vector<Batch> batches;
  while (auto batch = loader.next()) batches.push_back(std::move(*batch));
  return batches;
}

void expect_same(const Batch& a, const Batch& b) {
  EXPECT_EQ(a.epoch, b.epoch);
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.features, b.features);
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.leaf_labels, b.leaf_labels);
  EXPECT_EQ(a.leaf_points, b.leaf_points);
  EXPECT_EQ(a.indices, b.indices);
}

TEST(Loader, batches_do_not_depend_on_the_number_of_threads) {
  LoaderConfig config = small_config();
  config.threads = 0;
  const auto expected = run(30, config);
  ASSERT_EQ(expected.size(), 21U);
  for (const int threads : {1, 2, 5}) {
    SCOPED_TRACE(threads);
    config.threads = threads;
    config.prefetch = static_cast<std::size_t>(threads) + 1;
    const auto batches = run(30, config);
    ASSERT_EQ(batches.size(), expected.size());
    for (std::size_t i = 0; i < batches.size(); ++i) expect_same(batches[i], expected[i]);
  }
}

TEST(Loader, a_resumed_loader_continues_exactly) {
  LoaderConfig config = small_config();
  const auto expected = run(30, config);
  config.first_epoch = 1;
  config.first_step = 3;
  const auto rest = run(30, config);
  ASSERT_EQ(rest.size(), 11U);
  for (std::size_t i = 0; i < rest.size(); ++i) expect_same(rest[i], expected[10 + i]);
}

TEST(Loader, processes_share_the_batch_of_a_single_one) {
  LoaderConfig config = small_config();
  const auto whole = run(30, config);
  config.batch_size = 2;
  config.world_size = 2;
  const auto first = run(30, config);
  config.rank = 1;
  const auto second = run(30, config);
  ASSERT_EQ(first.size(), whole.size());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    auto joined = first[i].features;
    joined.insert(joined.end(), second[i].features.begin(), second[i].features.end());
    EXPECT_EQ(joined, whole[i].features) << i;
  }
}

TEST(Loader, an_epoch_holds_every_cloud_once_in_an_order_of_its_own) {
  LoaderConfig config = small_config();
  config.drop_last = false;
  std::map<std::size_t, std::vector<std::size_t>> order;
  for (const Batch& batch : run(30, config)) {
    order[batch.epoch].insert(order[batch.epoch].end(), batch.indices.begin(), batch.indices.end());
  }
  ASSERT_EQ(order.size(), 3U);
  for (const auto& [epoch, indices] : order) {
    EXPECT_EQ(indices.size(), 30U);
    EXPECT_EQ(std::set<std::size_t>(indices.begin(), indices.end()).size(), 30U) << epoch;
  }
  EXPECT_NE(order[0], order[1]);
}

TEST(Loader, leaves_lead_back_to_points_and_labels) {
  LoaderConfig config = small_config();
  config.preparation.augmentation = {};
  config.preparation.preprocessor.pre_align = geometry::PreAlignMode::none;
  config.epochs = 1;
  const Noise dataset(30);
  for (const Batch& batch : run(30, config)) {
    ASSERT_EQ(batch.channels, 4U);
    for (std::size_t cloud = 0; cloud < batch.size; ++cloud) {
      const Example example = dataset.at(batch.indices[cloud]);
      EXPECT_EQ(batch.labels[cloud], example.label);
      for (std::size_t leaf = 0; leaf < batch.leaves; ++leaf) {
        const std::size_t at = cloud * batch.leaves + leaf;
        const auto point = static_cast<std::size_t>(batch.leaf_points[at]);
        EXPECT_EQ(batch.leaf_labels[at], example.point_labels[point]);
        EXPECT_EQ(batch.features[at * 4 + 3], example.extra(static_cast<Eigen::Index>(point), 0));
      }
    }
  }
}

TEST(Loader, fixed_copies_return_in_every_epoch_and_differ_from_each_other) {
  LoaderConfig config = small_config();
  config.shuffle = false;
  config.fresh = false;
  config.repeat = 2;
  config.batch_size = 2;
  config.epochs = 2;
  const auto batches = run(3, config);
  ASSERT_EQ(batches.size(), 6U);
  EXPECT_EQ(batches[0].features, batches[3].features);
  EXPECT_EQ(batches[0].indices, (std::vector<std::size_t>{0, 0}));
  const auto half = static_cast<std::ptrdiff_t>(batches[0].features.size() / 2);
  EXPECT_FALSE(std::equal(batches[0].features.begin(), batches[0].features.begin() + half,
                          batches[0].features.begin() + half));
  config.fresh = true;
  const auto fresh = run(3, config);
  EXPECT_NE(fresh[0].features, fresh[3].features);
}

TEST(Loader, balancing_repeats_rare_classes) {
  LoaderConfig config = small_config();
  config.balance = true;
  config.drop_last = false;
  config.epochs = 1;
  std::map<std::int32_t, int> counts;
  for (const Batch& batch : run(40, config)) {
    for (const std::int32_t label : batch.labels) ++counts[label];
  }
  EXPECT_EQ(counts[0], 30);
  EXPECT_EQ(counts[1], 30);
}

TEST(Loader, limit_takes_a_fixed_choice) {
  LoaderConfig config = small_config();
  config.limit = 8;
  config.epochs = 2;
  const auto batches = run(30, config);
  ASSERT_EQ(batches.size(), 4U);
  std::set<std::size_t> seen;
  for (const Batch& batch : batches) seen.insert(batch.indices.begin(), batch.indices.end());
  EXPECT_EQ(seen.size(), 8U);
}

TEST(Loader, an_error_of_a_worker_reaches_the_consumer_at_its_batch) {
  auto dataset = std::make_shared<Noise>(12);
  dataset->broken = 6;
  LoaderConfig config = small_config();
  config.shuffle = false;
  config.threads = 2;
  Loader loader(dataset, config);
  EXPECT_TRUE(loader.next().has_value());
  try {
    loader.next();
    FAIL() << "expected an error";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "cloud 6 is broken");
  }
  EXPECT_EQ(loader.next()->indices.front(), 8U);
}

TEST(Loader, waiting_is_measured) {
  LoaderConfig config = small_config();
  config.threads = 0;
  Loader made_on_demand(std::make_shared<Noise>(30), config);
  for (int i = 0; i < 5; ++i) made_on_demand.next();
  EXPECT_GT(made_on_demand.timing().waiting_share(), 0.5);

  config.threads = 1;
  Loader ahead(std::make_shared<Noise>(30), config);
  ahead.next();
  for (int i = 0; i < 5; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ahead.next();
  }
  EXPECT_LT(ahead.timing().waiting_share(), 0.5);
}

TEST(Loader, unread_batches_do_not_hinder_its_end) {
  LoaderConfig config = small_config();
  config.threads = 3;
  config.epochs = 0;
  for (int i = 0; i < 20; ++i) {
    Loader loader(std::make_shared<Noise>(30), config);
    if (i % 2 == 0) loader.next();
  }
}

TEST(Loader, nonsense_is_refused_by_name) {
  const auto message = [](const LoaderConfig& config) -> std::string {
    try {
      const Loader loader(std::make_shared<Noise>(30), config);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  LoaderConfig config = small_config();
  config.batch_size = 31;
  EXPECT_THAT(message(config), ::testing::HasSubstr("30 clouds, one step needs 31"));
  config = small_config();
  config.rank = 1;
  EXPECT_THAT(message(config), ::testing::HasSubstr("rank"));
  config = small_config();
  config.preparation.depth = 50;
  EXPECT_THAT(message(config), ::testing::HasSubstr("depth"));
  config = small_config();
  config.first_step = 7;
  EXPECT_THAT(message(config), ::testing::HasSubstr("first_step"));
}

}  // namespace
}  // namespace pointtree::datasets
