// SPDX-License-Identifier: Apache-2.0
#include "memory_file.hpp"
#include "pointtree/geometry/random.hpp"
#include "simulation/triangle_mesh.hpp"

/// A mesh is refused by the file's name, or all its corners exist and its surface can be sampled.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pointtree;  // NOLINT(google-build-using-namespace)
  return fuzz::refuse_or_open<std::runtime_error>(data, size, [](const auto& path) {
    const auto mesh = simulation::read_off(path);
    for (const auto& triangle : mesh.triangles) {
      if (triangle.minCoeff() < 0) std::abort();
      if (static_cast<std::size_t>(triangle.maxCoeff()) >= mesh.vertices.size()) std::abort();
    }
    try {
      geometry::Random random(1);
      if (!simulation::sample_surface(mesh, 16, random).points.allFinite()) std::abort();
    } catch (const std::invalid_argument&) {
      return;  // no area
    }
  });
}
