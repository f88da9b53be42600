#include "pointtree/training/losses.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/zeros.h>

#include <limits>
#include <stdexcept>
#include <string>

namespace pointtree::training {

at::Tensor cross_entropy(const at::Tensor& logits, const at::Tensor& targets, double smoothing,
                         const at::Tensor& allowed) {
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
  const auto counted = known.to(losses.scalar_type());
  return (losses * counted).sum() / counted.sum().clamp_min(1.0);
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
