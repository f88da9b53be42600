// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pointtree/geometry/enum_names.hpp"

namespace pointtree::io {
struct Field;
}

namespace pointtree::perception {

/// What the pipeline cuts a cloud into.
enum class Mode {
  objects,  ///< clusters of points above the ground, one class each
  blocks,   ///< square columns, one class per point
  scene,    ///< a whole lidar scan, one class per point; things among them become objects
};
constexpr std::array<std::string_view, 3> names_of(Mode /*of*/) {
  return {"objects", "blocks", "scene"};
}

/// Where "up" is in the sensor's frame.
enum class UpDirection {
  z,            ///< along z: the sensor is level, or the cloud was transformed to a level frame
  from_ground,  ///< along the normal of the ground seen in the cloud; for tilted or hanging sensors
};
constexpr std::array<std::string_view, 2> names_of(UpDirection /*of*/) {
  return {"z", "from_ground"};
}
using pointtree::to_string;

/// Which points take part at all.
struct CropConfig {
  double min_range = 0.5;
  double max_range = 80.0;
  double min_height = -20.0;
  double max_height = 20.0;
};

/// How the ground is separated from what stands on it.
struct GroundConfig {
  bool remove = true;
  double cell_size = 0.5;
  double max_slope = 0.25;
  double max_step = 0.15;
  double clearance = 0.12;
  double terrace_area = 40.0;
};

/// How points are joined into clusters, and which clusters are worth classifying.
struct ClusterConfig {
  double tolerance = 0.4;
  int min_points = 20;
  int max_points = 40000;
  double min_height = 0.2;
  double max_length = 30.0;
};

/// How a scene is cut into columns.
struct BlockConfig {
  double size = 2.2;
  double stride = 2.2;
  int min_points = 64;
  int max_count = 256;
  int cuts = 1;
};

/// How an object is followed from frame to frame.
struct TrackConfig {
  double gate = 2.0;
  int max_missed = 5;
  double max_growth = 2.0;
  double class_memory = 0.7;
};

/// Which of the model's classes can occur where the robot is; names with commas between them.
struct ClassesConfig {
  std::string allow;  ///< only these; empty: all
  std::string deny;   ///< none of these
  /// Scene mode: what becomes objects; names with slashes between them are clustered together.
  std::string things = "car/truck/other-vehicle, bicycle/motorcycle/person/bicyclist/motorcyclist";
};

/// All parameters of the pipeline; documented in fields_of().
struct PipelineConfig {
  Mode mode = Mode::objects;
  UpDirection up = UpDirection::from_ground;
  double sensor_height = 0.0;
  int max_points = 4'000'000;
  double voxel_size = 0.1;
  int max_objects = 256;
  double min_confidence = 0.3;
  int seed = 1;
  CropConfig crop;
  GroundConfig ground;
  ClusterConfig cluster;
  BlockConfig blocks;
  TrackConfig track;
  ClassesConfig classes;
};

/// Its parameters with their meanings and limits, in the order of the documentation.
std::vector<io::Field> fields_of(PipelineConfig& config);

/// Every rule the configuration breaks, one sentence each, including rules between parameters.
std::vector<std::string> validate(const PipelineConfig& config);

/// The defaults of a mode, as shipped in config/objects.yaml, blocks.yaml and scene.yaml.
PipelineConfig default_config(Mode mode);

/// Reads a configuration file over the defaults of its mode; throws std::runtime_error with the
/// file and every wrong or unknown key.
PipelineConfig read_config(const std::string& path);

/// Reads configuration text; `source` names it in errors.
PipelineConfig parse_config(const std::string& text, const std::string& source);

/// The configuration as a YAML document with each parameter's meaning beside it.
std::string to_yaml(const PipelineConfig& config);

}  // namespace pointtree::perception
