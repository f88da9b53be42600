// SPDX-License-Identifier: Apache-2.0
#include "training/chart.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <string>

#include "temporary_folder.hpp"

namespace pointtree::training {
namespace {

class ChartTest : public ::testing::Test {
 protected:
  // Width and height from the PNG's first chunk.
  std::pair<unsigned, unsigned> size() const {
    std::ifstream stream(file_, std::ios::binary);
    std::string bytes(24, '\0');
    EXPECT_TRUE(stream.read(bytes.data(), 24));
    EXPECT_EQ(bytes.substr(1, 3), "PNG");
    const auto number = [&](std::size_t at) {
      unsigned value = 0;
      for (std::size_t i = 0; i < 4; ++i)
        value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
      return value;
    };
    return {number(16), number(20)};
  }

  test::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "chart.png";
};

TEST_F(ChartTest, panels_stand_side_by_side) {
  const LineChart panel{"t", "x", "y", {{"a", {0, 1, 2}, {3, 1, 2}, true}}};
  draw_line_charts({panel}, file_);
  const auto one = size();
  draw_line_charts({panel, panel, panel}, file_);
  EXPECT_EQ(size().first, 3 * one.first);
  EXPECT_EQ(size().second, one.second);
}

TEST_F(ChartTest, odd_values_are_left_out) {
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  LineChart panel{"t", "x", "y"};
  panel.series.push_back({"mixed", {-1, 0, 1, 10, nan}, {1, infinity, 5, 0.1, 1}, true});
  panel.series.push_back({"constant", {1, 1}, {5, 5}, false});
  panel.series.push_back({"", {}, {}, false});
  EXPECT_NO_THROW(draw_line_charts({panel}, file_));
  EXPECT_NO_THROW(draw_line_charts({LineChart{}}, file_));
}

TEST_F(ChartTest, confusion_matrix_refuses_counts_that_do_not_fit) {
  EXPECT_NO_THROW(draw_confusion_matrix({"t", {"a", "b"}, {5, 0, 1, 7}}, file_));
  EXPECT_THROW(draw_confusion_matrix({"t", {"a", "b"}, {1, 2, 3}}, file_), std::invalid_argument);
  EXPECT_THROW(draw_confusion_matrix({"t", {}, {}}, file_), std::invalid_argument);
}

TEST_F(ChartTest, missing_folder_is_named) {
  EXPECT_NE(test::error_of([] {
              draw_line_charts({LineChart{}}, "/nonexistent-folder/x.png");
            }).find("/nonexistent-folder/x.png"),
            std::string::npos);
}

}  // namespace
}  // namespace pointtree::training
