// SPDX-License-Identifier: Apache-2.0

// Poses, trees and augmentation where the network computes, against the loader's own.
#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <gtest/gtest.h>

#include "network/tensor_preprocessor.hpp"
#include "training/batch.hpp"
#include "training/batch_source.hpp"

namespace pointtree::training {
namespace {

constexpr int kPoints = 64;

// Clouds of few and of many points, with point labels and one extra channel that name the point.
class LabelledClouds final : public datasets::Dataset {
 public:
  LabelledClouds() {
    info_.classes = {"few", "many"};
    info_.point_classes = {"even", "odd"};
    info_.extra_channels = {"number"};
  }
  const datasets::DatasetInfo& info() const override { return info_; }
  std::size_t size() const override { return 8; }
  datasets::Example at(std::size_t index) const override {
    geometry::Random random(index + 1);
    const bool many = index % 2 == 1;
    const int count = many ? 3 * kPoints : kPoints / 2 + 3;
    datasets::Example example;
    example.label = many ? 1 : 0;
    example.points.resize(count, 3);
    example.extra.resize(count, 1);
    for (int i = 0; i < count; ++i) {
      example.points.row(i) = random.direction().cast<float>();
      example.points(i, 0) *= 2.0F + static_cast<float>(index);
      example.extra(i, 0) = static_cast<float>(i);
      example.point_labels.push_back(i % 2);
    }
    return example;
  }

 private:
  datasets::DatasetInfo info_;
};

TrainConfig config_with(const std::string& trees) {
  TrainConfig config;
  config.model.points = kPoints;
  config.model.task = inference::Task::segmentation;
  config.model.extra_channels = 1;
  config.model.pre_align = geometry::PreAlignMode::canonical;
  config.run.batch = 4;
  config.run.trees = trees;
  config.data.workers = 0;
  return config;
}

void expect_same_batches(TrainConfig config, double tolerance) {
  const auto clouds = std::make_shared<const LabelledClouds>();
  config.run.trees = "loader";
  auto preprocessed_by_loader = training_batches(clouds, config, 0, 0, 1);
  config.run.trees = "device";
  auto left_to_device = training_batches(clouds, config, 0, 0, 1);
  const auto preprocessor =
      network::make_tensor_preprocessor(c10::kCPU, inference::preprocessor_config(config.model));
  for (int step = 0; step < 4; ++step) {
    const Batch expected = *preprocessed_by_loader.next();
    Batch raw = *left_to_device.next();
    ASSERT_EQ(raw.augmentations.size(), 4U);
    ASSERT_FALSE(at::equal(raw.points, expected.points)) << "nothing was left to do";
    const Batch found = preprocessed(std::move(raw), *preprocessor, c10::kCPU);
    EXPECT_TRUE(at::allclose(found.points, expected.points, 0.0, tolerance));
    EXPECT_TRUE(at::equal(found.point_labels, expected.point_labels));
    EXPECT_TRUE(at::equal(found.labels, expected.labels));
    EXPECT_EQ(found.indices, expected.indices);
    ASSERT_TRUE(found.owner.defined());
    ASSERT_TRUE(expected.owner.defined());
    // Owners may be numbered otherwise, but the same leaves share one.
    const auto together = [](const at::Tensor& owner) {
      return owner.unsqueeze(1).eq(owner.unsqueeze(2));
    };
    EXPECT_TRUE(at::equal(together(found.owner), together(expected.owner)));
  }
}

TEST(PreprocessedBatches, are_those_of_the_loader) {
  expect_same_batches(config_with("device"), 0.0);
}

TEST(PreprocessedBatches, are_augmented_as_the_loader_does) {
  TrainConfig config = config_with("device");
  config.augment.transformation = geometry::TransformationKind::affine;
  config.augment.signed_permutation = true;
  config.augment.pose_linear = 0.1;
  config.augment.pose_shift = 0.1;
  config.augment.pose_jitter = 0.05;
  // Products are summed in another order, and posed again after that.
  expect_same_batches(config, 1e-4);
}

TEST(PreprocessedBatches, of_the_loader_are_left_alone) {
  const auto clouds = std::make_shared<const LabelledClouds>();
  auto batches = training_batches(clouds, config_with("loader"), 0, 0, 1);
  const auto preprocessor = network::make_tensor_preprocessor(c10::kCPU, {});
  const Batch batch = *batches.next();
  const Batch same = preprocessed(batch, *preprocessor, c10::kCPU);
  EXPECT_TRUE(same.points.is_same(batch.points));
}

TEST(PreprocessedBatches, are_made_on_the_device_only_where_it_is_one) {
  TrainConfig config = config_with("auto");
  EXPECT_FALSE(preprocesses_on_device(config.run));
  config.run.device = "cuda:0";
  EXPECT_TRUE(preprocesses_on_device(config.run));
  config.run.trees = "loader";
  EXPECT_FALSE(preprocesses_on_device(config.run));
}

}  // namespace
}  // namespace pointtree::training
