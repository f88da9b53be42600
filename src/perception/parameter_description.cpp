// SPDX-License-Identifier: Apache-2.0
#include "perception/parameter_description.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <type_traits>
#include <utility>

#include "io/did_you_mean.hpp"

namespace pointtree::perception {
namespace {

/// A reference to one field; the same function serves reading and writing.
template <typename T>
using Field = T& (*)(PipelineConfig&);

template <typename T>
ParameterDescription describe(std::string name, Field<T> field, double minimum, double maximum,
                              std::string unit, std::string help) {
  // ParameterValue holds whole numbers in 64 bits, as YAML and ROS do.
  using Stored = std::conditional_t<std::is_same_v<T, int>, std::int64_t, T>;
  ParameterDescription description;
  description.name = std::move(name);
  description.unit = std::move(unit);
  description.help = std::move(help);
  description.minimum = minimum;
  description.maximum = maximum;
  description.get = [field](const PipelineConfig& config) -> ParameterValue {
    PipelineConfig copy = config;
    return static_cast<Stored>(field(copy));
  };
  description.set = [field](PipelineConfig& config, const ParameterValue& value) {
    field(config) = static_cast<T>(std::get<Stored>(value));
  };
  return description;
}

ParameterDescription describe_flag(std::string name, Field<bool> field, std::string help) {
  return describe(std::move(name), field, 0.0, 1.0, "", std::move(help));
}

template <typename Enum>
ParameterDescription describe_choice(std::string name, Field<Enum> field,
                                     const std::vector<Enum>& values, std::string help) {
  ParameterDescription description;
  description.name = std::move(name);
  description.help = std::move(help);
  std::map<std::string, Enum> by_name;
  for (const Enum value : values) {
    description.choices.emplace_back(to_string(value));
    by_name[description.choices.back()] = value;
  }
  description.get = [field](const PipelineConfig& config) -> ParameterValue {
    PipelineConfig copy = config;
    return std::string(to_string(field(copy)));
  };
  description.set = [field, by_name](PipelineConfig& config, const ParameterValue& value) {
    field(config) = by_name.at(std::get<std::string>(value));
  };
  return description;
}

using C = PipelineConfig;

std::vector<ParameterDescription> describe_frame() {
  return {
      describe_choice<Mode>(
          "mode", [](C& c) -> Mode& { return c.mode; }, {Mode::objects, Mode::blocks, Mode::scene},
          "what a cloud is cut into: objects above the ground, square columns, or the blocks of a "
          "whole lidar scan"),
      describe_choice<UpDirection>(
          "up", [](C& c) -> UpDirection& { return c.up; },
          {UpDirection::z, UpDirection::from_ground},
          "where up is: the cloud's z axis, or the normal of the ground seen (tilted or hanging "
          "sensor)"),
      describe<double>(
          "sensor_height", [](C& c) -> double& { return c.sensor_height; }, 0.0, 1e3, "m",
          "true height of the sensor above the ground, from which the cloud's unit follows where "
          "its calibration is in doubt; 0: the cloud is in metres"),
      describe<int>(
          "max_points", [](C& c) -> int& { return c.max_points; }, 1, 1e9, "points",
          "larger clouds are rejected"),
      describe<double>(
          "voxel_size", [](C& c) -> double& { return c.voxel_size; }, 0.0, 10.0, "m",
          "edge of the voxels that stand for their points in clustering; 0: off"),
      describe<int>(
          "max_objects", [](C& c) -> int& { return c.max_objects; }, 1, 4096, "",
          "objects classified in a frame, nearest first; the rest stay unclassified"),
      describe<double>(
          "min_confidence", [](C& c) -> double& { return c.min_confidence; }, 0.0, 1.0, "",
          "results less probable than this become unknown; in scene mode, things are no objects"),
      describe<int>(
          "seed", [](C& c) -> int& { return c.seed; }, 0, 2147483647.0, "",
          "seed of the sampling of points"),
      describe<double>(
          "crop.min_range", [](C& c) -> double& { return c.crop.min_range; }, 0.0, 1e4, "m",
          "nearer points are dropped (the robot itself, empty returns)"),
      describe<double>(
          "crop.max_range", [](C& c) -> double& { return c.crop.max_range; }, 0.1, 1e4, "m",
          "farther points are dropped"),
      describe<double>(
          "crop.min_height", [](C& c) -> double& { return c.crop.min_height; }, -1e4, 1e4, "m",
          "points lower than this above the sensor are dropped"),
      describe<double>(
          "crop.max_height", [](C& c) -> double& { return c.crop.max_height; }, -1e4, 1e4, "m",
          "points higher than this above the sensor are dropped"),
  };
}

std::vector<ParameterDescription> describe_objects() {
  return {
      describe_flag(
          "ground.remove", [](C& c) -> bool& { return c.ground.remove; },
          "take the ground away before clustering"),
      describe<double>(
          "ground.cell_size", [](C& c) -> double& { return c.ground.cell_size; }, 0.02, 10.0, "m",
          "edge of the cells in which the ground's height is found"),
      describe<double>(
          "ground.max_slope", [](C& c) -> double& { return c.ground.max_slope; }, 0.0, 2.0, "",
          "steepest ground, rise over run"),
      describe<double>(
          "ground.max_step", [](C& c) -> double& { return c.ground.max_step; }, 0.0, 2.0, "m",
          "highest step in the ground, such as a kerb"),
      describe<double>(
          "ground.clearance", [](C& c) -> double& { return c.ground.clearance; }, 0.0, 5.0, "m",
          "points lower than this above the ground belong to it"),
      describe<double>(
          "ground.terrace_area", [](C& c) -> double& { return c.ground.terrace_area; }, 0.0, 1e6,
          "m²", "level surfaces at least this large are ground too; 0: off"),
      describe<double>(
          "cluster.tolerance", [](C& c) -> double& { return c.cluster.tolerance; }, 0.01, 10.0, "m",
          "points at most this far apart belong together"),
      describe<int>(
          "cluster.min_points", [](C& c) -> int& { return c.cluster.min_points; }, 1, 1e6, "points",
          "smaller clusters are no objects"),
      describe<int>(
          "cluster.max_points", [](C& c) -> int& { return c.cluster.max_points; }, 1, 1e9, "points",
          "larger clusters are no objects"),
      describe<double>(
          "cluster.min_height", [](C& c) -> double& { return c.cluster.min_height; }, 0.0, 100.0,
          "m", "flatter clusters are no objects"),
      describe<double>(
          "cluster.max_length", [](C& c) -> double& { return c.cluster.max_length; }, 0.1, 1e4, "m",
          "longer clusters are no objects"),
  };
}

std::vector<ParameterDescription> describe_blocks_and_tracks() {
  return {
      describe<double>(
          "blocks.size", [](C& c) -> double& { return c.blocks.size; }, 0.05, 100.0, "m",
          "edge of a column"),
      describe<double>(
          "blocks.stride", [](C& c) -> double& { return c.blocks.stride; }, 0.05, 100.0, "m",
          "distance between columns; less than the size: they overlap and vote"),
      describe<int>(
          "blocks.min_points", [](C& c) -> int& { return c.blocks.min_points; }, 1, 1e6, "points",
          "columns with fewer points stay unknown"),
      describe<int>(
          "blocks.max_count", [](C& c) -> int& { return c.blocks.max_count; }, 1, 65536, "",
          "columns segmented in a frame, nearest first; the rest stay unknown"),
      describe<int>(
          "blocks.cuts", [](C& c) -> int& { return c.blocks.cuts; }, 1, 2, "",
          "scene mode: ways in which a scan is cut into blocks, whose labels vote; 2 takes the "
          "network twice as long"),
      describe<double>(
          "track.gate", [](C& c) -> double& { return c.track.gate; }, 0.0, 100.0, "m",
          "an object found farther than this from where it was expected is a new one"),
      describe<int>(
          "track.max_missed", [](C& c) -> int& { return c.track.max_missed; }, 0, 1000, "frames",
          "an object unseen for longer is forgotten"),
      describe<double>(
          "track.max_growth", [](C& c) -> double& { return c.track.max_growth; }, 1.0, 1000.0, "",
          "a cluster of so many times more or fewer points than an object had is another one"),
      describe<double>(
          "track.class_memory", [](C& c) -> double& { return c.track.class_memory; }, 0.0, 0.99, "",
          "share of the past in an object's scores; 0: every frame is decided alone"),
      describe<std::string>(
          "classes.allow", [](C& c) -> std::string& { return c.classes.allow; }, 0.0, 0.0, "",
          "names with commas: only these classes of the model can occur; empty: all"),
      describe<std::string>(
          "classes.deny", [](C& c) -> std::string& { return c.classes.deny; }, 0.0, 0.0, "",
          "names with commas: these can't; objects get the likeliest class left, points become "
          "unknown"),
      describe<std::string>(
          "classes.things", [](C& c) -> std::string& { return c.classes.things; }, 0.0, 0.0, "",
          "scene mode, names with commas: points of these classes are clustered into objects; "
          "those joined by slashes together"),
  };
}

double as_number(const ParameterValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::get<double>(value);
}

/// Empty where the value, already of the right type, obeys the parameter's own limits.
std::string fault_of(const ParameterRule& parameter, const ParameterValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    const auto& choices = parameter.choices;
    const auto unfit = [](unsigned char letter) {
      return letter < ' ' || letter == '"' || letter == '\\';
    };
    if (std::any_of(text->begin(), text->end(), unfit))
      return fmt::format("{}: expected names, found quotes or control characters", parameter.name);
    const bool is_choice = std::find(choices.begin(), choices.end(), *text) != choices.end();
    if (choices.empty() || is_choice) return {};
    return fmt::format("{} is '{}'; expected one of: {}", parameter.name, *text,
                       fmt::join(choices, ", "));
  }
  if (std::holds_alternative<bool>(value)) return {};
  const double number = as_number(value);
  // Written so that NaN is refused too.
  if (number >= parameter.minimum && number <= parameter.maximum) return {};
  return fmt::format("{} is {}; expected {} to {}{}{}", parameter.name, to_text(value),
                     parameter.minimum, parameter.maximum, parameter.unit.empty() ? "" : " ",
                     parameter.unit);
}

}  // namespace

