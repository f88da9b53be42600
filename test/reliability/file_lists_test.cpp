// SPDX-License-Identifier: Apache-2.0

// Lists inside a data set name files: none may lead out of its folder, and any may vanish.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pointtree/datasets/dataset.hpp"
#include "pointtree/io/cloud_file.hpp"
#include "temporary_folder.hpp"

namespace pointtree::reliability {
namespace {

using datasets::open_dataset;
using test::error_of;
using test::TemporaryFolder;
using ::testing::HasSubstr;

TEST(FileList, does_not_lead_out_of_its_folder) {
  const TemporaryFolder folder;
  folder.write("outside.h5", "not for them");
  folder.write("set/shape_names.txt", "chair\n");
  for (const std::string& name : {std::string("../outside.h5"), (folder / "outside.h5").string()}) {
    folder.write("set/test_files.txt", name + "\n");
    EXPECT_THAT(error_of([&] { open_dataset(folder / "set", "modelnet40", "test"); }),
                HasSubstr("set/outside.h5: no such file"));
  }
}

TEST(FileList, of_text_clouds_does_not_lead_out_either) {
  const TemporaryFolder folder;
  folder.write("set/modelnet40_shape_names.txt", "..\n");
  folder.write("set/modelnet40_test.txt", ".._1\n");
  EXPECT_THAT(error_of([&] { open_dataset(folder / "set", "modelnet40_text", "test"); }),
              HasSubstr("below this folder"));
}

TEST(FileList, names_a_file_that_vanished_while_it_was_open) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "all" / "chair");
  io::Cloud cloud;
  cloud.points = geometry::Points::Random(4, 3);
  cloud.width = 4;
  for (const char* name : {"a.pcd", "b.pcd"}) write_cloud(folder / "all" / "chair" / name, cloud);
  const auto dataset = open_dataset(folder.path(), "labelled_folder", "all");
  ASSERT_EQ(2U, dataset->size());
  std::filesystem::remove(folder / "all" / "chair" / "a.pcd");
  EXPECT_THAT(error_of([&] { dataset->at(0); }), HasSubstr("chair/a.pcd"));
  EXPECT_EQ(4, dataset->at(1).points.rows());
}

}  // namespace
}  // namespace pointtree::reliability
