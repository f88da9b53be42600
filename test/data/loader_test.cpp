#include "pointtree/data/loader.hpp"

#include <gmock/gmock.h>

#include <Eigen/QR>
#include <map>
#include <set>
#include <thread>

#include "pointtree/data/seed.hpp"
#include "pointtree/geometry/description.hpp"
#include "pointtree/geometry/proportions.hpp"
#include "pointtree/geometry/surroundings.hpp"

namespace pointtree::data {
namespace {

// Random clouds of two classes, three of the first to one of the second; points are labelled by the
// sign of z.
class Noise : public Dataset {
 public:
  explicit Noise(std::size_t size) : size_(size) { info_.classes = {"often", "rarely"}; }
  const DatasetInfo& info() const override { return info_; }
  std::size_t size() const override { return size_; }
  Example at(std::size_t index) const override {
    if (index == broken) throw std::runtime_error("cloud " + std::to_string(index) + " is broken");
    geometry::Random random(index);
    Example example;
    example.points.resize(40 + static_cast<Eigen::Index>(index), 3);
    for (Eigen::Index i = 0; i < example.points.size(); ++i) {
      example.points.data()[i] = static_cast<float>(random.normal());
    }
    for (Eigen::Index i = 0; i < example.points.rows(); ++i) {
      example.point_labels.push_back(example.points(i, 2) > 0.0F ? 1 : 0);
    }
    example.extra = example.points.rightCols<1>() * 10.0F;
    example.label = index % 4 == 3 ? 1 : 0;
    return example;
  }

  std::size_t broken = ~std::size_t{0};

