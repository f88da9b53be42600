// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <set>

#include "datasets/hdf5_file.hpp"
#include "pointtree/datasets/dataset.hpp"
#include "pointtree/geometry/random.hpp"
#include "temporary_folder.hpp"

namespace pointtree::datasets {
namespace {

using test::error_of;
using test::TemporaryFolder;
using ::testing::HasSubstr;

TEST(ShapeNetPartHdf5, reads_both_names_of_the_parts) {
  const TemporaryFolder folder;
  const std::vector<float> points(2 * 4 * 3, 0.25F);
  const std::vector<std::int32_t> labels = {0, 11};
  const std::vector<std::int32_t> parts = {0, 1, 2, 3, 36, 37, 36, 37};
  for (const char* name : {"seg", "pid"}) {
    SCOPED_TRACE(name);
    {
      Hdf5File file = Hdf5File::create(folder / "val0.h5");
      file.write_floats("data", {2, 4, 3}, points.data());
      file.write_ints("label", {2, 1}, labels.data());
      file.write_ints(name, {2, 4}, parts.data());
    }
    const auto validation = open_dataset(folder.path(), "shapenet_part", "validation");
    ASSERT_EQ(validation->size(), 2U);
    EXPECT_EQ(validation->at(1).label, 11);
    EXPECT_EQ(validation->at(1).point_labels, (std::vector<std::int32_t>{36, 37, 36, 37}));
  }
  const std::vector<std::int32_t> beyond(8, 50);
  Hdf5File file = Hdf5File::create(folder / "test0.h5");
  file.write_floats("data", {2, 4, 3}, points.data());
  file.write_ints("label", {2, 1}, labels.data());
  file.write_ints("pid", {2, 4}, beyond.data());
  EXPECT_THAT(error_of([&] { open_dataset(folder.path(), "shapenet_part", "test"); }),
              HasSubstr("point label 50"));
}

TEST(ShapeNetPartHdf5, is_told_from_modelnet_in_the_same_layout_by_its_parts) {
  const TemporaryFolder folder;
  folder.write("shape_names.txt", "Airplane\nBag\n");
  const std::vector<float> points(2 * 4 * 3, 0.25F);
  const std::vector<std::int32_t> labels = {0, 1};
  const std::vector<std::int32_t> parts(8, 0);
  {
    Hdf5File file = Hdf5File::create(folder / "train0.h5");
    file.write_floats("data", {2, 4, 3}, points.data());
    file.write_ints("label", {2, 1}, labels.data());
  }
  EXPECT_EQ(detect_kind(folder.path()), "modelnet40");
  {
    Hdf5File file = Hdf5File::create(folder / "train0.h5");
    file.write_floats("data", {2, 4, 3}, points.data());
    file.write_ints("label", {2, 1}, labels.data());
    file.write_ints("pid", {2, 4}, parts.data());
  }
  EXPECT_EQ(detect_kind(folder.path()), "shapenet_part");
}

void write_blocks(const std::filesystem::path& path, std::size_t blocks, float first) {
  std::vector<float> values(blocks * 8 * 9);
  for (std::size_t i = 0; i < blocks; ++i) values[i * 8 * 9] = first + static_cast<float>(i);
  const std::vector<std::int32_t> labels(blocks * 8, 12);
  Hdf5File file = Hdf5File::create(path);
  file.write_floats("data", {blocks, 8, 9}, values.data());
  file.write_ints("label", {blocks, 8}, labels.data());
}

TEST(S3disHdf5, splits_go_by_room) {
  const TemporaryFolder folder;
  folder.write("all_files.txt",
               "indoor3d_sem_seg_hdf5_data/ply_data_all_0.h5\nindoor3d_sem_seg_hdf5_data/"
               "ply_data_all_1.h5\n");
  write_blocks(folder / "ply_data_all_0.h5", 30, 0.0F);
  write_blocks(folder / "ply_data_all_1.h5", 10, 30.0F);
  std::string rooms;
  for (int i = 0; i < 40; ++i) {
    rooms += i >= 35 ? "Area_5_hallway_1\n" : "Area_1_office_" + std::to_string(i / 2) + "\n";
  }
  folder.write("room_filelist.txt", rooms);
  const auto test = open_dataset(folder.path(), "auto", "test");
  ASSERT_EQ(test->size(), 5U);
  EXPECT_EQ(test->at(0).points(0, 0), 35.0F);
  EXPECT_EQ(test->at(0).extra.cols(), 3);
  EXPECT_EQ(test->at(0).point_labels, std::vector<std::int32_t>(8, 12));
  EXPECT_EQ(test->at(0).label, kNoLabel);
  const auto train = open_dataset(folder.path(), "auto", "train");
  const auto validation = open_dataset(folder.path(), "auto", "validation");
  EXPECT_EQ(train->size() + validation->size(), 35U);
  std::set<int> train_rooms;
  for (std::size_t i = 0; i < train->size(); ++i)
    train_rooms.insert(static_cast<int>(train->at(i).points(0, 0)) / 2);
  for (std::size_t i = 0; i < validation->size(); ++i) {
    EXPECT_EQ(train_rooms.count(static_cast<int>(validation->at(i).points(0, 0)) / 2), 0U);
  }
  EXPECT_THAT(error_of([&] { open_dataset(folder.path(), "auto", "Area_7"); }),
              HasSubstr("'Area_7'"));
  folder.write("room_filelist.txt", "Area_1_office_1\n");
  EXPECT_THAT(error_of([&] { open_dataset(folder.path(), "auto", "test"); }),
              HasSubstr("each of the 40 blocks, found 1"));
}

TEST(S3disRooms, area_6_alone_is_split_among_its_own_rooms) {
  const TemporaryFolder folder;
  std::string rows;
  for (int i = 0; i < 200; ++i)
    rows += std::to_string(0.004 * i) + " " + std::to_string(0.003 * (i % 50)) + " 0 0 0 0 1\n";
  for (const char* room : {"office_25", "office_37", "hallway_4", "copyRoom_1", "office_4",
                           "office_12", "hallway_5", "office_2"}) {
    folder.write("Area_6_" + std::string(room) + ".txt", rows);
  }
  EXPECT_EQ(open_dataset(folder.path(), "s3dis_rooms", "validation")->size(), 1U);
  EXPECT_EQ(open_dataset(folder.path(), "s3dis_rooms", "test_public")->size(), 3U);
  folder.write("Area_5_office_1.txt", rows);
  EXPECT_EQ(open_dataset(folder.path(), "s3dis_rooms", "test")->size(), 1U) << "as published";
}

TEST(S3disRooms, training_columns_are_random_and_repeatable) {
  const TemporaryFolder folder;
  std::string rows;
  geometry::Random random(1);
  for (int i = 0; i < 5000; ++i) {
    rows += std::to_string(random.uniform(0.0, 5.0)) + " " +
            std::to_string(random.uniform(0.0, 4.0)) + " " +
            std::to_string(random.uniform(0.0, 3.0)) + " 51 0 0 " + std::to_string(i % 13) + "\n";
  }
  folder.write("Area_6_office_30.txt", rows);
  const auto place = folder.path().string() + ",block=2,size=40";
  const auto blocks = open_dataset(place, "s3dis_rooms", "train");
  ASSERT_EQ(blocks->size(), 40U);
  std::set<Eigen::Index> counts;
  for (std::size_t i = 0; i < 40; ++i) {
    const Example block = blocks->at(i);
    EXPECT_EQ(block.points, blocks->at(i).points);
    EXPECT_GE(block.points.rows(), 100);
    EXPECT_LE(block.points.leftCols<2>().rowwise().norm().maxCoeff(), 1.1F * 1.08F * 1.4143F);
    const Eigen::VectorXf offset = block.extra.col(0) - block.points.col(2);
    EXPECT_LT(offset.maxCoeff() - offset.minCoeff(), 1e-4F) << "height above the floor";
    counts.insert(block.points.rows());
  }
  EXPECT_GT(counts.size(), 20U);
  EXPECT_THROW(blocks->at(40), std::out_of_range);
  EXPECT_THAT(
      error_of([&] { open_dataset(folder.path().string() + ",block=0", "s3dis_rooms", "train"); }),
      HasSubstr("a length in 0.1 to 100 m"));
}

TEST(S3disRooms, cuts_rooms_into_columns_of_one_metre) {
  const TemporaryFolder folder;
  std::string rows;
  geometry::Random random(1);
  for (int i = 0; i < 900; ++i) {
    const double x = random.uniform(-4.0, -2.0);
    const double y = random.uniform(7.0, 8.0);
    rows += std::to_string(x) + " " + std::to_string(y) + " " +
            std::to_string(random.uniform(1.0, 3.0)) + " 255 0 51 " + (x < -3.0 ? "1" : "2") + "\n";
  }
  rows += "-4.0 7.0 1.0 0 0 0 1\n-2.0 7.5 1.0 0 0 0 2\n";
  folder.write("Area_2_office_3.txt", rows);
  folder.write("Area_2_notes.md", "no room");
  const auto blocks = open_dataset(folder.path(), "s3dis_rooms", "Area_2");
  ASSERT_EQ(blocks->size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const Example block = blocks->at(i);
    EXPECT_EQ(block.points.rows(), 4096);
    EXPECT_LE(block.points.leftCols<2>().cwiseAbs().maxCoeff(), 0.5001F);
    EXPECT_GE(block.points.col(2).minCoeff(), 0.0F);
    EXPECT_LE(block.points.col(2).maxCoeff(), 2.0F);
    EXPECT_EQ(block.extra.col(0), block.points.col(2)) << "height above the floor";
    EXPECT_EQ(block.extra.col(3).maxCoeff(), 0.2F);
    const auto others = std::count(block.point_labels.begin(), block.point_labels.end(),
                                   2 - static_cast<std::int32_t>(i));
    EXPECT_LT(others, 40) << "the grid is even, not at whole metres";
  }
  folder.write("Area_3_office_1.txt", "0 0 0 0 0 0 13\n");
  EXPECT_THAT(error_of([&] { open_dataset(folder.path(), "s3dis_rooms", "Area_3"); }),
              HasSubstr("leave 0 to 12"));
  folder.write("Area_5_office_1.txt", "\n");
  EXPECT_THAT(error_of([&] { open_dataset(folder.path(), "s3dis_rooms", "Area_5"); }),
              HasSubstr("Area_5_office_1.txt: expected finite points"));
  folder.write("Area_4_office_1.npy", "not an array");
  EXPECT_THAT(error_of([&] { open_dataset(folder.path(), "s3dis_rooms", "Area_4"); }),
              HasSubstr("npy"));
}

}  // namespace
}  // namespace pointtree::datasets
