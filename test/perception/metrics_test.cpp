// SPDX-License-Identifier: Apache-2.0
#include "perception/metrics.hpp"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

namespace pointtree::perception {
namespace {

TEST(ConfusionMatrix, scores_follow_from_counts_made_by_hand) {
  ConfusionMatrix matrix(3);
  matrix.add(0, 0, 6);
  matrix.add(0, 1, 2);
  matrix.add(1, 1, 3);
  matrix.add(1, 0, 1);
  EXPECT_DOUBLE_EQ(matrix.overall_accuracy(), 9.0 / 12.0);
  EXPECT_DOUBLE_EQ(matrix.mean_class_accuracy(), (6.0 / 8.0 + 3.0 / 4.0) / 2.0);
  EXPECT_DOUBLE_EQ(*matrix.class_ious()[0], 6.0 / 9.0);
  EXPECT_DOUBLE_EQ(*matrix.class_ious()[1], 3.0 / 6.0);
  EXPECT_DOUBLE_EQ(matrix.mean_iou(), (6.0 / 9.0 + 3.0 / 6.0) / 2.0);
  EXPECT_DOUBLE_EQ(matrix.weighted_f1(), (8.0 * 12.0 / 15.0 + 4.0 * 6.0 / 9.0) / 12.0);
}

TEST(ConfusionMatrix, a_class_that_never_occurs_has_no_score) {
  ConfusionMatrix matrix(2);
  matrix.add(0, 0);
  EXPECT_FALSE(matrix.class_accuracies()[1].has_value());
  EXPECT_FALSE(matrix.class_ious()[1].has_value());
  EXPECT_DOUBLE_EQ(matrix.mean_class_accuracy(), 1.0);
  matrix.add(0, 1);
  EXPECT_DOUBLE_EQ(*matrix.class_ious()[1], 0.0);
  EXPECT_DOUBLE_EQ(matrix.mean_iou(), 0.5) << "the class without true points is left out";
}

TEST(ConfusionMatrix, merging_counts_like_adding_everything_to_one) {
  const unsigned seed = 7;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  ConfusionMatrix all(4);
  ConfusionMatrix first(4);
  ConfusionMatrix second(4);
  for (int i = 0; i < 200; ++i) {
    const int truth = static_cast<int>(random() % 4);
    const int predicted = static_cast<int>(random() % 4);
    all.add(truth, predicted);
    (i % 3 == 0 ? first : second).add(truth, predicted);
  }
  first.merge(second);
  EXPECT_EQ(first.counts(), all.counts());
  EXPECT_THROW(first.merge(ConfusionMatrix(3)), std::invalid_argument);
}

TEST(ConfusionMatrix, refuses_classes_that_it_does_not_have) {
  ConfusionMatrix matrix(2);
  EXPECT_THROW(matrix.add(2, 0), std::out_of_range);
  EXPECT_THROW(matrix.add(0, -1), std::out_of_range);
  EXPECT_THROW(ConfusionMatrix(0), std::invalid_argument);
}

TEST(ShapeIou, a_part_neither_true_nor_predicted_counts_as_one) {
  EXPECT_DOUBLE_EQ(shape_iou({4, 4, 5, 5}, {4, 5, 5, 5}, {4, 5, 6}),
                   (1.0 / 2.0 + 2.0 / 3.0 + 1.0) / 3.0);
  EXPECT_THROW(shape_iou({1}, {1, 2}, {1}), std::invalid_argument);
}

TEST(PartScores, class_mean_weighs_categories_alike_and_instance_mean_shapes) {
  PartScores scores(3);
  scores.add(0, 0.5);
  scores.add(0, 0.7);
  scores.add(2, 1.0);
  EXPECT_DOUBLE_EQ(scores.instance_mean_iou(), 2.2 / 3.0);
  EXPECT_DOUBLE_EQ(scores.class_mean_iou(), (0.6 + 1.0) / 2.0);
  EXPECT_FALSE(scores.category_ious()[1].has_value());
}

TEST(Spread, is_the_sample_deviation) {
  const auto result = spread({1.0, 2.0, 4.0});
  EXPECT_DOUBLE_EQ(result.mean, 7.0 / 3.0);
  EXPECT_NEAR(result.sigma, 1.5275252316519465, 1e-12);
  EXPECT_EQ(spread({5.0}).sigma, 0.0);
}

}  // namespace
}  // namespace pointtree::perception
