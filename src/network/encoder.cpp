// SPDX-License-Identifier: Apache-2.0
#include "pointtree/network/encoder.hpp"

#include "network/training_kernels.hpp"

namespace pointtree::network {
namespace {

/// The leaf layers in training: two layers with one wide hidden feature are fused, others run as
/// they are.
torch::Tensor leaf_features(Mlp& leaf, const inference::MlpPlan& plan,
                            const torch::Tensor& points) {
  const bool fused = leaf->is_training() && fits_training_kernels(points) && plan.size() == 2 &&
                     plan[0].norm && plan[0].activation == inference::Activation::prelu &&
                     plan[0].in < plan[0].out;
  if (!fused) return leaf(points);
  const auto layers = leaf->children();
  auto& hidden = *layers[0]->as<DenseImpl>();
  auto& last = *layers[1]->as<DenseImpl>();
  const auto rows = points.reshape({-1, plan[0].in});
  const auto mapped = prelu_mlp(rows, fold_normalisation(rows, hidden.linear(), hidden.norm()),
                                hidden.named_parameters()["activation.weight"],
                                last.linear()->weight, last.linear()->bias);
  return last.finish(mapped.view({points.size(0), points.size(1), plan[1].out}));
}

}  // namespace

EncoderImpl::EncoderImpl(const inference::EncoderPlan& plan) : plan_(plan) {
  leaf_ = register_module("leaf", Mlp(plan.leaf));
  auto levels = register_module("levels", std::make_shared<torch::nn::Module>());
  auto shapes = register_module("shapes", std::make_shared<torch::nn::Module>());
  for (std::size_t l = 0; l < plan.levels.size(); ++l) {
    const auto& [map, merge, shape] = plan.levels[l];
    levels_.push_back(map ? levels->register_module(std::to_string(l), Dense(*map))
                          : Dense(nullptr));
    shapes_.push_back(shape.empty() ? Mlp(nullptr)
                                    : shapes->register_module(std::to_string(l), Mlp(shape)));
  }
}

std::vector<torch::Tensor> EncoderImpl::forward(const torch::Tensor& points) {
  const auto seen_by_leaves = plan_.leaf.front().in;
  std::vector<torch::Tensor> features{
      leaf_features(leaf_, plan_.leaf, points.narrow(2, 0, seen_by_leaves))};
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    auto parents = climb(l, features.back());
    if (shapes_[l]) parents = parents + shapes_[l](subtree_rows(points, l, seen_by_leaves));
    features.push_back(parents);
  }
  return features;
}

torch::Tensor EncoderImpl::climb(std::size_t level, const torch::Tensor& children) {
  const inference::LevelPlan& plan = plan_.levels[level];
  if (plan.merge == inference::Merge::concat_mlp) {
    return levels_[level](
        children.reshape({children.size(0), children.size(1) / 2, 2 * children.size(2)}));
  }
  if (!levels_[level]) return max_of_pairs(children);
  if (is_training() && fits_training_kernels(children) && plan.map->norm &&
      plan.map->activation == inference::Activation::none) {
    return normalised_max_of_pairs(linear_product(levels_[level]->linear(), children),
                                   levels_[level]->norm());
  }
  return max_of_pairs(levels_[level](children));
}

torch::Tensor subtree_rows(const torch::Tensor& points, std::size_t level, std::int64_t first) {
  const std::int64_t half = std::int64_t{1} << level;
  return points.slice(1, half, std::nullopt, 2 * half).slice(2, first);
}

torch::Tensor max_of_pairs(const torch::Tensor& features) {
  return features.view({features.size(0), features.size(1) / 2, 2, features.size(2)}).amax(2);
}

}  // namespace pointtree::network
