// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "cloud_samples.hpp"
#include "io/cloud_formats.hpp"
#include "temporary_folder.hpp"

namespace pointtree::io {
namespace {

using test::read_error_of;
using ::testing::HasSubstr;

TEST(TextCloud, knows_the_usual_columns) {
  const Cloud plain = parse_text_cloud(bytes_of("# x y z\n1 2 3\n\n+4,5;6\r\n"));
  ASSERT_EQ(2, plain.points.rows());
  EXPECT_EQ(6.0F, plain.points(1, 2));
  const Cloud intensity = parse_text_cloud(bytes_of("1 2 3 0.5"));
  EXPECT_EQ(0.5F, intensity.intensity.at(0));
  const Cloud colour = parse_text_cloud(bytes_of("1 2 3 255 0 1"));
  EXPECT_EQ(0xFF0001U, colour.colours.at(0));
  const Cloud normals = parse_text_cloud(bytes_of("1 2 3 -1 0 0"));
  EXPECT_TRUE(normals.colours.empty());
  const Cloud scanner = parse_text_cloud(bytes_of("1\n1 2 3 -50 1 2 3"));
  EXPECT_EQ(-50.0F, scanner.intensity.at(0));
  EXPECT_EQ(0x010203U, scanner.colours.at(0));
}

TEST(TextCloud, names_the_line_that_is_wrong) {
  const auto error_of = [](const char* text) {
    return read_error_of([&] { parse_text_cloud(bytes_of(text)); });
  };
  EXPECT_THAT(error_of("1 2 3\n1 2\n"), HasSubstr("line 2"));
  EXPECT_THAT(error_of("1 2 3\n1 2 x\n"), HasSubstr("'x'"));
  EXPECT_THAT(error_of("1 2\n"), HasSubstr("3 numbers"));
}

TEST(Kitti, reads_whole_points_only) {
  EXPECT_EQ(2, parse_kitti(Bytes(32)).points.rows());
  EXPECT_THROW(parse_kitti(Bytes(33)), ReadError);
  const test::TemporaryFolder folder;
  const auto labels = read_kitti_labels(
      folder.write("a.label", std::string("\x28\x00\x07\x00\x01\x00\x00\x00", 8)));
  EXPECT_EQ((std::vector<std::int32_t>{40, 1}), labels);
  EXPECT_THROW(read_kitti_labels(folder.write("b.label", "abc")), ReadError);
}

TEST(Kitti, reads_real_scans) {
  const char* root = std::getenv("POINTTREE_DATA");
  if (root == nullptr) GTEST_SKIP() << "POINTTREE_DATA is not set";
  const Cloud cloud = read_cloud(std::filesystem::path(root) / "kitti_odometry" / "000000.bin");
  EXPECT_EQ(124668, cloud.points.rows());
  EXPECT_LT(cloud.points.cwiseAbs().maxCoeff(), 120.0F);
  EXPECT_LE(*std::max_element(cloud.intensity.begin(), cloud.intensity.end()), 1.0F);
}

TEST(CloudFile, names_the_file_in_errors) {
  const test::TemporaryFolder folder;
  EXPECT_THAT(read_error_of([&] { read_cloud(folder / "absent.pcd"); }), HasSubstr("absent.pcd"));
  EXPECT_THAT(read_error_of([&] { read_cloud(folder.write("a.las", "LASF")); }),
              HasSubstr("a.las"));
  EXPECT_THAT(read_error_of([&] { read_cloud(folder.write("b.ply", "off")); }), HasSubstr("b.ply"));
  ReadLimits limits;
  limits.max_file_bytes = 3;
  EXPECT_THAT(read_error_of([&] { read_cloud(folder.write("c.xyz", "1 2 3"), limits); }),
              HasSubstr("ceiling"));
  EXPECT_TRUE(is_cloud_file("scan.PCD"));
  EXPECT_FALSE(is_cloud_file("scan.mcap"));
}

TEST(CloudFile, leaves_nothing_behind_where_it_cannot_write) {
  const test::TemporaryFolder folder;
  const Cloud cloud = test::sample_cloud(3, 6);
  EXPECT_THROW(write_cloud(folder / "missing" / "a.pcd", cloud), std::runtime_error);
  EXPECT_THROW(write_cloud(folder / "a.xyz", cloud), std::invalid_argument);
  Cloud uneven = cloud;
  uneven.labels.pop_back();
  EXPECT_THROW(write_cloud(folder / "b.pcd", uneven), std::invalid_argument);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace pointtree::io
