// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "scene.hpp"

namespace pointtree::cli {

/// Writes scenes as one self-contained HTML page with an orbiting view; it needs no network. The
/// page says how many frames were left out. Points are thinned out evenly so that they take at most
/// `max_bytes` of the page. Throws std::invalid_argument for no scenes,
/// std::runtime_error where the file can't be written.
void write_scene_page(const std::vector<Scene>& scenes, const std::filesystem::path& path,
                      std::size_t left_out = 0, std::size_t max_bytes = 7'500'000);

/// The page without its scenes.
const char* scene_page_text();

}  // namespace pointtree::cli
