// SPDX-License-Identifier: Apache-2.0
#include "pointtree/perception/pipeline_config.hpp"

namespace pointtree::perception {

PipelineConfig default_config(Mode mode) {
  PipelineConfig config;
  config.mode = mode;
  if (mode == Mode::blocks) {
    // Columns hold everything that stands in them, floor and ceiling too.
    config.ground.remove = false;
    config.up = UpDirection::z;  // a room shows more of its ceiling than of its floor
    config.voxel_size = 0.0;
    config.crop.max_range = 30.0;
    config.min_confidence = 0.0;
  } else if (mode == Mode::scene) {
    config.voxel_size = 0.2;
    config.min_confidence = 0.4;
    config.crop.min_range = 2.0;  // what is nearer is the vehicle itself
    config.crop.max_height = 30.0;
    config.blocks.cuts = 2;
    config.classes.things =
        "car/truck/other-vehicle, bicycle/motorcycle/person/bicyclist/motorcyclist";
  }
  return config;
}

std::string_view to_string(Mode mode) {
  switch (mode) {
    case Mode::objects:
      return "objects";
    case Mode::blocks:
      return "blocks";
    case Mode::scene:
      return "scene";
  }
  return "";
}

std::string_view to_string(UpDirection up) { return up == UpDirection::z ? "z" : "from_ground"; }

}  // namespace pointtree::perception
