// SPDX-License-Identifier: Apache-2.0
#include "training/batch.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/matmul.h>

#include "compute_device.hpp"
#include "network/tensor_preprocessor.hpp"

namespace pointtree::training {
namespace {

using RowMajorMap = Eigen::Matrix<float, Eigen::Dynamic, 3, Eigen::RowMajor>;

// Clouds of row vectors [B, N, 3] moved by maps of [B, 3 + 1, 3]: linear part, then shift.
at::Tensor moved(const at::Tensor& clouds, const at::Tensor& maps) {
  return at::matmul(clouds, maps.narrow(1, 0, 3)) + maps.narrow(1, 3, 1);
}

// One 4×3 map per cloud, as `map_of` gives it.
template <typename MapOf>
at::Tensor maps_of(const std::vector<datasets::AugmentationDraw>& drawn, const MapOf& map_of) {
  auto maps = at::empty({static_cast<std::int64_t>(drawn.size()), 4, 3}, at::kFloat);
  auto* place = maps.mutable_data_ptr<float>();
  for (const datasets::AugmentationDraw& one : drawn) {
    Eigen::Map<RowMajorMap>(place, 4, 3) = map_of(one);
    place += 12;
  }
  return maps;
}

RowMajorMap stacked(const Eigen::Matrix3f& linear, const Eigen::RowVector3f& shift) {
  RowMajorMap map(4, 3);
  map << linear, shift;
  return map;
}

at::Tensor noise_of(const std::vector<datasets::AugmentationDraw>& drawn, std::int64_t points) {
  if (drawn.front().noise.size() == 0) return {};
  auto noise = at::empty({static_cast<std::int64_t>(drawn.size()), points, 3}, at::kFloat);
  auto* place = noise.mutable_data_ptr<float>();
  for (const datasets::AugmentationDraw& one : drawn) {
    Eigen::Map<RowMajorMap>(place, points, 3) = one.noise;
    place += points * 3;
  }
  return noise;
}

at::Tensor augmented(const at::Tensor& posed,
                     const std::vector<datasets::AugmentationDraw>& drawn) {
  const at::Tensor maps = maps_of(drawn, [](const datasets::AugmentationDraw& one) {
    return stacked(one.axes * one.linear, one.shift);
  });
  const at::Tensor result = moved(posed, on_device(maps, posed.device()));
  const at::Tensor noise = noise_of(drawn, posed.size(1));
  return noise.defined() ? result + on_device(noise, posed.device()) : result;
}

// Rows [B, N, ...] in the order of the leaves.
at::Tensor in_leaf_order(const at::Tensor& rows, const at::Tensor& order) {
  if (!rows.defined()) return rows;
  if (rows.dim() == 2) return at::gather(rows, 1, order);
  return at::gather(rows, 1, order.unsqueeze(2).expand({-1, -1, rows.size(2)}));
}

}  // namespace

Batch preprocessed(Batch batch, network::TensorPreprocessor& preprocessor, c10::Device device) {
  if (batch.augmentations.empty()) return batch;
  const at::Tensor features = on_device(batch.points, device);
  const at::Tensor posed = preprocessor.pose(features.narrow(2, 0, 3));
  const at::Tensor order = preprocessor.leaf_orders(posed);
  at::Tensor rows = augmented(posed, batch.augmentations);
  if (features.size(2) > 3) {
    rows = at::cat({rows, features.narrow(2, 3, features.size(2) - 3)}, 2);
  }
  batch.points = in_leaf_order(rows, order);
  batch.owner = in_leaf_order(on_device(batch.owner, device), order);
  batch.point_labels = in_leaf_order(on_device(batch.point_labels, device), order);
  batch.augmentations.clear();
  return batch;
}

at::Tensor of_cloud_before(const at::Tensor& rows) { return rows.roll(1, 0); }

double cut_mix(at::Tensor& clouds, geometry::Random& random) {
  constexpr std::uint64_t kDeepest = 3;
  const std::uint64_t subtrees = std::uint64_t{1} << (1 + random.below(kDeepest));
  const std::int64_t leaves = clouds.size(1) / static_cast<std::int64_t>(subtrees);
  const auto first = static_cast<std::int64_t>(random.below(subtrees)) * leaves;
  const at::Tensor given = of_cloud_before(clouds.narrow(1, first, leaves));
  clouds = clouds.clone();
  clouds.narrow(1, first, leaves).copy_(given);
  return 1.0 / static_cast<double>(subtrees);
}

}  // namespace pointtree::training
