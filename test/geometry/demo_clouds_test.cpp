// SPDX-License-Identifier: Apache-2.0

// The figures that the documentation states for the authors' demo clouds.
#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "geometry/tree_oracle.hpp"
#include "io/npy.hpp"
#include "pointtree/geometry/expected_angle_difference.hpp"
#include "pointtree/geometry/pre_align.hpp"
#include "pointtree/geometry/transformation.hpp"

namespace pointtree::geometry {
namespace {

struct DemoCloud {
  std::string name;
  Points original;
  Points transformed;
  Points pre_aligned;  ///< by the authors
};

class DemoClouds : public testing::Test {
 protected:
  void SetUp() override {
    const char* data = std::getenv("POINTTREE_DATA");
    const std::filesystem::path folder =
        std::filesystem::path(data == nullptr ? "" : data) / "pointtree_demo";
    if (data == nullptr || !std::filesystem::exists(folder)) {
      GTEST_SKIP() << "needs POINTTREE_DATA with the folder pointtree_demo";
    }
    for (const char* name : {"car", "chair", "guitar", "lamp", "table"}) {
      std::ifstream file(folder / (std::string(name) + ".npz"), std::ios::binary);
      const std::vector<char> text((std::istreambuf_iterator<char>(file)), {});
      const io::Bytes bytes(reinterpret_cast<const std::uint8_t*>(text.data()),
                            reinterpret_cast<const std::uint8_t*>(text.data()) + text.size());
      const io::NpzArrays arrays = io::parse_npz(io::ByteView(bytes.data(), bytes.size()));
      const auto cloud = [&](const char* key) { return io::cloud_from(arrays.at(key)).points; };
      clouds_.push_back({name, cloud("orig"), cloud("trans"), cloud("pa")});
    }
  }

  std::vector<DemoCloud> clouds_;
};

/// Mean EAD between a cloud and its transformed copies, both pre-aligned.
double mean_difference(const Points& cloud, TransformationKind kind, PreAlignMode mode, int draws,
                       int triple_count) {
  const auto triples = draw_triples(static_cast<std::int32_t>(cloud.rows()), triple_count, 1);
  const TransformationSampler sampler(kind);
  const Points before = pre_align(cloud, mode).points;
  Random random(1);
  double sum = 0.0;
  for (int t = 0; t < draws; ++t) {
    const Points moved = sampler.draw(cloud, random).apply(cloud);
    sum += expected_angle_difference(before, pre_align(moved, mode).points, triples);
  }
  return sum / draws;
}

TEST_F(DemoClouds, canonical_gives_the_identical_tree_after_affine_maps) {
  constexpr int kDraws = 400;
  int same = 0;
  for (const DemoCloud& cloud : clouds_) {
    const auto form = [](const Points& points) {
      const Points pose = pre_align(points, PreAlignMode::canonical).points;
      return test::unordered_form(build_tree(PointsView(pose)));
    };
    const auto expected = form(cloud.original);
    const TransformationSampler sampler(TransformationKind::affine);
    Random random(1);
    for (int t = 0; t < kDraws;) {
      const Transformation map = sampler.draw(cloud.original, random);
      const Eigen::Matrix3d linear = map.matrix().topLeftCorner<3, 3>();
      const Eigen::Vector3d stretches = Eigen::JacobiSVD<Eigen::Matrix3d>(linear).singularValues();
      if (stretches[0] > 100.0 * stretches[2]) continue;
      same += static_cast<int>(form(map.apply(cloud.original)) == expected);
      ++t;
    }
  }
  EXPECT_GE(same, 0.995 * kDraws * static_cast<double>(clouds_.size()));
}

TEST_F(DemoClouds, plain_pre_alignment_removes_affine_bending) {
  for (const DemoCloud& cloud : clouds_) {
    SCOPED_TRACE(cloud.name);
    EXPECT_LT(
        mean_difference(cloud.original, TransformationKind::affine, PreAlignMode::plain, 3000, 512),
        1e-5);
  }
}

TEST_F(DemoClouds, projective_bending_is_that_of_the_paper) {
  // Known means: 0.63 to 1.05 without, 0.28 to 0.36 with pre-alignment; the margins are three
  // standard errors.
  for (const DemoCloud& cloud : clouds_) {
    SCOPED_TRACE(cloud.name);
    const auto mean = [&](PreAlignMode mode) {
      return mean_difference(cloud.original, TransformationKind::projective, mode, 300, 1024);
    };
    const double raw = mean(PreAlignMode::none);
    EXPECT_GT(raw, 0.60);
    EXPECT_LT(raw, 1.09);
    const double plain = mean(PreAlignMode::plain);
    EXPECT_GT(plain, 0.26);
    EXPECT_LT(plain, 0.38);
  }
}

}  // namespace
}  // namespace pointtree::geometry
