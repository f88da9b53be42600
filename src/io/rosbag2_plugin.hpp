// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <tl/expected.hpp>

#include "pointtree/io/bag.hpp"

namespace pointtree::io {

/// What the plugin offers: opens a bag by rosbag2_cpp; throws std::exception where it can't.
using OpenRosbag2 = BagReader* (*)(const char* path);
constexpr const char* kOpenRosbag2Symbol = "pointtree_open_rosbag2";

/// The plugin's function, or why there is none. The plugin lies beside this library where the
/// package was built with rosbag2_cpp; everything else needs no ROS.
tl::expected<OpenRosbag2, std::string> rosbag2_plugin();

}  // namespace pointtree::io
