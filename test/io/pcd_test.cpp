// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pcl/io/pcd_io.h>
#include <pcl/point_types.h>

#include <cmath>
#include <cstdlib>

#include "cloud_samples.hpp"
#include "io/cloud_formats.hpp"
#include "temporary_folder.hpp"

namespace pointtree::io {
namespace {

using test::content_of;
using test::expect_same_points;
using test::read_error_of;
using test::sample_cloud;
using ::testing::HasSubstr;

std::string header(const std::string& size, const std::string& data,
                   const std::string& fields = "x y z", const std::string& types = "F F F",
                   const std::string& sizes = "4 4 4") {
  return "VERSION 0.7\nFIELDS " + fields + "\nSIZE " + sizes + "\nTYPE " + types + "\n" + size +
         "\nDATA " + data + "\n";
}

TEST(Pcd, gives_back_what_was_written) {
  const test::TemporaryFolder folder;
  Cloud cloud = sample_cloud(120, 1);
  cloud.width = 12;
  cloud.height = 10;
  write_pcd(folder / "cloud.pcd", cloud);
  const Cloud found = read_cloud(folder / "cloud.pcd");
  expect_same_points(cloud, found);
  EXPECT_EQ(cloud.intensity, found.intensity);
  EXPECT_EQ(cloud.labels, found.labels);
  EXPECT_EQ(cloud.colours, found.colours);
}

TEST(Pcd, is_read_by_pcl_as_written) {
  const test::TemporaryFolder folder;
  const Cloud cloud = sample_cloud(33, 2);
  write_pcd(folder / "cloud.pcd", cloud);
  pcl::PointCloud<pcl::PointXYZI> found;
  ASSERT_EQ(0, pcl::io::loadPCDFile((folder / "cloud.pcd").string(), found));
  ASSERT_EQ(33U, found.size());
  for (int i = 0; i < 33; ++i) {
    EXPECT_EQ(cloud.points(i, 0), found[i].x);
    EXPECT_EQ(cloud.points(i, 2), found[i].z);
    EXPECT_EQ(cloud.intensity[i], found[i].intensity);
  }
}

TEST(Pcd, reads_what_pcl_writes_in_three_encodings) {
  const test::TemporaryFolder folder;
  pcl::PointCloud<pcl::PointXYZRGBL> cloud(8, 4);
  std::mt19937 random(3);
  for (auto& point : cloud) {
    // Small integers survive the text encoding exactly.
    point.x = static_cast<float>(random() % 100);
    point.y = static_cast<float>(random() % 100);
    point.z = std::numeric_limits<float>::quiet_NaN();
    point.r = static_cast<std::uint8_t>(random());
    point.g = static_cast<std::uint8_t>(random());
    point.b = static_cast<std::uint8_t>(random());
    point.label = random() % 40;
  }
  pcl::PCDWriter writer;
  writer.writeASCII((folder / "a.pcd").string(), cloud);
  writer.writeBinary((folder / "b.pcd").string(), cloud);
  writer.writeBinaryCompressed((folder / "c.pcd").string(), cloud);
  for (const char* name : {"a.pcd", "b.pcd", "c.pcd"}) {
    SCOPED_TRACE(name);
    const Cloud found = read_cloud(folder / name);
    ASSERT_EQ(32, found.points.rows());
    EXPECT_EQ(8U, found.width);
    EXPECT_EQ(4U, found.height);
    for (int i = 0; i < 32; ++i) {
      EXPECT_EQ(cloud[i].x, found.points(i, 0));
      EXPECT_TRUE(std::isnan(found.points(i, 2)));
      EXPECT_EQ(static_cast<std::int32_t>(cloud[i].label), found.labels[i]);
      EXPECT_EQ(std::uint32_t{cloud[i].r} << 16 | std::uint32_t{cloud[i].g} << 8 | cloud[i].b,
                found.colours[i]);
    }
  }
}

TEST(Pcd, agrees_with_pcl_on_real_files) {
  const char* root = std::getenv("POINTTREE_DATA");
  if (root == nullptr) GTEST_SKIP() << "POINTTREE_DATA is not set";
  int files = 0;
  for (const char* set : {"pcl", "mOSD"}) {
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(root) / set)) {
      if (entry.path().extension() != ".pcd") continue;
      SCOPED_TRACE(entry.path().filename());
      pcl::PointCloud<pcl::PointXYZ> expected;
      ASSERT_EQ(0, pcl::io::loadPCDFile(entry.path().string(), expected));
      const Cloud found = read_cloud(entry.path());
      ASSERT_EQ(static_cast<Eigen::Index>(expected.size()), found.points.rows());
      EXPECT_EQ(expected.width, found.width);
      Eigen::Index different = 0;
      for (Eigen::Index i = 0; i < found.points.rows(); ++i) {
        const auto& point = expected[static_cast<std::size_t>(i)];
        const bool both_nan = std::isnan(point.x) && std::isnan(found.points(i, 0));
        const bool same = point.x == found.points(i, 0) && point.y == found.points(i, 1) &&
                          point.z == found.points(i, 2);
        if (!both_nan && !same) ++different;
      }
      EXPECT_EQ(0, different);
      ++files;
    }
  }
  EXPECT_GE(files, 9);
}

