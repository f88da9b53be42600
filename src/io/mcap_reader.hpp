// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "byte_source.hpp"
#include "pointtree/io/bag.hpp"

namespace pointtree::io {

/// Opens an MCAP file; throws ReadError where it does not begin as one.
std::unique_ptr<BagReader> open_mcap(std::unique_ptr<ByteSource> source, const ReadLimits& limits);

}  // namespace pointtree::io
