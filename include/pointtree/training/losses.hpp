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
at::Tensor cross_entropy(const at::Tensor& logits, const at::Tensor& targets, double smoothing,
                         const at::Tensor& allowed = {});

/// The most likely class per row, [..., C] → [...] int64, among the allowed ones where given.
at::Tensor predict(const at::Tensor& logits, const at::Tensor& allowed = {});

/// A table [classes, parts] of bool: which parts a cloud of each class may hold.
at::Tensor allowed_parts(const std::vector<std::vector<std::int32_t>>& parts_of_class,
                         std::int64_t parts);

}  // namespace pointtree::training
