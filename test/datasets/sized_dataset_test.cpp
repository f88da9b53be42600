// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>

#include "datasets/channel_selection.hpp"
#include "pointtree/geometry/cloud_size.hpp"
#include "temporary_folder.hpp"

namespace pointtree::datasets {
namespace {

/// Two points a unit apart, of one class, with or without a unit.
class TwoPoints : public Dataset {
 public:
  TwoPoints(const std::string& kind, double metres) : metres_(metres) {
    info_.kind = "two_points";
    info_.classes = {kind};
  }
  const DatasetInfo& info() const override { return info_; }
  std::size_t size() const override { return 100; }
  Example at(std::size_t) const override {
    Example example;
    example.points.resize(2, 3);
    example.points << 5, 5, 5, 6, 5, 5;
    example.label = 0;
    example.metres = metres_;
    return example;
  }

 private:
  double metres_;
  DatasetInfo info_;
};

TEST(CloudSize, is_the_logarithm_of_the_mean_distance_from_the_centroid) {
  EXPECT_FLOAT_EQ(geometry::cloud_size(TwoPoints("car", 0).at(0).points), std::log(0.5F));
  EXPECT_FLOAT_EQ(geometry::cloud_size(geometry::Points::Ones(7, 3)), std::log(1e-3F))
      << "a single place still has a size";
}

TEST(SizedDataset, appends_the_size_in_metres) {
  const auto sized = with_size(std::make_unique<TwoPoints>("anything", 3.0));
  EXPECT_EQ(sized->info().extra_channels, std::vector<std::string>{"size"});
  const Example example = sized->at(0);
  ASSERT_EQ(example.extra.rows(), 2);
  ASSERT_EQ(example.extra.cols(), 1);
  EXPECT_FLOAT_EQ(example.extra(0, 0), std::log(1.5F));
  EXPECT_FLOAT_EQ(example.extra(1, 0), std::log(1.5F));
}

TEST(SizedDataset, gives_clouds_without_a_unit_the_size_of_their_kind) {
  const auto cars = with_size(std::make_unique<TwoPoints>("car", 0.0));
  const auto cups = with_size(std::make_unique<TwoPoints>("cup", 0.0));
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_GT(std::exp(cars->at(i).extra(0, 0)), 1.5F);
    EXPECT_LT(std::exp(cars->at(i).extra(0, 0)), 4.0F);
    EXPECT_LT(std::exp(cups->at(i).extra(0, 0)), 0.3F);
  }
  EXPECT_EQ(cars->at(1).extra(0, 0), cars->at(1).extra(0, 0));
  EXPECT_NE(cars->at(1).extra(0, 0), cars->at(2).extra(0, 0)) << "cars differ in size";
}

TEST(SizedDataset, refuses_kinds_whose_size_nobody_knows) {
  const auto dragons = with_size(std::make_unique<TwoPoints>("dragon", 0.0));
  EXPECT_THAT(test::error_of([&] { dragons->at(0); }), ::testing::HasSubstr("dragon"));
}

}  // namespace
}  // namespace pointtree::datasets
