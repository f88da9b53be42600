#include <gtest/gtest.h>

#include "cuda/description_kernel.hpp"
#include "cuda/emulator.hpp"
#include "geometry/clouds.hpp"
#include "geometry/property_seed.hpp"
#include "pointtree/geometry/description.hpp"

namespace pointtree::geometry::cuda {
namespace {

using test::EmulatedBlock;
using test::Emulator;
using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Clouds of so many points: scenes, and one whose points all lie in one place.
std::vector<Points> clouds_of(int points, std::uint64_t seed) {
  std::vector<Points> clouds;
  for (unsigned i = 0; i < 3; ++i) {
    clouds.push_back(geometry::test::rounded(
        geometry::test::scene_cloud(points, static_cast<unsigned>(seed) + i)));
  }
  clouds.emplace_back(Points::Ones(points, 3));
  return clouds;
}

void expect_as_on_the_cpu(const Description& description, std::uint64_t seed) {
  constexpr int kExtra = 2;  // a channel before and none behind
  for (const int points : {4, 8, 16, 64, 512, 2048}) {
    SCOPED_TRACE(points);
    const auto clouds = clouds_of(points, seed);
    const int width = 3 + kExtra + description.channels(points);
    Rows expected = Rows::Constant(static_cast<Eigen::Index>(clouds.size()) * points, width, 7.0F);
    for (std::size_t b = 0; b < clouds.size(); ++b) {
      auto cloud = expected.middleRows(static_cast<Eigen::Index>(b) * points, points);
      cloud.leftCols<3>() = clouds[b];
    }
    const std::vector<float> given(expected.data(), expected.data() + expected.size());
    for (std::size_t b = 0; b < clouds.size(); ++b) {
      describe(clouds[b], description,
               expected.row(static_cast<Eigen::Index>(b) * points).data() + 3 + kExtra, width);
    }
    Emulator device(seed);
    const int before_subtrees = Description{description.surroundings, false}.channels(points);
    const DescribeClouds<EmulatedBlock> kernel{
        device.memory("leaves", given),
        static_cast<std::uint32_t>(clouds.size()),
        static_cast<std::uint32_t>(points),
        static_cast<std::uint32_t>(width),
        3 + kExtra,
        static_cast<std::uint32_t>(3 + kExtra + before_subtrees),
        description.surroundings,
        description.subtrees};
    device.launch(kernel);
    const Eigen::Map<const Rows> found(kernel.leaves.values().data(), expected.rows(), width);
    EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-4F);
  }
}

TEST(CudaDescriptionEmulation, tells_the_surroundings_that_the_cpu_tells) {
  POINTTREE_PROPERTY_SEED(seed);
  expect_as_on_the_cpu({true, false}, seed);
}

TEST(CudaDescriptionEmulation, tells_the_subtrees_that_the_cpu_tells) {
  POINTTREE_PROPERTY_SEED(seed);
  expect_as_on_the_cpu({false, true}, seed);
  expect_as_on_the_cpu({true, true}, seed);
}

}  // namespace
}  // namespace pointtree::geometry::cuda
