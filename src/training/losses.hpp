// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace pointtree::training {

/// Mean cross-entropy over the rows whose target is not −1.
///
/// `logits` [..., C], `targets` [...] int64. With `allowed` [..., C] (bool, broadcast against
/// logits) only the allowed classes compete: the loss of a part segmentation whose category is
/// known. `smoothing` spreads that share of the target evenly over the classes that compete.
/// `weights` [C] multiplies the loss of each row by its target's.
at::Tensor cross_entropy(const at::Tensor& logits, const at::Tensor& targets, double smoothing,
                         const at::Tensor& allowed = {}, const at::Tensor& weights = {});

/// How often each class is among the targets, [...] int64 → [classes] float; −1 is not counted.
at::Tensor class_counts(const at::Tensor& targets, std::int64_t classes);

/// Weights that make rare classes count for more: share^−power, scaled to a mean of 1 over the rows
/// that were counted. 0: all alike; 1: every class that occurs counts for as much as any other.
at::Tensor class_weights(const at::Tensor& counts, double power);

/// The most likely class per row, [..., C] → [...] int64, among the allowed ones where given.
at::Tensor predict(const at::Tensor& logits, const at::Tensor& allowed = {});

/// A table [classes, parts] of bool: which parts a cloud of each class may hold.
at::Tensor allowed_parts(const std::vector<std::vector<std::int32_t>>& parts_of_class,
                         std::int64_t parts);

}  // namespace pointtree::training