TEST(Pcd, refuses_headers_that_promise_more_than_there_is) {
  for (const char* data : {"ascii", "binary", "binary_compressed"}) {
    SCOPED_TRACE(data);
    const std::string huge =
        header("WIDTH 90000000\nHEIGHT 1\nPOINTS 90000000", data) + "0 0 0 0 0 0 0 0";
    EXPECT_THROW(parse_pcd(bytes_of(huge)), ReadError);
  }
}

TEST(Pcd, refuses_overflowing_and_contradicting_sizes) {
  const auto error_of = [](const std::string& file) {
    return read_error_of([&] { parse_pcd(bytes_of(file)); });
  };
  EXPECT_THAT(error_of(header("WIDTH 4294967295\nHEIGHT 4294967295", "binary")),
              HasSubstr("ceiling"));
  EXPECT_THAT(error_of(header("WIDTH 99999999999\nHEIGHT 1", "binary")), HasSubstr("WIDTH"));
  EXPECT_THAT(error_of(header("WIDTH -1\nHEIGHT 1", "binary")), HasSubstr("WIDTH"));
  EXPECT_THAT(error_of(header("WIDTH 2\nHEIGHT 1\nPOINTS 3", "ascii")), HasSubstr("POINTS"));
  EXPECT_THAT(error_of(header("WIDTH 1\nHEIGHT 1", "zipped")), HasSubstr("zipped"));
  EXPECT_THAT(error_of(header("WIDTH 1\nHEIGHT 1", "ascii", "x y z", "F F F", "4 4 3")),
              HasSubstr("SIZE"));
  EXPECT_THAT(error_of(header("COUNT 1 1 99999999999\nWIDTH 1\nHEIGHT 1", "ascii")),
              HasSubstr("COUNT"));
  EXPECT_THAT(error_of(header("WIDTH 1\nHEIGHT 1", "ascii", "a b c") + "1 2 3\n"),
              HasSubstr("'x'"));
  EXPECT_THAT(error_of(header("WIDTH 2\nHEIGHT 1", "ascii") + "1 2 3\n4 five 6\n"),
              HasSubstr("five"));
  EXPECT_THAT(error_of("nothing of the kind"), HasSubstr("DATA"));
}

TEST(Pcd, respects_a_lower_ceiling) {
  ReadLimits limits;
  limits.max_points = 2;
  const std::string file = header("WIDTH 3\nHEIGHT 1", "ascii") + "1 2 3\n4 5 6\n7 8 9\n";
  EXPECT_EQ(3, parse_pcd(bytes_of(file)).points.rows());
  EXPECT_THROW(parse_pcd(bytes_of(file), limits), ReadError);
}

TEST(Pcd, refuses_labels_that_are_no_integers) {
  const std::string file =
      header("WIDTH 1\nHEIGHT 1", "ascii", "x y z label", "F F F F", "4 4 4 4");
  EXPECT_EQ(7, parse_pcd(bytes_of(file + "1 2 3 7\n")).labels.at(0));
  EXPECT_THROW(parse_pcd(bytes_of(file + "1 2 3 7.5\n")), ReadError);
  EXPECT_THROW(parse_pcd(bytes_of(file + "1 2 3 nan\n")), ReadError);
  EXPECT_THROW(parse_pcd(bytes_of(file + "1 2 3 1e30\n")), ReadError);
}

TEST(Pcd, is_safe_for_every_truncation) {
  const test::TemporaryFolder folder;
  pcl::PointCloud<pcl::PointXYZ> cloud(4, 2);
  for (auto& point : cloud) point.getVector3fMap() << 1.0F, 2.0F, 3.0F;
  pcl::PCDWriter writer;
  writer.writeASCII((folder / "a.pcd").string(), cloud);
  writer.writeBinary((folder / "b.pcd").string(), cloud);
  writer.writeBinaryCompressed((folder / "c.pcd").string(), cloud);
  for (const char* name : {"a.pcd", "b.pcd", "c.pcd"}) {
    test::expect_prefixes_are_safe(content_of(folder / name),
                                   [](const Bytes& bytes) { parse_pcd(bytes); });
  }
}

}  // namespace
}  // namespace pointtree::io
