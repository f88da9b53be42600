// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "pointtree/io/byte_view.hpp"
#include "pointtree/io/read_limits.hpp"

namespace pointtree::io {

/// Unpacks the members of a ZIP archive in memory, stored or deflated, and checks their CRC-32;
/// names are keys, never paths. Throws ReadError where the archive is damaged or a member or their
/// sum is beyond the ceiling.
std::map<std::string, Bytes> unzip(ByteView file, const ReadLimits& limits);

}  // namespace pointtree::io
