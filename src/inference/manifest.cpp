// SPDX-License-Identifier: Apache-2.0
#include "inference/manifest.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

#include "config_names.hpp"
#include "io/atomic_file.hpp"
#include "io/did_you_mean.hpp"
#include "io/yaml_line.hpp"

namespace pointtree::inference {
namespace {

constexpr const char* kFormat = "pointtree-model";
constexpr int kVersion = 1;
constexpr std::uintmax_t kMaxManifestBytes = 1 << 20;

[[noreturn]] void refuse(const std::string& key, const std::string& expected,
                         const std::string& found) {
  throw std::invalid_argument(key + ": expected " + expected + ", found " + found);
}

std::string shown(const YAML::Node& node) {
  if (!node || node.IsNull()) return "nothing";
  if (node.IsSequence()) return "a list";
  if (node.IsMap()) return "a map";
  return "'" + node.Scalar() + "'";
}

template <typename T>
T value_of(const YAML::Node& node, const std::string& key, const char* expected) {
  T value{};
  if (!node || !node.IsScalar() || !YAML::convert<T>::decode(node, value)) {
    refuse(key, expected, shown(node));
  }
  return value;
}

std::string text_of(const YAML::Node& node, const std::string& key) {
  if (!node) return {};
  return value_of<std::string>(node, key, "a text");
}

/// The name of a folder in the bundle's own: a manifest names no place elsewhere.
std::string folder_name(const YAML::Node& node, const std::string& key) {
  constexpr const char* kExpected = "names of folders in the bundle";
  auto name = value_of<std::string>(node, key, kExpected);
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos) {
    refuse(key, kExpected, shown(node));
  }
  return name;
}

YAML::Node list_of(const YAML::Node& parent, const std::string& key) {
  const YAML::Node node = parent[key];
  if (node && !node.IsSequence()) refuse(key, "a list", shown(node));
  return node ? node : YAML::Node(YAML::NodeType::Sequence);
}

YAML::Node map_of(const YAML::Node& parent, const std::string& key) {
  const YAML::Node node = parent[key];
  if (!node || !node.IsMap()) refuse(key, "a map", shown(node));
  return node;
}

void refuse_unknown(const YAML::Node& map, const std::string& prefix,
                    const std::set<std::string>& known) {
  for (const auto& entry : map) {
    const auto key = entry.first.as<std::string>();
    if (known.count(key) == 0)
      throw std::invalid_argument(io::line_of(entry.first) + prefix + key +
                                  ": not a key of a model bundle" +
                                  io::did_you_mean(key, {known.begin(), known.end()}));
  }
}

ClassInfo read_class(const YAML::Node& node, const std::string& key) {
  if (!node.IsMap()) refuse(key, "a map with name and colour", shown(node));
  refuse_unknown(node, key + ".", {"name", "colour"});
  ClassInfo info;
  info.name = value_of<std::string>(node["name"], key + ".name", "a text");
  const YAML::Node colour = node["colour"];
  if (!colour || !colour.IsSequence() || colour.size() != 3) {
    refuse(key + ".colour", "three numbers from 0 to 255", shown(colour));
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const int part = value_of<int>(colour[i], key + ".colour", "three numbers from 0 to 255");
    if (part < 0 || part > 255) {
      refuse(key + ".colour", "three numbers from 0 to 255", std::to_string(part));
    }
    info.colour[i] = static_cast<std::uint8_t>(part);
  }
  return info;
}

Score read_score(const YAML::Node& node, const std::string& key) {
  if (!node.IsMap()) refuse(key, "a map with metric and value", shown(node));
  refuse_unknown(node, key + ".", {"metric", "value", "data", "command"});
  return {value_of<std::string>(node["metric"], key + ".metric", "a text"),
          value_of<double>(node["value"], key + ".value", "a number"),
          text_of(node["data"], key + ".data"), text_of(node["command"], key + ".command")};
}

void read_weights(const YAML::Node& node, Manifest& manifest) {
  refuse_unknown(node, "weights.", {"precision", "bytes", "sha256"});
  manifest.precision =
      enum_value<Precision>("weights.precision", text_of(node["precision"], "weights.precision"));
  manifest.weights_bytes =
      value_of<std::uint64_t>(node["bytes"], "weights.bytes", "the size of weights.safetensors");
  manifest.weights_sha256 = text_of(node["sha256"], "weights.sha256");
  const auto& sum = manifest.weights_sha256;
  if (sum.size() != 64 || sum.find_first_not_of("0123456789abcdef") != std::string::npos) {
    refuse("weights.sha256", "64 lower-case hexadecimal digits", shown(node["sha256"]));
  }
}

ModelConfig read_config(const YAML::Node& node) {
  try {
    return model_config(node);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument("model." + std::string(error.what()));
  }
}

void check_counts(const Manifest& manifest) {
  const auto require = [](const char* key, std::size_t found, int expected, const char* source) {
    if (found != static_cast<std::size_t>(expected)) {
      refuse(key, std::to_string(expected) + " entries as in " + source, std::to_string(found));
    }
  };
  require("classes", manifest.classes.size(), manifest.model.classes, "model.classes");
  require("channels", manifest.channels.size(), manifest.model.extra_channels,
          "model.extra_channels");
}

Manifest parse_manifest(const YAML::Node& node) {
  if (!node.IsMap()) refuse("manifest", "a map", shown(node));
  const auto format = text_of(node["format"], "format");
  if (format != kFormat) refuse("format", kFormat, shown(node["format"]));
  const int version = value_of<int>(node["version"], "version", "a number");
  if (version != kVersion) refuse("version", std::to_string(kVersion), std::to_string(version));
  refuse_unknown(node, "",
                 {"format", "version", "name", "description", "model", "classes", "channels",
                  "units", "ensemble", "training", "scores", "weights"});
  Manifest manifest;
  manifest.name = value_of<std::string>(node["name"], "name", "a text");
  manifest.description = text_of(node["description"], "description");
  manifest.model = read_config(map_of(node, "model"));
  for (const auto& entry : list_of(node, "classes")) {
    const auto key = "classes[" + std::to_string(manifest.classes.size()) + "]";
    manifest.classes.push_back(read_class(entry, key));
  }
  for (const auto& entry : list_of(node, "channels")) {
    manifest.channels.push_back(value_of<std::string>(entry, "channels", "a list of names"));
  }
  manifest.units = value_of<std::string>(node["units"], "units", "a text");
  for (const auto& entry : list_of(node, "ensemble")) {
    manifest.ensemble.push_back(folder_name(entry, "ensemble"));
  }
  const YAML::Node training = map_of(node, "training");
  refuse_unknown(training, "training.", {"data", "terms"});
  manifest.training_data = value_of<std::string>(training["data"], "training.data", "a text");
  manifest.training_terms = value_of<std::string>(training["terms"], "training.terms", "a text");
  for (const auto& entry : list_of(node, "scores")) {
    const auto key = "scores[" + std::to_string(manifest.scores.size()) + "]";
    manifest.scores.push_back(read_score(entry, key));
  }
  read_weights(map_of(node, "weights"), manifest);
  check_counts(manifest);
  return manifest;
}

YAML::Node to_yaml(const Manifest& manifest) {
  YAML::Node node;
  node["format"] = kFormat;
  node["version"] = kVersion;
  node["name"] = manifest.name;
  node["description"] = manifest.description;
  node["model"] = to_yaml(manifest.model);
  node["classes"] = YAML::Node(YAML::NodeType::Sequence);
  for (const ClassInfo& info : manifest.classes) {
    YAML::Node entry;
    entry.SetStyle(YAML::EmitterStyle::Flow);
    entry["name"] = info.name;
    for (const int part : info.colour) entry["colour"].push_back(part);
    node["classes"].push_back(entry);
  }
  node["channels"] = YAML::Node(YAML::NodeType::Sequence);
  for (const auto& channel : manifest.channels) node["channels"].push_back(channel);
  node["units"] = manifest.units;
  if (!manifest.ensemble.empty()) node["ensemble"] = manifest.ensemble;
  node["training"]["data"] = manifest.training_data;
  node["training"]["terms"] = manifest.training_terms;
  node["scores"] = YAML::Node(YAML::NodeType::Sequence);
  for (const Score& score : manifest.scores) {
    YAML::Node entry;
    entry["metric"] = score.metric;
    entry["value"] = score.value;
    entry["data"] = score.data;
    entry["command"] = score.command;
    node["scores"].push_back(entry);
  }
  node["weights"]["precision"] = std::string(to_string(manifest.precision));
  node["weights"]["bytes"] = manifest.weights_bytes;
  node["weights"]["sha256"] = manifest.weights_sha256;
  return node;
}

}  // namespace

