// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "scene.hpp"

namespace pointtree::cli {

/// Colours that differ for people with any colour vision, on a dark ground and beside its greys:
/// pairwise at least 20 apart in CIELAB as trichromats, protanopes, deuteranopes and tritanopes see
/// them.
const std::vector<Colour>& distinct_colours();

/// Gives the classes of scenes that are shown together those colours, the same class the same
/// colour, as far as they reach; further classes keep the model's.
void colour_distinctly(std::vector<Scene>& scenes);

}  // namespace pointtree::cli
