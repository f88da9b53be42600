// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

#include "datasets/loader.hpp"
#include "pointtree/geometry/random.hpp"

namespace pointtree::datasets {

/// Random clouds of two classes, three of the first to one of the second; points are labelled by
/// the sign of z.
class Noise : public Dataset {
 public:
  explicit Noise(std::size_t size) : size_(size) { info_.classes = {"often", "rarely"}; }
  const DatasetInfo& info() const override { return info_; }
  std::size_t size() const override { return size_; }
  Example at(std::size_t index) const override {
    if (index == broken) throw std::runtime_error("cloud " + std::to_string(index) + " is broken");
    geometry::Random random(index);
    Example example;
    example.points.resize(40 + static_cast<Eigen::Index>(index), 3);
    for (Eigen::Index i = 0; i < example.points.size(); ++i) {
      example.points.data()[i] = static_cast<float>(random.normal());
    }
    for (Eigen::Index i = 0; i < example.points.rows(); ++i) {
      example.point_labels.push_back(example.points(i, 2) > 0.0F ? 1 : 0);
    }
    example.extra = example.points.rightCols<1>() * 10.0F;
    example.label = index % 4 == 3 ? 1 : 0;
    return example;
  }

  std::size_t broken = ~std::size_t{0};

 private:
  std::size_t size_;
  DatasetInfo info_;
};

/// Small batches of 32 points, transformed and thinned out.
inline LoaderConfig small_config() {
  LoaderConfig config;
  config.preparation.depth = 5;
  config.preparation.use_extra = true;
  config.preparation.augmentation.transformation = geometry::TransformationKind::affine;
  config.preparation.augmentation.signed_permutation = true;
  config.preparation.augmentation.observation.drop_out = 0.2;
  config.preparation.augmentation.observation.minimum_points = 8;
  config.batch_size = 4;
  config.seed = 17;
  config.epochs = 3;
  return config;
}

}  // namespace pointtree::datasets
