// SPDX-License-Identifier: Apache-2.0
#include "pointtree/perception/pipeline_config.hpp"

#include <spdlog/fmt/fmt.h>
#include <yaml-cpp/yaml.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "io/fields.hpp"

namespace pointtree::perception {
namespace {

/// A text of names with commas, for which a list in a file may stand.
io::Field names(std::string key, std::string& value, std::string help) {
  io::Field field(std::move(key), value, std::move(help));
  field.joined = true;
  return field;
}

[[noreturn]] void refuse(const std::string& source, const std::string& reason) {
  throw std::runtime_error(fmt::format("{}: {}", source, reason));
}

}  // namespace

io::Fields fields_of(PipelineConfig& c) {
  return {
      {"mode", c.mode,
       "what a cloud is cut into: objects above the ground, square columns, or the blocks of a "
       "whole lidar scan"},
      {"up", c.up,
       "where up is: the cloud's z axis, or the normal of the ground seen (tilted or hanging "
       "sensor)"},
      {"sensor_height",
       c.sensor_height,
       "true height of the sensor above the ground, from which the cloud's unit follows where its "
       "calibration is in doubt; 0: the cloud is in metres",
       {0, 1e3, "m"}},
      {"max_points", c.max_points, "larger clouds are rejected", {1, 1e9, "points"}},
      {"voxel_size",
       c.voxel_size,
       "edge of the voxels that stand for their points in clustering; 0: off",
       {0, 10, "m"}},
      {"max_objects",
       c.max_objects,
       "objects classified in a frame, nearest first; the rest stay unclassified",
       {1, 4096}},
      {"min_confidence",
       c.min_confidence,
       "results less probable than this become unknown; in scene mode, things are no objects",
       {0, 1}},
      {"seed", c.seed, "seed of the sampling of points", {0, 2147483647}},
      {"crop.min_range",
       c.crop.min_range,
       "nearer points are dropped (the robot itself, empty returns)",
       {0, 1e4, "m"}},
      {"crop.max_range", c.crop.max_range, "farther points are dropped", {0.1, 1e4, "m"}},
      {"crop.min_height",
       c.crop.min_height,
       "points lower than this above the sensor are dropped",
       {-1e4, 1e4, "m"}},
      {"crop.max_height",
       c.crop.max_height,
       "points higher than this above the sensor are dropped",
       {-1e4, 1e4, "m"}},
      {"ground.remove", c.ground.remove, "take the ground away before clustering"},
      {"ground.cell_size",
       c.ground.cell_size,
       "edge of the cells in which the ground's height is found",
       {0.02, 10, "m"}},
      {"ground.max_slope", c.ground.max_slope, "steepest ground, rise over run", {0, 2}},
      {"ground.max_step",
       c.ground.max_step,
       "highest step in the ground, such as a kerb",
       {0, 2, "m"}},
      {"ground.clearance",
       c.ground.clearance,
       "points lower than this above the ground belong to it",
       {0, 5, "m"}},
      {"ground.terrace_area",
       c.ground.terrace_area,
       "level surfaces at least this large are ground too; 0: off",
       {0, 1e6, "m²"}},
      {"cluster.tolerance",
       c.cluster.tolerance,
       "points at most this far apart belong together",
       {0.01, 10, "m"}},
      {"cluster.min_points",
       c.cluster.min_points,
       "smaller clusters are no objects",
       {1, 1e6, "points"}},
      {"cluster.max_points",
       c.cluster.max_points,
       "larger clusters are no objects",
       {1, 1e9, "points"}},
      {"cluster.min_height",
       c.cluster.min_height,
       "flatter clusters are no objects",
       {0, 100, "m"}},
      {"cluster.max_length",
       c.cluster.max_length,
       "longer clusters are no objects",
       {0.1, 1e4, "m"}},
      {"blocks.size", c.blocks.size, "edge of a column", {0.05, 100, "m"}},
      {"blocks.stride",
       c.blocks.stride,
       "distance between columns; less than the size: they overlap and vote",
       {0.05, 100, "m"}},
      {"blocks.min_points",
       c.blocks.min_points,
       "columns with fewer points stay unknown",
       {1, 1e6, "points"}},
      {"blocks.max_count",
       c.blocks.max_count,
       "columns segmented in a frame, nearest first; the rest stay unknown",
       {1, 65536}},
      {"blocks.cuts",
       c.blocks.cuts,
       "scene mode: ways in which a scan is cut into blocks, whose labels vote; 2 takes the "
       "network twice as long",
       {1, 2}},
      {"track.gate",
       c.track.gate,
       "an object found farther than this from where it was expected is a new one",
       {0, 100, "m"}},
      {"track.max_missed",
       c.track.max_missed,
       "an object unseen for longer is forgotten",
       {0, 1000, "frames"}},
      {"track.max_growth",
       c.track.max_growth,
       "a cluster of so many times more or fewer points than an object had is another one",
       {1, 1000}},
      {"track.class_memory",
       c.track.class_memory,
       "share of the past in an object's scores; 0: every frame is decided alone",
       {0, 0.99}},
      names("classes.allow", c.classes.allow,
            "names with commas: only these classes of the model can occur; empty: all"),
      names("classes.deny", c.classes.deny,
            "names with commas: these can't; objects get the likeliest class left, points become "
            "unknown"),
      names("classes.things", c.classes.things,
            "scene mode, names with commas: points of these classes are clustered into objects; "
            "those joined by slashes together"),
  };
}

std::vector<std::string> validate(const PipelineConfig& config) {
  PipelineConfig copy = config;
  std::vector<std::string> faults = io::out_of_limits(fields_of(copy));
  const auto require_less = [&](std::string_view low_name, double low, std::string_view high_name,
                                double high) {
    if (low <= high) return;
    faults.push_back(
        fmt::format("{} is {}, more than {}, which is {}", low_name, low, high_name, high));
  };
  require_less("crop.min_range", config.crop.min_range, "crop.max_range", config.crop.max_range);
  require_less("crop.min_height", config.crop.min_height, "crop.max_height",
               config.crop.max_height);
  require_less("cluster.min_points", config.cluster.min_points, "cluster.max_points",
               config.cluster.max_points);
  require_less("blocks.stride", config.blocks.stride, "blocks.size", config.blocks.size);
  require_less("blocks.size", config.blocks.size, "8 times blocks.stride",
               8.0 * config.blocks.stride);
  // Cells are numbered in 20 bits per axis, and the clusterer's are smaller than its tolerance.
  const double span = 2.0 * config.crop.max_range / (1 << 20);
  require_less("2 crop.max_range / 2^20", span, "half cluster.tolerance",
               0.5 * config.cluster.tolerance);
  if (config.voxel_size > 0.0) {
    require_less("2 crop.max_range / 2^20", span, "voxel_size", config.voxel_size);
  }
  return faults;
}

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
  }
  return config;
}

