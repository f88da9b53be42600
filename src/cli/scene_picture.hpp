// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "scene.hpp"

namespace pointtree::cli {

/// Draws a scene as a PNG: from above on the left, in perspective on the right, legend below.
/// Throws std::runtime_error where the file can't be written.
void draw_scene(const Scene& scene, const std::filesystem::path& path);

}  // namespace pointtree::cli
