// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include "pointtree/io/bag.hpp"

namespace pointtree::io {

/// Opens a rosbag2 SQLite file; throws ReadError where it is none or nothing in it can be read.
std::unique_ptr<BagReader> open_sqlite_bag(const std::filesystem::path& path,
                                           const ReadLimits& limits);

}  // namespace pointtree::io
