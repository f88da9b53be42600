// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "simulation/triangle_mesh.hpp"
#include "temporary_folder.hpp"

namespace pointtree::simulation {
namespace {

using test::error_of;
using test::TemporaryFolder;
using ::testing::HasSubstr;

constexpr const char* kSquare = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3 255 0 0\n";

TEST(ReadOff, takes_counts_behind_the_name_and_on_a_line_of_their_own) {
  const TemporaryFolder folder;
  for (const std::string head : {"OFF\n4 1 0\n", "OFF4 1 0\n", "OFF 4 1 0\n",
                                 "OFF # a square\r\n# of size one\r\n4 1 0\r\n"}) {
    SCOPED_TRACE(head);
    folder.write("a.off", head + kSquare);
    const TriangleMesh mesh = read_off(folder / "a.off");
    EXPECT_EQ(mesh.vertices.size(), 4U);
    ASSERT_EQ(mesh.triangles.size(), 2U);
    EXPECT_EQ(mesh.triangles[1], Eigen::Vector3i(0, 2, 3));
    EXPECT_EQ(mesh.vertices[2], Eigen::Vector3f(1, 1, 0));
  }
}

TEST(ReadOff, bad_files_are_refused_by_name_and_line) {
  const TemporaryFolder folder;
  const auto message = [&](const std::string& text) {
    folder.write("bad.off", text);
    return error_of([&] { read_off(folder / "bad.off"); });
  };
  EXPECT_THAT(message("PLY\n"), HasSubstr("bad.off:1: expected OFF, found 'PLY'"));
  EXPECT_THAT(message("OFFx 1 1\n"), HasSubstr("number of vertices"));
  EXPECT_THAT(message(""), HasSubstr("the end of the file"));
  EXPECT_THAT(message("OFF\n4 1 0\n0 0 0\n1 0 zero\n"),
              HasSubstr(":4: expected a coordinate, found 'zero'"));
  EXPECT_THAT(message("OFF\n4 1 0\n0 0 0\n1.00000 0.00000 0.00000\n"),
              HasSubstr("the end of the file"));
  EXPECT_THAT(message("OFF\n999999999999 1 0\n0 0 0\n"), HasSubstr("fit into the file"));
  EXPECT_THAT(message("OFF\n1 1 0\n0 0 0\n3 0 0 1\n"),
              HasSubstr("expected an index below 1, found 1"));
  EXPECT_THAT(message("OFF\n1 1 0\n0 0 0\n-3 0 0 0\n"), HasSubstr("-3"));
  EXPECT_THAT(message("OFF\n1 0 0\nnan 0 0\n"), HasSubstr("finite"));
  EXPECT_THAT(error_of([&] { read_off(folder / "none.off"); }), HasSubstr("none.off"));
}

}  // namespace
}  // namespace pointtree::simulation