const std::vector<ParameterDescription>& parameter_descriptions() {
  static const std::vector<ParameterDescription> kParameters = [] {
    std::vector<ParameterDescription> all = describe_frame();
    for (const auto& part : {describe_objects(), describe_blocks_and_tracks()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }();
  return kParameters;
}

tl::expected<ParameterValue, std::string> fit_value(const ParameterRule& rule,
                                                    const ParameterValue& current,
                                                    const ParameterValue& value) {
  ParameterValue wanted = value;
  if (std::holds_alternative<double>(current) && std::holds_alternative<std::int64_t>(value)) {
    wanted = as_number(value);
  }
  if (wanted.index() != current.index()) {
    return tl::unexpected(fmt::format("{} is {} ({}); expected a value of type {}", rule.name,
                                      to_text(value), type_name(value), type_name(current)));
  }
  if (std::string fault = fault_of(rule, wanted); !fault.empty()) {
    return tl::unexpected(std::move(fault));
  }
  return wanted;
}

tl::expected<void, std::string> set_parameter(PipelineConfig& config, std::string_view name,
                                              const ParameterValue& value) {
  const auto& all = parameter_descriptions();
  const auto parameter = std::find_if(
      all.begin(), all.end(), [&](const auto& candidate) { return candidate.name == name; });
  if (parameter == all.end()) {
    std::vector<std::string> names;
    for (const ParameterDescription& each : all) names.push_back(each.name);
    return tl::unexpected(
        fmt::format("there is no parameter '{}'{}", name, io::did_you_mean(name, names)));
  }
  const auto wanted = fit_value(*parameter, parameter->get(config), value);
  if (!wanted) return tl::unexpected(wanted.error());
  parameter->set(config, *wanted);
  return {};
}

std::vector<std::string> validate(const PipelineConfig& config) {
  std::vector<std::string> faults;
  for (const ParameterDescription& parameter : parameter_descriptions()) {
    std::string fault = fault_of(parameter, parameter.get(config));
    if (!fault.empty()) faults.push_back(std::move(fault));
  }
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

std::string_view type_name(const ParameterValue& value) {
  switch (value.index()) {
    case 0:
      return "boolean";
    case 1:
      return "integer";
    case 2:
      return "real";
    default:
      return "text";
  }
}

std::string to_text(const ParameterValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  // "2.0", never "2": ROS refuses an integer where a parameter is declared real.
  std::string number = fmt::format("{}", std::get<double>(value));
  if (number.find_first_not_of("-0123456789") == std::string::npos) number += ".0";
  return number;
}

std::string allowed_values(const ParameterRule& rule, const ParameterValue& value) {
  if (std::holds_alternative<bool>(value)) return "true, false";
  if (std::holds_alternative<std::string>(value)) {
    return rule.choices.empty() ? "any" : fmt::format("{}", fmt::join(rule.choices, ", "));
  }
  return fmt::format("{} … {}", rule.minimum, rule.maximum);
}

std::string parameter_table() {
  const PipelineConfig objects = default_config(Mode::objects);
  const PipelineConfig blocks = default_config(Mode::blocks);
  const PipelineConfig scene = default_config(Mode::scene);
  std::string table =
      "| parameter | type | objects | blocks | scene | allowed | unit | meaning "
      "|\n|---|---|---|---|---|---|---|---|\n";
  for (const ParameterDescription& parameter : parameter_descriptions()) {
    const ParameterValue value = parameter.get(objects);
    table += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} | {} |\n", parameter.name,
                         type_name(value), to_text(value), to_text(parameter.get(blocks)),
                         to_text(parameter.get(scene)), allowed_values(parameter, value),
                         parameter.unit, parameter.help);
  }
  return table;
}

}  // namespace pointtree::perception
