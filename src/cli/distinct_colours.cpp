// SPDX-License-Identifier: Apache-2.0
#include "distinct_colours.hpp"

#include <map>
#include <string>

namespace pointtree::cli {

const std::vector<Colour>& distinct_colours() {
  static const std::vector<Colour> kColours{{204, 136, 238}, {255, 85, 0},   {136, 255, 153},
                                            {85, 119, 255},  {255, 221, 0},  {153, 68, 51},
                                            {68, 170, 119},  {102, 17, 255}, {255, 153, 221},
                                            {136, 187, 85},  {204, 51, 170}, {153, 17, 187}};
  return kColours;
}

void colour_distinctly(std::vector<Scene>& scenes) {
  std::map<std::string, Colour> chosen;
  for (Scene& scene : scenes) {
    std::map<Colour, Colour> changes;
    for (LegendEntry& entry : scene.legend) {
      if (!entry.is_class) continue;
      auto found = chosen.find(entry.name);
      if (found == chosen.end()) {
        const bool left = chosen.size() < distinct_colours().size();
        found = chosen.emplace(entry.name, left ? distinct_colours()[chosen.size()] : entry.colour)
                    .first;
      }
      changes[entry.colour] = found->second;
      entry.colour = found->second;
    }
    const auto change = [&](Colour& colour) {
      if (const auto found = changes.find(colour); found != changes.end()) colour = found->second;
    };
    for (ScenePoint& point : scene.points) {
      change(point.colour);
      change(point.truth);
    }
    for (SceneBox& box : scene.boxes) change(box.colour);
  }
}

}  // namespace pointtree::cli
