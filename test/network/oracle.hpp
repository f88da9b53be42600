// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pointtree/inference/model_config.hpp"

namespace pointtree::network {

/// Evaluates a network in evaluation mode as plain loops over tree nodes, in double precision and
/// without tensors.
class Oracle {
 public:
  using Vector = std::vector<double>;
  using Rows = std::vector<Vector>;

  /// Weights by their stored names, row-major.
  Oracle(const inference::ModelConfig& config, std::map<std::string, Vector> weights);

  /// Points in leaf order → one row of logits, or one per leaf. `owner` names the point in each
  /// leaf where points repeat; empty otherwise.
  Rows logits(Rows points, const std::vector<int>& owner = {}) const;

 private:
  bool has(const std::string& layer) const { return weights_.count(layer + ".linear.weight") > 0; }
  Vector dense(const std::string& layer, const Vector& input, bool relu = false) const;
  Vector mlp(const std::string& name, Vector value, bool relu_between = false) const;
  Vector parent(const std::string& level, const Vector& left, const Vector& right) const;
  Vector leaf_channels(const Vector& point) const;
  std::vector<Rows> encode(const std::string& name, const Rows& points) const;
  Vector pool_levels(const std::vector<Rows>& levels) const;
  Rows decode(const std::string& name, const std::vector<Rows>& levels) const;
  Rows align(Rows points) const;

  inference::ModelConfig config_;
  std::map<std::string, Vector> weights_;
};

}  // namespace pointtree::network
