// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <hdf5.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "datasets/hdf5_file.hpp"
#include "pointtree/datasets/dataset.hpp"
#include "temporary_folder.hpp"

namespace pointtree::datasets {
namespace {

using test::error_of;
using test::TemporaryFolder;
using ::testing::HasSubstr;

// Clouds whose first coordinate is their number, so that every cloud can be told from all others.
void write_clouds(const std::filesystem::path& path, int first,
                  const std::vector<std::int32_t>& labels, std::size_t columns = 3) {
  const std::size_t n = 4;
  std::vector<float> values(labels.size() * n * columns, 0.5F);
  for (std::size_t i = 0; i < labels.size(); ++i)
    values[i * n * columns] = static_cast<float>(first) + i;
  Hdf5File file = Hdf5File::create(path);
  file.write_floats("data", {labels.size(), n, columns}, values.data());
  file.write_ints("label", {labels.size(), 1}, labels.data());
}

std::set<int> numbers(const Dataset& dataset) {
  std::set<int> result;
  for (std::size_t i = 0; i < dataset.size(); ++i)
    result.insert(static_cast<int>(dataset.at(i).points(0, 0)));
  return result;
}

TEST(Hdf5File, refuses_an_array_that_claims_more_than_is_stored) {
  const TemporaryFolder folder;
  const auto path = folder / "endless.h5";
  const hsize_t claimed[] = {hsize_t{1} << 40, 1, 3};
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(3, claimed, nullptr);
  const hid_t array =
      H5Dcreate2(file, "data", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  ASSERT_GE(array, 0);
  H5Dclose(array);
  H5Sclose(space);
  H5Fclose(file);
  EXPECT_THAT(error_of([&] { Hdf5File::open(path).shape("data"); }),
              HasSubstr("claims more values than its bytes can hold"));
}

TEST(ModelNetHdf5, reads_clouds_and_labels_across_files) {
  const TemporaryFolder folder;
  folder.write("shape_names.txt", "chair\ntable\n");
  folder.write("test_files.txt", "some/other/place/b.h5\na.h5\n");
  write_clouds(folder / "a.h5", 10, {0, 1, 1});
  write_clouds(folder / "b.h5", 20, {1});
  const auto dataset = open_dataset(folder.path(), "auto", "test");
  ASSERT_EQ(dataset->size(), 4U);
  EXPECT_EQ(dataset->info().kind, "modelnet40");
  EXPECT_EQ(dataset->info().classes, (std::vector<std::string>{"chair", "table"}));
  EXPECT_EQ(dataset->at(0).points(0, 0), 20.0F);
  EXPECT_EQ(dataset->at(1).points(0, 0), 10.0F);
  EXPECT_EQ(dataset->at(1).points.rows(), 4);
  EXPECT_EQ(dataset->at(1).label, 0);
  EXPECT_EQ(dataset->label(3), 1);
  EXPECT_EQ(dataset->at(3).extra.cols(), 0);
  EXPECT_THROW(dataset->at(4), std::out_of_range);
}

TEST(ModelNetHdf5, train_is_divided_into_train_and_validation_class_by_class) {
  const TemporaryFolder folder;
  folder.write("shape_names.txt", "chair\ntable\n");
  std::vector<std::int32_t> labels(96, 0);
  std::fill(labels.begin(), labels.begin() + 16, 1);
  write_clouds(folder / "ply_data_train0.h5", 0, labels);
  write_clouds(folder / "ply_data_train10.h5", 200, {0});
  write_clouds(folder / "ply_data_train2.h5", 100, {1});
  const auto train = open_dataset(folder.path(), "modelnet40", "train");
  const auto validation = open_dataset(folder.path(), "modelnet40", "validation");
  const auto all = open_dataset(folder.path(), "modelnet40", "train_all");
  EXPECT_EQ(all->at(96).points(0, 0), 100.0F) << "files are ordered by number";
  EXPECT_EQ(validation->size(), 12U);
  std::size_t tables = 0;
  for (std::size_t i = 0; i < validation->size(); ++i) tables += validation->label(i) == 1 ? 1 : 0;
  EXPECT_EQ(tables, 2U);
  std::set<int> both = numbers(*train);
  for (const int number : numbers(*validation)) EXPECT_TRUE(both.insert(number).second) << number;
  EXPECT_EQ(both, numbers(*all));
}

TEST(ModelNetHdf5, stored_validation_files_are_used_as_they_are) {
  const TemporaryFolder folder;
  folder.write("shape_names.txt", "chair\n");
  write_clouds(folder / "ply_data_train0.h5", 0, std::vector<std::int32_t>(32, 0));
  write_clouds(folder / "ply_data_validation0.h5", 100, {0, 0});
  EXPECT_EQ(open_dataset(folder.path(), "modelnet40", "train")->size(), 32U);
  EXPECT_EQ(numbers(*open_dataset(folder.path(), "modelnet40", "validation")),
            (std::set<int>{100, 101}));
}

TEST(ModelNetHdf5, bad_files_are_refused_by_name_and_reason) {
  const TemporaryFolder folder;
  folder.write("shape_names.txt", "chair\ntable\n");
  const auto open = [&](const std::string& split) {
    return error_of([&] { open_dataset(folder.path(), "modelnet40", split); });
  };
  EXPECT_THAT(open("test"), HasSubstr("has no split 'test'"));
  EXPECT_THAT(error_of([&] { open_dataset(folder / "none", "modelnet40", "test"); }),
              HasSubstr("none"));
  EXPECT_THAT(error_of([&] { open_dataset(folder.path(), "modelnot", "test"); }),
              HasSubstr("modelnot"));

  write_clouds(folder / "ply_data_a0.h5", 0, {0, 2});
  EXPECT_THAT(open("a"), HasSubstr("label 2 of cloud 1 is outside of 0 to 1"));
  write_clouds(folder / "ply_data_b0.h5", 0, {0}, 2);
  EXPECT_THAT(open("b"),
              HasSubstr("array 'data' should be [clouds, points, 3 or more], found [1, 4, 2]"));
  const float values[6] = {};
  Hdf5File::create(folder / "ply_data_c0.h5").write_floats("data", {2, 3}, values);
  EXPECT_THAT(open("c"), HasSubstr("found [2, 3]"));
  Hdf5File::create(folder / "ply_data_d0.h5").write_floats("data", {1, 2, 3}, values);
  EXPECT_THAT(open("d"), HasSubstr("ply_data_d0.h5: has no array 'label'"));
  folder.write("ply_data_e0.h5", "this is no HDF5");
  EXPECT_THAT(open("e"), HasSubstr("not a readable HDF5 file"));
  const float bad[3] = {0.0F, NAN, 0.0F};
  const std::int32_t label = 0;
  {
    Hdf5File file = Hdf5File::create(folder / "ply_data_f0.h5");
    file.write_floats("data", {1, 1, 3}, bad);
    file.write_ints("label", {1}, &label);
  }
  EXPECT_THAT(open("f"), HasSubstr("cloud 0 has coordinates that are not finite"));
  folder.write("g_files.txt", "\n");
  EXPECT_THAT(open("g"), HasSubstr("at least one file"));
}

TEST(ModelNetHdf5, truncated_file_is_refused) {
  const TemporaryFolder folder;
  folder.write("shape_names.txt", "chair\n");
  write_clouds(folder / "ply_data_test0.h5", 0, std::vector<std::int32_t>(64, 0));
  const auto size = std::filesystem::file_size(folder / "ply_data_test0.h5");
  for (const auto kept : {size / 4, size / 2, size - 8}) {
    SCOPED_TRACE(kept);
    write_clouds(folder / "ply_data_test0.h5", 0, std::vector<std::int32_t>(64, 0));
    std::filesystem::resize_file(folder / "ply_data_test0.h5", kept);
    EXPECT_THAT(error_of([&] { open_dataset(folder.path(), "modelnet40", "test"); }),
                HasSubstr("ply_data_test0.h5"));
  }
}

TEST(ModelNetHdf5, the_real_release_has_the_known_counts) {
  const char* root = std::getenv("POINTTREE_DATA");
  if (root == nullptr) GTEST_SKIP() << "POINTTREE_DATA is not set";
  const std::filesystem::path dir = std::filesystem::path(root) / "modelnet40";
  const auto train = open_dataset(dir, "auto", "train");
  const auto validation = open_dataset(dir, "auto", "validation");
  EXPECT_EQ(train->size() + validation->size(), 9843U);
  EXPECT_NEAR(static_cast<double>(validation->size()), 1231.0, 20.0);
  EXPECT_EQ(train->info().classes.size(), 40U);
  const auto test = open_dataset(dir, "auto", "test_public");
  EXPECT_EQ(test->size(), 1234U);
  EXPECT_EQ(test->at(17).points.rows(), 1024);
  EXPECT_NEAR(test->at(17).points.rowwise().norm().maxCoeff(), 1.0F, 1e-3F);
}

}  // namespace
}  // namespace pointtree::datasets
