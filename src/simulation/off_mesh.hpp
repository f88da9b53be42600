// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "simulation/triangle_mesh.hpp"

namespace pointtree::simulation {

/// Reads a mesh in the Object File Format; polygons are cut into triangles from their first corner.
/// Also takes files whose counts follow `OFF` without a line end, as many of ModelNet's do. Throws
/// std::runtime_error naming the file, what was expected and what was found.
TriangleMesh read_off(const std::filesystem::path& path);

}  // namespace pointtree::simulation
