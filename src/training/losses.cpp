// SPDX-License-Identifier: Apache-2.0
#include "training/losses.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/zeros.h>

#include <limits>
#include <stdexcept>
#include <string>

namespace pointtree::training {

at::Tensor cross_entropy(const at::Tensor& logits, const at::Tensor& targets, double smoothing,
                         const at::Tensor& allowed, const at::Tensor& weights) {
  // A large finite number instead of infinity keeps 0 · logp = 0 in the smoothing term.
  constexpr double kForbidden = -1e9;
  const auto masked =
      allowed.defined() ? logits.masked_fill(allowed.logical_not(), kForbidden) : logits;
  const auto log_likelihoods = masked.log_softmax(-1);
  const auto known = targets.ge(0);
  const auto index = targets.clamp_min(0).unsqueeze(-1);
  auto losses = -log_likelihoods.gather(-1, index).squeeze(-1);
  if (smoothing > 0.0) {
    at::Tensor spread_evenly;
    if (allowed.defined()) {
      const auto competing = allowed.to(logits.scalar_type());
      spread_evenly = -(log_likelihoods * competing).sum(-1) / competing.sum(-1);
    } else {
      spread_evenly = -log_likelihoods.mean(-1);
    }
    losses = losses * (1.0 - smoothing) + spread_evenly * smoothing;
  }
  if (weights.defined()) {
    losses = losses * weights.index_select(0, index.reshape({-1})).view(losses.sizes());
  }
  const auto counted = known.to(losses.scalar_type());
  return (losses * counted).sum() / counted.sum().clamp_min(1.0);
}

at::Tensor class_counts(const at::Tensor& targets, std::int64_t classes) {
  const auto flat = targets.reshape({-1});
  return flat.masked_select(flat.ge(0)).bincount({}, classes).to(at::kFloat);
}

at::Tensor class_weights(const at::Tensor& counts, double power) {
  const auto shares = counts / counts.sum().clamp_min(1.0);
  const auto weights = shares.clamp_min(1e-12).pow(-power).mul(shares.gt(0.0));
  return weights / (weights * shares).sum().clamp_min(1e-12);
}

at::Tensor predict(const at::Tensor& logits, const at::Tensor& allowed) {
  if (!allowed.defined()) return logits.argmax(-1);
  return logits.masked_fill(allowed.logical_not(), -std::numeric_limits<double>::infinity())
      .argmax(-1);
}

at::Tensor allowed_parts(const std::vector<std::vector<std::int32_t>>& parts_of_class,
                         std::int64_t parts) {
  auto table = at::zeros({static_cast<std::int64_t>(parts_of_class.size()), parts}, at::kBool);
  auto cells = table.accessor<bool, 2>();
  for (std::size_t c = 0; c < parts_of_class.size(); ++c) {
    for (const auto part : parts_of_class[c]) {
      if (part < 0 || part >= parts) {
        throw std::invalid_argument("class " + std::to_string(c) + " has part " +
                                    std::to_string(part) + ", expected 0.." +
                                    std::to_string(parts - 1));
      }
      cells[static_cast<std::int64_t>(c)][part] = true;
    }
  }
  return table;
}

}  // namespace pointtree::training
