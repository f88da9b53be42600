// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "pointtree/datasets/dataset.hpp"
#include "pointtree/io/cloud_file.hpp"
#include "temporary_folder.hpp"

namespace pointtree::datasets {
namespace {

using test::error_of;
using test::TemporaryFolder;
using ::testing::HasSubstr;

constexpr const char* kTetrahedron =
    "OFF4 4 0\n0 0 0\n2 0 0\n0 2 0\n0 0 2\n3 0 1 2\n3 0 1 3\n3 0 2 3\n3 1 2 3\n";

TEST(ModelNetOff, samples_meshes_of_every_class_and_cuts_the_training_set) {
  const TemporaryFolder folder;
  for (int i = 0; i < 16; ++i) {
    folder.write("bed/train/bed_" + std::to_string(100 + i) + ".off", kTetrahedron);
    folder.write("night_stand/train/night_stand_" + std::to_string(100 + i) + ".off", kTetrahedron);
  }
  folder.write("bed/test/bed_0200.off", kTetrahedron);
  folder.write("README.txt", "not a class");
  const auto train = open_dataset(folder.path(), "modelnet40_off", "train");
  const auto validation = open_dataset(folder.path(), "modelnet40_off", "validation");
  EXPECT_EQ(train->size(), 28U);
  EXPECT_EQ(validation->size(), 4U);
  EXPECT_EQ(train->info().classes, (std::vector<std::string>{"bed", "night_stand"}));
  const Example example = train->at(27);
  EXPECT_EQ(example.label, 1);
  EXPECT_EQ(example.points.rows(), 2048);
  EXPECT_NEAR(example.points.rowwise().norm().maxCoeff(), 1.0F, 1e-5F);
  EXPECT_EQ(example.points, train->at(27).points) << "the same at every call";
  EXPECT_NE(example.points, train->at(26).points);
  EXPECT_THAT(error_of([&] { open_dataset(folder.path(), "modelnet40_off", "dev"); }),
              HasSubstr("<class>/dev"));
}

TEST(ModelNetText, reads_points_with_normals) {
  const TemporaryFolder folder;
  folder.write("modelnet40_shape_names.txt", "bed\nnight_stand\n");
  folder.write("modelnet40_test.txt", "night_stand_0001\nbed_0002\n");
  folder.write("night_stand/night_stand_0001.txt", "1,0,0,0,0,1\n-1,0,0,0,1,0\n");
  folder.write("bed/bed_0002.txt", "1,0,0,0,0,1\n-1,0,0,0,1\n");
  const auto test = open_dataset(folder.path(), "auto", "test");
  EXPECT_EQ(test->label(0), 1);
  const Example example = test->at(0);
  EXPECT_EQ(example.points.row(1), Eigen::RowVector3f(-1, 0, 0));
  EXPECT_EQ(example.extra.row(1), Eigen::RowVector3f(0, 1, 0));
  EXPECT_THAT(error_of([&] { test->at(1); }),
              HasSubstr("bed_0002.txt:2: expected 6 numbers, found 5"));
  folder.write("modelnet40_dev.txt", "dragon_0001\n");
  EXPECT_THAT(error_of([&] { open_dataset(folder.path(), "auto", "dev"); }),
              HasSubstr("dragon_0001"));
}

TEST(ShapeNetPartText, reads_the_listed_shapes) {
  const TemporaryFolder folder;
  folder.write("synsetoffset2category.txt", "Airplane\t02691156\nMug\t03797390\n");
  folder.write("train_test_split/shuffled_val_file_list.json",
               "[\"shape_data/03797390/abc\", \"shape_data/02691156/def\"]");
  folder.write("03797390/abc.txt", "0 0 0 0 0 1 36.0\n1 1 1 0 0 1 37.000000\n");
  folder.write("02691156/def.txt", "0 0 0 0 0 1 50\n");
  const auto validation = open_dataset(folder.path(), "auto", "validation");
  EXPECT_EQ(validation->info().point_classes.size(), 50U);
  const Example mug = validation->at(0);
  EXPECT_EQ(validation->info().classes[static_cast<std::size_t>(mug.label)], "Mug");
  EXPECT_EQ(mug.point_labels, (std::vector<std::int32_t>{36, 37}));
  EXPECT_EQ(validation->info().parts_of_class[static_cast<std::size_t>(mug.label)],
            (std::vector<std::int32_t>{36, 37}));
  EXPECT_THAT(error_of([&] { validation->at(1); }), HasSubstr("outside of 0 to 49"));
  EXPECT_THAT(error_of([&] { open_dataset(folder.path(), "auto", "test"); }),
              HasSubstr("shuffled_test_file_list.json"));
}

TEST(LabelledFolder, reads_any_cloud_file_by_its_folder) {
  const TemporaryFolder folder;
  io::Cloud cloud;
  cloud.points.resize(3, 3);
  cloud.points << 0, 0, 0, 1, 2, 3, NAN, 0, 0;
  cloud.width = 3;
  for (const char* name : {"car", "tree"}) {
    std::filesystem::create_directories(folder / name);
    for (int i = 0; i < 10; ++i)
      io::write_cloud(folder / name / ("scan" + std::to_string(i) + ".pcd"), cloud);
  }
  folder.write("car/notes.md", "not a cloud");
  const auto all = open_dataset(folder.path(), "labelled_folder", "all");
  EXPECT_EQ(all->size(), 20U);
  EXPECT_EQ(all->label(19), 1);
  EXPECT_EQ(all->at(0).points.rows(), 2) << "points that are not finite are left out";
  EXPECT_EQ(open_dataset(folder.path(), "labelled_folder", "train")->size(), 14U);
  EXPECT_EQ(open_dataset(folder.path(), "labelled_folder", "test")->size(), 4U);
  EXPECT_THAT(error_of([&] { open_dataset(folder.path(), "labelled_folder", "dev"); }),
              HasSubstr("'dev'"));
}

TEST(LabelledClouds, reads_labels_of_points) {
  const TemporaryFolder folder;
  folder.write("classes.txt", "ground\ncar\n");
  std::filesystem::create_directories(folder / "train");
  io::Cloud cloud;
  cloud.points = geometry::Points::Random(4, 3);
  cloud.points(1, 0) = NAN;
  cloud.labels = {0, 1, 1, 0};
  cloud.width = 4;
  io::write_cloud(folder / "train" / "a.pcd", cloud);
  cloud.labels[3] = 7;
  io::write_cloud(folder / "train" / "b.pcd", cloud);
  cloud.labels.clear();
  io::write_cloud(folder / "train" / "c.pcd", cloud);
  const auto train = open_dataset(folder.path(), "auto", "train");
  EXPECT_EQ(train->at(0).point_labels, (std::vector<std::int32_t>{0, 1, 0}));
  EXPECT_EQ(train->at(0).label, kNoLabel);
  EXPECT_THAT(error_of([&] { train->at(1); }),
              HasSubstr("label 7 of point 3 is outside of 0 to 1"));
  EXPECT_THAT(error_of([&] { train->at(2); }), HasSubstr("no field label"));
}

TEST(OpenDataset, says_which_kinds_there_are) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_of([&] { open_dataset(folder.path(), "auto", "train"); }),
              HasSubstr("procedural_rooms"));
}

}  // namespace
}  // namespace pointtree::datasets
