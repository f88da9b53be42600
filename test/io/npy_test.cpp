// SPDX-License-Identifier: Apache-2.0
#include "io/npy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "cloud_samples.hpp"
#include "temporary_folder.hpp"

namespace pointtree::io {
namespace {

using test::read_error_of;
using ::testing::HasSubstr;

std::string npy(const std::string& header, const std::string& content) {
  std::string file = "\x93NUMPY";
  file += {1, 0, static_cast<char>(header.size() & 0xFF), static_cast<char>(header.size() >> 8)};
  return file + header + content;
}

std::string array(const std::string& type, const std::string& shape, const std::string& content,
                  const std::string& order = "False") {
  return npy(
      "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n",
      content);
}

std::string error_of(const std::string& file) {
  return read_error_of([&] { cloud_from(parse_npy(bytes_of(file))); });
}

TEST(Npy, gives_back_what_was_written) {
  const test::TemporaryFolder folder;
  const Cloud cloud = test::sample_cloud(50, 5);
  write_npy(folder / "cloud.npy", cloud);
  const Cloud found = read_cloud(folder / "cloud.npy");
  test::expect_same_points(cloud, found);
  EXPECT_EQ(cloud.intensity, found.intensity);
  EXPECT_EQ(0U, (std::filesystem::file_size(folder / "cloud.npy") - 50 * 16) % 64);
}

TEST(Npy, reads_column_major_and_big_endian) {
  const std::string columns = {0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6};
  const Cloud cloud = cloud_from(parse_npy(bytes_of(array(">i2", "(2, 3)", columns, "True"))));
  geometry::Points expected(2, 3);
  expected << 1, 3, 5, 2, 4, 6;
  EXPECT_EQ(expected, cloud.points);
}

TEST(Npy, refuses_shapes_that_do_not_fit) {
  EXPECT_THAT(error_of(array("<f4", "(100000000, 3)", "1234")), HasSubstr("shape"));
  EXPECT_THAT(error_of(array("<f4", "(4294967296, 4294967296, 3)", "1234")), HasSubstr("shape"));
  EXPECT_THAT(error_of(array("<f4", "(18446744073709551615, 3)", "1234")), HasSubstr("shape"));
  EXPECT_THAT(error_of(array("<f4", "(1, 1, 3)", std::string(12, '\0'))), HasSubstr("[n, 3]"));
  EXPECT_THAT(error_of(array("<f4", "(0, 0)", "")), HasSubstr("[n, 3]"));
  EXPECT_THAT(error_of(array("<f4", "(900000000000, 0)", "")), HasSubstr("[n, 3]"));
}

TEST(Npy, refuses_what_is_no_array_of_numbers) {
  EXPECT_THAT(error_of(array("|O", "(1, 3)", std::string(24, '\0'))), HasSubstr("descr"));
  EXPECT_THAT(
      error_of(npy("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,), }", "1234")),
      HasSubstr("descr"));
  EXPECT_THAT(error_of(npy("{}", "")), HasSubstr("descr"));
  EXPECT_THAT(error_of("PK"), HasSubstr("npy"));
  EXPECT_THAT(error_of(std::string("\x93NUMPY\x09\x00\x00\x00", 10)), HasSubstr("version"));
}

TEST(Npy, is_safe_for_every_truncation) {
  test::expect_prefixes_are_safe(array("<f4", "(2, 3)", std::string(24, 'a')),
                                 [](const Bytes& bytes) { parse_npy(bytes); });
}

TEST(Npz, reads_the_authors_clouds) {
  const char* root = std::getenv("POINTTREE_DATA");
  if (root == nullptr) GTEST_SKIP() << "POINTTREE_DATA is not set";
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(root) / "pointtree_demo")) {
    if (entry.path().extension() != ".npz") continue;
    const Cloud cloud = read_cloud(entry.path());
    EXPECT_EQ(2048, cloud.points.rows());
    EXPECT_EQ(2048U, cloud.labels.size());
    EXPECT_TRUE(cloud.points.allFinite());
    ++files;
  }
  EXPECT_EQ(5, files);
}

}  // namespace
}  // namespace pointtree::io
