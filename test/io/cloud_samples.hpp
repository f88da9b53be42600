// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "pointtree/io/cloud_file.hpp"
#include "temporary_folder.hpp"

namespace pointtree::test {

/// A seeded cloud with every attribute.
inline io::Cloud sample_cloud(int count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> metres(-50.0F, 50.0F);
  io::Cloud cloud;
  cloud.points.resize(count, 3);
  for (int i = 0; i < count; ++i) {
    cloud.points.row(i) << metres(random), metres(random), metres(random);
    cloud.intensity.push_back(metres(random));
    cloud.labels.push_back(static_cast<std::int32_t>(random() % 50) - 1);
    cloud.colours.push_back(static_cast<std::uint32_t>(random()) & 0xFFFFFFU);
  }
  cloud.width = static_cast<std::uint32_t>(count);
  return cloud;
}

inline void expect_same_points(const io::Cloud& expected, const io::Cloud& found) {
  ASSERT_EQ(expected.points.rows(), found.points.rows());
  EXPECT_EQ(expected.points, found.points);
  EXPECT_EQ(expected.width, found.width);
  EXPECT_EQ(expected.height, found.height);
}

/// The text of the ReadError that the action must throw.
template <typename Action>
std::string read_error_of(const Action& action) {
  return error_of<io::ReadError>(action);
}

/// Every prefix of a good file must be read as a shorter cloud or refused with a ReadError, never
/// anything else.
template <typename Parser>
void expect_prefixes_are_safe(const std::string& file, Parser parse) {
  for (std::size_t length = 0; length < file.size(); ++length) {
    // A copy of the exact size lets the address sanitizer see any step past the end.
    const std::vector<std::uint8_t> prefix(file.begin(),
                                           file.begin() + static_cast<std::ptrdiff_t>(length));
    try {
      parse(prefix);
    } catch (const io::ReadError&) {
    }
  }
}

}  // namespace pointtree::test
