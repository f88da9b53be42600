#pragma once

#include "pointtree/simulation/simulation.hpp"
#include "scene.hpp"

namespace pointtree::cli {

/// A simulated scan in the world's axes, coloured by its true labels.
Scene truth_scene(const simulation::Simulation& simulation, const simulation::Scan& scan,
                  std::string title);

}  // namespace pointtree::cli
