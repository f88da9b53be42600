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
  }
  return config;
}

std::string_view to_string(Mode mode) { return mode == Mode::objects ? "objects" : "blocks"; }

std::string_view to_string(UpDirection up) { return up == UpDirection::z ? "z" : "from_ground"; }

}  // namespace pointtree::perception