 private:
  std::size_t size_;
  DatasetInfo info_;
};

LoaderConfig small_config() {
  LoaderConfig config;
  config.preparation.depth = 5;
  config.preparation.use_extra = true;
  config.preparation.augmentation.transformation = geometry::TransformationKind::affine;
  config.preparation.augmentation.signed_permutation = true;
  config.preparation.augmentation.observation.drop_out = 0.2;
  config.preparation.augmentation.observation.minimum_points = 8;
  config.batch_size = 4;
  config.seed = 17;
  config.epochs = 3;
  return config;
}

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
  config.preparation.pre_align.mode = geometry::PreAlignMode::none;
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

TEST(Preparation, surroundings_follow_the_coordinates_and_extra_channels) {
  const Example example = Noise(1).at(0);
  PreparationConfig config = small_config().preparation;
  const Channels without = prepare(example, config, 3).features;
  config.description.surroundings = true;
  const Channels with = prepare(example, config, 3).features;
  ASSERT_EQ(with.cols(), 4 + geometry::surroundings_channels(32));
  EXPECT_EQ(with.leftCols(4), without);
  Channels expected(32, with.cols() - 4);
  geometry::describe_surroundings(without.leftCols<3>(), expected.data(), expected.outerStride());
  EXPECT_EQ(with.rightCols(expected.cols()), expected);
}

TEST(Preparation, proportions_are_those_of_the_whole_way_to_the_coordinates) {
  const Example example = Noise(1).at(0);
  PreparationConfig config = small_config().preparation;
  config.pre_align.mode = geometry::PreAlignMode::canonical;
  config.description.subtrees = true;
  config.description.proportions = true;
  config.augmentation = {};
  config.augmentation.realign_probability = 1.0;
  config.augmentation.signed_permutation = true;
  config.augmentation.flip_probability = 0.5;
  config.augmentation.pose_linear = 0.2;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const PreparedCloud prepared = prepare(example, config, seed);
    // Without noise the coordinates are an affine map of the points, which is found again.
    Eigen::MatrixXd before(32, 4), after(32, 3);
    for (Eigen::Index leaf = 0; leaf < 32; ++leaf) {
      const auto point = prepared.leaf_points[static_cast<std::size_t>(leaf)];
      before.row(leaf) << example.points.row(point).cast<double>(), 1.0;
      after.row(leaf) = prepared.features.row(leaf).head<3>().cast<double>();
    }
    const Eigen::MatrixXd map = before.colPivHouseholderQr().solve(after);
    Eigen::Matrix<float, geometry::kProportionChannels, 1> expected;
    geometry::describe_proportions(map.topRows<3>(), expected.data());
    const auto found = prepared.features.row(geometry::proportions_row(32))
                           .segment<geometry::kProportionChannels>(4);
    EXPECT_LT((found.transpose() - expected).cwiseAbs().maxCoeff(), 1e-3F) << "seed " << seed;
  }
}

TEST(Augmentation, a_warp_is_quadratic_and_no_affine_map) {
  const geometry::Points points = Noise(1).at(0).points;
  geometry::Points warped = points;
  geometry::Random random(5);
  warp(warped, 0.1, random);
  const auto x = points.col(0).array(), y = points.col(1).array(), z = points.col(2).array();
  Eigen::MatrixXf terms(points.rows(), 10);
  terms << points, x * x, y * y, z * z, x * y, y * z, z * x, Eigen::ArrayXf::Ones(points.rows());
  const auto misfit = [&](const Eigen::MatrixXf& basis) {
    return (basis * basis.colPivHouseholderQr().solve(warped) - warped).norm();
  };
  Eigen::MatrixXf affine(points.rows(), 4);
  affine << points, Eigen::ArrayXf::Ones(points.rows());
  EXPECT_LT(misfit(terms), 1e-4F);
  EXPECT_GT(misfit(affine), 0.1F);
}

TEST(Preparation, a_warp_outlives_the_canonical_pose) {
  const Example example = Noise(1).at(0);
  PreparationConfig config = small_config().preparation;
  config.pre_align.mode = geometry::PreAlignMode::canonical;
  config.augmentation.signed_permutation = false;
  const Channels plain = prepare(example, config, 3).features;
  config.augmentation.warp = 0.1;
  const Channels warped = prepare(example, config, 3).features;
  EXPECT_GT((warped - plain).norm(), 0.05F * plain.norm());
  EXPECT_EQ(prepare(example, config, 3).features, warped);
  EXPECT_NE(prepare(example, config, 4).features, warped);
}

TEST(Preparation, a_warp_is_of_the_shape_whatever_map_comes_after_it) {
  const Example example = Noise(1).at(0);
  PreparationConfig config = small_config().preparation;
  config.pre_align.mode = geometry::PreAlignMode::none;
  config.augmentation = {};
  config.augmentation.warp = 0.1;
  const auto prepared = [&](geometry::TransformationKind kind) {
    config.augmentation.transformation = kind;
    const PreparedCloud cloud = prepare(example, config, 3);
    // Back in the order of the points, and with a column of ones.
    Eigen::MatrixXf points(example.points.rows(), 4);
    points.setZero();
    for (std::size_t leaf = 0; leaf < cloud.leaf_points.size(); ++leaf) {
      points.row(cloud.leaf_points[leaf]) << cloud.features.row(Eigen::Index(leaf)).head<3>(), 1.0F;
    }
    return points;
  };
  const Eigen::MatrixXf warped = prepared(geometry::TransformationKind::none);
  const Eigen::MatrixXf mapped = prepared(geometry::TransformationKind::affine);
  const Eigen::MatrixXf fit = warped * warped.colPivHouseholderQr().solve(mapped);
  EXPECT_LT((fit - mapped).norm(), 1e-4F * mapped.norm());
  EXPECT_GT((warped - mapped).norm(), 0.1F * mapped.norm());
}

TEST(Preparation, another_view_loses_points_of_the_same_transformed_cloud) {
  const Example example = Noise(1).at(0);
  PreparationConfig config = small_config().preparation;
  config.pre_align.mode = geometry::PreAlignMode::none;
  config.augmentation.signed_permutation = false;
  const auto distinct = [&](std::uint64_t view) {
    config.view = view;
    config.depth = 5;
    std::set<std::vector<float>> points;
    const Channels features = prepare(example, config, 3).features;
    for (Eigen::Index leaf = 0; leaf < features.rows(); ++leaf) {
      const Eigen::RowVector3f p = features.row(leaf).head<3>();
      points.insert({p[0], p[1], p[2]});
    }
    return points;
  };
  const auto whole = distinct(0);
  EXPECT_EQ(distinct(0), whole);
  std::size_t fewest = whole.size();
  for (std::uint64_t view = 1; view < 8; ++view) fewest = std::min(fewest, distinct(view).size());
  EXPECT_LT(fewest, whole.size());
  EXPECT_GE(fewest, whole.size() * 7 / 10 - 1);
  EXPECT_NE(distinct(1), distinct(2));
}

TEST(Preparation, a_lost_leaf_shows_its_sibling_and_the_tree_stays) {
  const Example example = Noise(1).at(0);
  PreparationConfig config = small_config().preparation;
  const PreparedCloud whole = prepare(example, config, 3);
  config.augmentation.leaf_dropout = 1.0;
  const PreparedCloud thinned = prepare(example, config, 3);
  EXPECT_EQ(thinned.leaf_points, whole.leaf_points);
  int lost_left = 0;
  for (Eigen::Index leaf = 0; leaf < 32; leaf += 2) {
    const Eigen::RowVector3f left = whole.features.row(leaf).head<3>();
    const Eigen::RowVector3f right = whole.features.row(leaf + 1).head<3>();
    const Eigen::RowVector3f kept = thinned.features.row(leaf).head<3>();
    EXPECT_EQ(kept, thinned.features.row(leaf + 1).head<3>());
    EXPECT_TRUE(kept == left || kept == right);
    lost_left += kept == right ? 1 : 0;
  }
  EXPECT_GT(lost_left, 0);
  EXPECT_LT(lost_left, 16);
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
  ahead.reset_timing();
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
}  // namespace pointtree::data
