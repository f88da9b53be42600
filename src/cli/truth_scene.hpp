#pragma once

#include "pointtree/data/simulation.hpp"
#include "scene.hpp"

namespace pointtree::cli {

/// A simulated scan in the world's axes, coloured by its true labels.
Scene truth_scene(const data::Simulation& simulation, const data::Scan& scan, std::string title);

}  // namespace pointtree::cli
