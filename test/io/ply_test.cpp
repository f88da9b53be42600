// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cloud_samples.hpp"
#include "io/cloud_formats.hpp"
#include "temporary_folder.hpp"

namespace pointtree::io {
namespace {

using test::read_error_of;
using ::testing::HasSubstr;

std::string mesh(const std::string& format) {
  return "ply\r\nformat " + format +
         " 1.0\r\ncomment faces come first\r\nelement face 2\r\nproperty list uchar int "
         "vertex_indices\r\n"
         "element vertex 2\r\nproperty double x\r\nproperty float y\r\nproperty short z\r\n"
         "property uchar red\r\nproperty uchar green\r\nproperty uchar blue\r\nend_header\r\n";
}

TEST(Ply, gives_back_what_was_written) {
  const test::TemporaryFolder folder;
  const Cloud cloud = test::sample_cloud(77, 4);
  write_ply(folder / "cloud.ply", cloud);
  const Cloud found = read_cloud(folder / "cloud.ply");
  test::expect_same_points(cloud, found);
  EXPECT_EQ(cloud.intensity, found.intensity);
  EXPECT_EQ(cloud.labels, found.labels);
  EXPECT_EQ(cloud.colours, found.colours);
}

TEST(Ply, reads_text_behind_other_elements) {
  const std::string file = mesh("ascii") + "3 0 1 1\n2 1 0\n1.5 2.5 -3 255 128 0\n4 5 6 1 2 3\n";
  const Cloud cloud = parse_ply(bytes_of(file));
  ASSERT_EQ(2, cloud.points.rows());
  EXPECT_EQ(1.5F, cloud.points(0, 0));
  EXPECT_EQ(-3.0F, cloud.points(0, 2));
  EXPECT_EQ(0xFF8000U, cloud.colours[0]);
}

TEST(Ply, reads_big_endian_behind_other_elements) {
  std::string file = mesh("binary_big_endian");
  const auto add = [&](std::initializer_list<int> bytes) {
    for (const int byte : bytes) file.push_back(static_cast<char>(byte));
  };
  add({1, 0, 0, 0, 1});                          // a face with one corner
  add({0});                                      // and one with none
  add({0x3F, 0xF8, 0, 0, 0, 0, 0, 0});           // 1.5
  add({0x40, 0x20, 0, 0, 0xFF, 0xFD, 9, 8, 7});  // 2.5, −3, colour
  add({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0});
  const Cloud cloud = parse_ply(bytes_of(file));
  ASSERT_EQ(2, cloud.points.rows());
  EXPECT_EQ(1.5F, cloud.points(0, 0));
  EXPECT_EQ(2.5F, cloud.points(0, 1));
  EXPECT_EQ(-3.0F, cloud.points(0, 2));
  EXPECT_EQ(0x090807U, cloud.colours[0]);
  EXPECT_EQ(1.0F, cloud.points(1, 2));
  test::expect_prefixes_are_safe(file, [](const Bytes& bytes) { parse_ply(bytes); });
}

TEST(Ply, refuses_what_it_does_not_understand) {
  const auto error_of = [](const std::string& file) {
    return read_error_of([&] { parse_ply(bytes_of(file)); });
  };
  const std::string start = "ply\nformat binary_little_endian 1.0\n";
  const std::string xyz = "property float x\nproperty float y\nproperty float z\nend_header\n";
  EXPECT_THAT(error_of(""), HasSubstr("'ply'"));
  EXPECT_THAT(error_of("ply\nformat ascii 2.0\n"), HasSubstr("ascii 2.0"));
  EXPECT_THAT(error_of(start + "element vertex 99999999\n" + xyz), HasSubstr("vertex"));
  EXPECT_THAT(error_of(start + "element vertex 18446744073709551615\n" + xyz),
              HasSubstr("ceiling"));
  EXPECT_THAT(error_of(start + "element vertex -1\n" + xyz), HasSubstr("count"));
  EXPECT_THAT(error_of(start + "element vertex 90000000\nend_header\n"), HasSubstr("'x'"));
  EXPECT_THAT(error_of(start + "element face 1\nend_header\n"), HasSubstr("vertex"));
  EXPECT_THAT(error_of(start + "property float x\n"), HasSubstr("expected"));
  EXPECT_THAT(
      error_of(start + "element a 1\nproperty list uint float l\nend_header\n\xFF\xFF\xFF\xFF"),
      HasSubstr("'a'"));
}

}  // namespace
}  // namespace pointtree::io
