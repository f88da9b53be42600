// SPDX-License-Identifier: Apache-2.0
#include "inference/manifest.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>

#include "io/fields.hpp"
#include "io/file_bytes.hpp"
#include "io/text_lines.hpp"

namespace pointtree::inference {
namespace {

constexpr std::uintmax_t kMaxManifestBytes = 1 << 20;

/// First in a manifest: what a reader can't know is not read on.
struct Format {
  std::string format = "pointtree-model";
  int version = 1;
};

io::Fields fields_of(Format& format) {
  return {io::required({"format", format.format, "", io::Names{format.format}}),
          io::required({"version", format.version, "", io::Range{1, 1}})};
}

[[noreturn]] void refuse(const std::string& key, const std::string& expected,
                         const std::string& found) {
  throw std::invalid_argument(key + ": expected " + expected + ", found " + found);
}

bool is_byte(const std::string& text) { return io::parse_number<std::uint8_t>(text).has_value(); }

/// The name of a folder in the bundle's own: a manifest names no place elsewhere.
bool is_folder_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
}

}  // namespace

static io::Fields fields_of(ClassInfo& info) {
  io::Field colour;
  colour.name = "colour";
  colour.get = [&info] {
    io::Names parts;
    for (const int part : info.colour) parts.push_back(std::to_string(part));
    return io::FieldValue(parts);
  };
  colour.set = [&info](const io::FieldValue& value) {
    const auto& parts = std::get<io::Names>(value);
    if (parts.size() != 3 || !std::all_of(parts.begin(), parts.end(), is_byte))
      throw std::invalid_argument("three numbers from 0 to 255");
    std::transform(parts.begin(), parts.end(), info.colour.begin(),
                   [](const std::string& part) { return *io::parse_number<std::uint8_t>(part); });
  };
  return {io::required({"name", info.name, ""}), io::required(colour)};
}

static io::Fields fields_of(Score& score) {
  return {io::required({"metric", score.metric, ""}),
          io::required({"value", score.value, ""}),
          {"data", score.data, ""},
          {"command", score.command, ""}};
}

static io::Fields fields_of(Manifest& manifest) {
  io::Fields fields = {io::required({"name", manifest.name, ""}),
                       {"description", manifest.description, ""}};
  io::add_section(fields, "model", fields_of(manifest.model));
  const io::Fields others = {io::list_of("classes", manifest.classes),
                             {"channels", manifest.channels, ""},
                             io::required({"units", manifest.units, ""}),
                             {"ensemble", manifest.ensemble, ""},
                             io::required({"training.data", manifest.training_data, ""}),
                             io::required({"training.terms", manifest.training_terms, ""}),
                             io::list_of("scores", manifest.scores),
                             io::required({"weights.precision", manifest.precision, ""}),
                             io::required({"weights.bytes", manifest.weights_bytes, ""}),
                             io::required({"weights.sha256", manifest.weights_sha256, ""})};
  fields.insert(fields.end(), others.begin(), others.end());
  for (io::Field& field : fields) field.help.clear();
  return fields;
}

namespace {

void validate(const Manifest& manifest) {
  const auto require = [](const char* key, std::size_t found, int expected, const char* source) {
    if (found != static_cast<std::size_t>(expected)) {
      refuse(key, std::to_string(expected) + " entries as in " + source, std::to_string(found));
    }
  };
  validate(manifest.model, "model.");
  require("classes", manifest.classes.size(), manifest.model.classes, "model.classes");
  require("channels", manifest.channels.size(), manifest.model.extra_channels,
          "model.extra_channels");
  for (const auto& name : manifest.ensemble) {
    if (!is_folder_name(name))
      refuse("ensemble", "names of folders in the bundle", "'" + name + "'");
  }
}

Manifest parse_manifest(YAML::Node node) {
  if (!node.IsMap()) refuse("manifest", "a map", "something else");
  Format format;
  YAML::Node first;
  for (const char* key : {"format", "version"}) {
    if (node[key]) first[key] = node[key];
    node.remove(key);
  }
  io::refuse(io::read_yaml(first, fields_of(format)));
  Manifest manifest;
  io::refuse(io::read_yaml(node, fields_of(manifest)));
  if (!node["model"]) refuse("model", "a map", "nothing");
  finish_model_config(manifest.model, node["model"], "model.");
  const auto& sum = manifest.weights_sha256;
  if (sum.size() != 64 || sum.find_first_not_of("0123456789abcdef") != std::string::npos)
    refuse("weights.sha256", "64 lower-case hexadecimal digits", "'" + sum + "'");
  validate(manifest);
  return manifest;
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
  validate(manifest);
  Format format;
  Manifest copy = manifest;
  io::Fields fields = fields_of(copy);
  const auto is_plain = [](const io::Field& field) { return field.name == "ensemble"; };
  if (manifest.ensemble.empty())
    fields.erase(std::remove_if(fields.begin(), fields.end(), is_plain), fields.end());
  io::write_file(file, io::to_yaml(fields_of(format)) + io::to_yaml(fields));
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
