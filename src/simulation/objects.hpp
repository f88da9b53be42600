// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pointtree/geometry/random.hpp"
#include "simulation/triangle_mesh.hpp"

namespace pointtree::simulation {

/// The names of all kinds of objects: the classes of ModelNet40 in their order, then those that
/// only streets have.
const std::vector<std::string>& object_classes();

/// The forty class names of ModelNet40.
const std::vector<std::string>& modelnet40_classes();

/// One object in life size: metres, front to +x, standing on z = 0 with the middle of its bounding
/// box over the origin. Throws std::invalid_argument naming an unknown kind.
TriangleMesh make_object(std::string_view kind, geometry::Random& random);

}  // namespace pointtree::simulation
