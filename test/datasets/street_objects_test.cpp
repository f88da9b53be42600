// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cstring>

#include "datasets/cluster_finder.hpp"
#include "datasets/hdf5_file.hpp"
#include "datasets/readers.hpp"
#include "pointtree/geometry/random.hpp"
#include "temporary_folder.hpp"

namespace pointtree::datasets {
namespace {

using test::error_of;
using test::TemporaryFolder;
using ::testing::HasSubstr;

// Rows as Sydney's README describes them.
std::string sydney_rows(const std::vector<Eigen::Vector3f>& points) {
  std::string bytes;
  for (const Eigen::Vector3f& point : points) {
    std::string row(34, '\7');
    std::memcpy(row.data() + 10, point.data(), 12);
    bytes += row;
  }
  return bytes;
}

TEST(SydneyUrbanObjects, reads_rows_and_folds) {
  const TemporaryFolder folder;
  for (int fold = 0; fold < 4; ++fold) {
    const std::string name = fold == 2 ? "van.3.9.bin" : "car." + std::to_string(fold) + ".7.bin";
    folder.write("folds/fold" + std::to_string(fold) + ".txt", name + "\n");
    folder.write("objects/" + name, sydney_rows({{1.0F, 2.0F, static_cast<float>(fold)}}));
  }
  const auto held_out = open_dataset(folder.path(), "auto", "fold2");
  ASSERT_EQ(held_out->size(), 1U);
  EXPECT_EQ(held_out->info().classes[static_cast<std::size_t>(held_out->at(0).label)], "van");
  EXPECT_EQ(held_out->at(0).points, geometry::Points(Eigen::RowVector3f(1.0F, 2.0F, 2.0F)));
  EXPECT_EQ(held_out->at(0).metres, 1.0);
  EXPECT_EQ(held_out->at(0).extra(0, 0), 0.0F) << "the lowest point";
  EXPECT_EQ(open_dataset(folder.path(), "auto", "without_fold2")->size(), 3U);
  EXPECT_EQ(open_dataset(folder.path(), "auto", "all")->size(), 4U);
  EXPECT_THAT(error_of([&] { open_dataset(folder.path(), "auto", "train"); }),
              HasSubstr("'train', expected fold0 to fold3"));
  folder.write("objects/van.3.9.bin", "short");
  EXPECT_THAT(error_of([&] { held_out->at(0); }),
              HasSubstr("van.3.9.bin: expected rows of 34 bytes, found 5 bytes"));
  folder.write("folds/fold3.txt", "dragon.1.1.bin\n");
  EXPECT_THAT(error_of([&] { open_dataset(folder.path(), "auto", "fold0"); }),
              HasSubstr("dragon.1.1.bin"));
}

TEST(KittiClusters, are_in_metres) {
  const TemporaryFolder folder;
  folder.write("shape_names.txt", "cyclist\ncar\n");
  const std::vector<float> points(2 * 4 * 3, 0.25F);
  const std::vector<std::int32_t> labels = {0, 1};
  for (const char* name : {"train_set_1.h5", "train_set_2.h5", "val_set.h5"}) {
    Hdf5File file = Hdf5File::create(folder / name);
    file.write_floats("data", {2, 4, 3}, points.data());
    file.write_ints("label", {2}, labels.data());
  }
  const auto train = open_dataset(folder.path(), "auto", "train");
  EXPECT_EQ(train->info().kind, "kitti_clusters");
  ASSERT_EQ(train->size(), 4U);
  EXPECT_EQ(train->at(3).label, 1);
  EXPECT_EQ(train->at(3).metres, 1.0);
  EXPECT_EQ(open_dataset(folder.path(), "auto", "validation")->size(), 2U);
  EXPECT_THAT(error_of([&] { open_dataset(folder.path(), "auto", "test"); }),
              HasSubstr("'test', expected train or validation"));
}

TEST(StreetObjects, map_every_number_to_a_class) {
  const auto& classes = street_object_classes();
  const auto name = [&](std::uint32_t semantic) {
    return classes[static_cast<std::size_t>(street_object_class(semantic))];
  };
  EXPECT_EQ(name(10), "car");
  EXPECT_EQ(name(252), "car") << "moving";
  EXPECT_EQ(name(71), "trunk");
  EXPECT_EQ(name(40), "other");
  EXPECT_EQ(name(60'000), "other");
  EXPECT_EQ(classes[static_cast<std::size_t>(street_object_class("trash_bin"))], "bin");
}

// A level ground with two boxes on it, 1.7 m below the sensor.
struct BoxesOnGround {
  geometry::Points points;
  std::vector<std::int32_t> labels;

  BoxesOnGround() {
    geometry::Random random(1);
    std::vector<Eigen::RowVector3f> all;
    const auto uniform = [&](double low, double high) {
      return static_cast<float>(random.uniform(low, high));
    };
    for (int i = 0; i < 20'000; ++i) {
      all.emplace_back(uniform(-20, 20), uniform(-20, 20), -1.7F);
      labels.push_back(0);
    }
    for (const float x : {6.0F, -8.0F}) {
      for (int i = 0; i < 1000; ++i) {
        all.emplace_back(x + uniform(0, 2), 4.0F + uniform(0, 1), uniform(-1.5, -0.2));
        // The nearer is of one class; the other of two, neither with half of the points.
        labels.push_back(x > 0 ? 1 : i % 5 < 2 ? 1 : i % 5 < 4 ? 2 : 0);
      }
    }
    points.resize(static_cast<Eigen::Index>(all.size()), 3);
    for (std::size_t i = 0; i < all.size(); ++i) points.row(static_cast<Eigen::Index>(i)) = all[i];
  }
};

TEST(FindClusters, gives_clusters_the_class_of_the_majority) {
  const BoxesOnGround scene;
  const auto clusters = find_clusters(scene.points, scene.labels, {0.4, 4, 3});
  ASSERT_EQ(clusters.size(), 2U);
  EXPECT_EQ(clusters[0].label, 1) << "nearest first";
  EXPECT_EQ(clusters[1].label, 3) << "mixed";
  for (const Example& cluster : clusters) {
    EXPECT_EQ(cluster.metres, 1.0);
    ASSERT_EQ(cluster.points.rows(), cluster.extra.rows());
    EXPECT_NEAR(cluster.points.rows(), 1000, 100) << "each point once";
    const Eigen::VectorXf ground = cluster.points.col(2) - cluster.extra.col(0);
    EXPECT_NEAR(ground.mean(), -1.7F, 0.1F);
    // Single cells of the ground's grid hold few points or none.
    EXPECT_LT((ground.array() + 1.7F).abs().maxCoeff(), 0.35F);
  }
}

}  // namespace
}  // namespace pointtree::datasets
