// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scene.hpp"
#include "simulation/simulation.hpp"

namespace pointtree::cli {

/// A simulated scan in the world's axes, coloured by its true labels.
Scene truth_scene(const simulation::Simulation& simulation, const simulation::Scan& scan,
                  std::string title);

}  // namespace pointtree::cli
