// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

namespace pointtree::geometry::test {

/// A fresh seed for each run of a property test; POINTTREE_TEST_SEED repeats the run that failed.
inline std::uint64_t property_seed() {
  const char* given = std::getenv("POINTTREE_TEST_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
}

}  // namespace pointtree::geometry::test

/// Declares `seed` and has every failure below print it.
#define POINTTREE_PROPERTY_SEED(seed)                                    \
  const std::uint64_t seed = pointtree::geometry::test::property_seed(); \
  SCOPED_TRACE("repeat with POINTTREE_TEST_SEED=" + std::to_string(seed))
