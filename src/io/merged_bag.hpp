// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "pointtree/io/bag.hpp"

namespace pointtree::io {

/// Several files read as one bag in the order of log times; a file is only read from when its time
/// has come. Where messages are zstd-compressed one by one, they are unpacked up to the ceiling.
std::unique_ptr<BagReader> merge_bags(std::vector<std::unique_ptr<BagReader>> parts,
                                      bool packed_messages, const ReadLimits& limits);

}  // namespace pointtree::io
