// SPDX-License-Identifier: Apache-2.0

// Counts what a call to the engine takes from the heap. Sanitizers bring their own malloc, so there
// this test has nothing to count.
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <limits>
#include <random>

#include "network/network_weights.hpp"
#include "trained_like.hpp"

namespace {

std::atomic<std::size_t> allocations{0};

}  // namespace

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define POINTTREE_COUNTS_ALLOCATIONS

extern "C" {

void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* old, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);

void* malloc(std::size_t bytes) {
  ++allocations;
  return __libc_malloc(bytes);
}

void* calloc(std::size_t count, std::size_t bytes) {
  ++allocations;
  return __libc_calloc(count, bytes);
}

void* realloc(void* old, std::size_t bytes) {
  ++allocations;
  return __libc_realloc(old, bytes);
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  ++allocations;
  return __libc_memalign(alignment, bytes);
}
}
#endif

namespace pointtree::network {
namespace {

geometry::Points random_points(int count) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  return geometry::Points::NullaryExpr(count, 3, [&] { return normal(random); });
}

// Allocations of one call in steady state: the least of several, since a thread that gets its first
// cloud late takes its scratch memory then.
std::size_t allocations_per_call(double width, inference::Precision precision) {
  inference::ModelConfig config;
  config.points = 256;
  config.width = width;
  inference::EngineOptions options;
  options.precision = precision;
  options.threads = 2;
  const inference::Engine engine = make_engine(trained_like(config, 1), options);
  const geometry::Points points = random_points(config.points);
  const std::vector<inference::CloudInput> clouds{{points}, {points}};
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (int call = 0; call < 20; ++call) {
    const std::size_t before = allocations;
    const auto answers = engine.classify(clouds);
    const std::size_t after = allocations;
    EXPECT_EQ(answers.clouds.size(), 2U);
    least = std::min(least, after - before);
  }
  return least;
}

TEST(EngineMemory, steady_calls_allocate_poses_trees_and_answers_only) {
#if !defined(POINTTREE_COUNTS_ALLOCATIONS)
  GTEST_SKIP() << "the sanitizer's own malloc cannot be counted";
#endif
  at::set_num_threads(1);
  const std::size_t small = allocations_per_call(0.125, inference::Precision::float32);
  // Poses, trees and answers do not depend on the network: whatever it is, it adds nothing.
  EXPECT_EQ(allocations_per_call(0.25, inference::Precision::float32), small);
  EXPECT_EQ(allocations_per_call(0.25, inference::Precision::bfloat16), small);
  EXPECT_EQ(allocations_per_call(0.25, inference::Precision::int8), small);
  EXPECT_GT(small, 0U);
  EXPECT_LE(small, 40U) << "for two clouds";
  RecordProperty("allocations_for_two_clouds", static_cast<int>(small));
}

}  // namespace
}  // namespace pointtree::network