PipelineConfig parse_config(const std::string& text, const std::string& source) {
  YAML::Node root;
  try {
    root = YAML::Load(text);
  } catch (const YAML::Exception& error) {
    refuse(source, error.what());
  }
  if (!root.IsMap()) refuse(source, "expected a map of parameters");
  PipelineConfig config;
  if (const YAML::Node mode = root["mode"]; mode && mode.IsScalar()) {
    for (const Mode each : {Mode::blocks, Mode::scene}) {
      if (mode.Scalar() == to_string(each)) config = default_config(each);
    }
  }
  std::vector<std::string> faults = io::read_yaml(root, fields_of(config));
  if (faults.empty()) faults = validate(config);
  if (!faults.empty()) refuse(source, fmt::format("{}", fmt::join(faults, "; ")));
  return config;
}

PipelineConfig read_config(const std::string& path) {
  std::ifstream file(path);
  if (!file) refuse(path, "cannot be opened");
  std::ostringstream text;
  text << file.rdbuf();
  return parse_config(text.str(), path);
}

std::string to_yaml(const PipelineConfig& config) {
  PipelineConfig copy = config;
  return "# Configuration of the perception pipeline; every parameter with its meaning.\n" +
         io::to_yaml(fields_of(copy));
}

}  // namespace pointtree::perception