Manifest read_manifest(const std::filesystem::path& file) {
  std::error_code unreadable;
  const auto bytes = std::filesystem::file_size(file, unreadable);
  if (unreadable) {
    throw std::runtime_error(file.string() + ": cannot read this file: " + unreadable.message());
  }
  try {
    if (bytes > kMaxManifestBytes)
      refuse("size", "at most 1 MiB", std::to_string(bytes) + " bytes");
    std::ifstream stream(file);
    return parse_manifest(YAML::Load(stream));
  } catch (const YAML::Exception& error) {
    throw std::runtime_error(file.string() + ": expected YAML, found " + error.what());
  } catch (const std::invalid_argument& error) {
    throw std::runtime_error(file.string() + ": " + error.what());
  }
}

void write_manifest(const std::filesystem::path& file, const Manifest& manifest) {
  check_counts(manifest);
  validate(manifest.model);
  std::ostringstream text;
  text << to_yaml(manifest) << '\n';
  io::AtomicFile output(file);
  output.write(text.str());
  output.commit();
}

std::vector<std::array<std::uint8_t, 3>> distinct_colours(std::size_t count) {
  constexpr double kGoldenRatio = 0.6180339887498949;
  std::vector<std::array<std::uint8_t, 3>> colours(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double hue = std::fmod(static_cast<double>(i) * kGoldenRatio, 1.0);
    for (std::size_t part = 0; part < 3; ++part) {
      // Each primary rises and falls around its own third of the colour circle.
      const double turn = std::fmod(hue + static_cast<double>(3 - part) / 3.0, 1.0);
      const double level = std::clamp(std::abs(6.0 * turn - 3.0) - 1.0, 0.0, 1.0);
      colours[i][part] = static_cast<std::uint8_t>(std::lround(55.0 + 200.0 * level));
    }
  }
  return colours;
}

}  // namespace pointtree::inference
