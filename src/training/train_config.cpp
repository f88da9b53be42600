// SPDX-License-Identifier: Apache-2.0
#include "training/train_config.hpp"

#include <yaml-cpp/yaml.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <type_traits>

#include "config_fields.hpp"
#include "io/did_you_mean.hpp"
#include "io/yaml_line.hpp"

namespace pointtree::training {

namespace {

[[noreturn]] void refuse(const std::string& key, const std::string& expected,
                         const std::string& found) {
  throw std::invalid_argument(key + ": expected " + expected + ", found " + found);
}

template <typename T>
std::string text_of(const T& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    return value;
  } else if constexpr (std::is_enum_v<T>) {
    return std::string(geometry::to_string(value));
  } else if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else {
    std::ostringstream text;
    text.precision(17);
    text << value;
    // The shortest text that reads back as the same number.
    for (int digits = 1; digits < 17 && std::is_floating_point_v<T>; ++digits) {
      std::ostringstream shorter;
      shorter.precision(digits);
      shorter << value;
      if (std::strtod(shorter.str().c_str(), nullptr) == static_cast<double>(value))
        return shorter.str();
    }
    return text.str();
  }
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " | ") + word;
  return text;
}

template <typename T>
void check(const std::string& key, const T& value, const FieldRule& rule) {
  if constexpr (std::is_same_v<T, std::string>) {
    if (rule.choices.empty()) return;
    for (const auto& choice : rule.choices) {
      if (choice == value) return;
    }
    refuse(key, joined(rule.choices), "'" + value + "'");
  } else if constexpr (!std::is_enum_v<T>) {
    const auto number = static_cast<double>(value);
    if (number >= rule.min && number <= rule.max && std::isfinite(number)) return;
    refuse(key,
           "a number from " + text_of(rule.min) +
               (rule.max < std::numeric_limits<double>::infinity() ? " to " + text_of(rule.max)
                                                                   : " up"),
           text_of(value));
  }
}

void read_enum(const std::string& text, geometry::TransformationKind& value) {
  value = geometry::transformation_kind(text);
}

void read_enum(const std::string& text, geometry::TransformationForm& value) {
  value = geometry::transformation_form(text);
}

template <typename T>
T read_value(const std::string& key, const YAML::Node& node) {
  if constexpr (std::is_same_v<T, std::string>) {
    if (node.IsNull()) return {};
  }
  if (!node.IsScalar())
    refuse(key, "a single value", node.IsNull() ? "nothing" : "a list or a map");
  T value{};
  if constexpr (std::is_enum_v<T>) {
    try {
      read_enum(node.Scalar(), value);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(key + ": " + error.what());
    }
  } else if (!YAML::convert<T>::decode(node, value)) {
    refuse(key,
           std::is_same_v<T, bool> ? "true or false"
           : std::is_integral_v<T> ? "an integer"
                                   : "a number",
           "'" + node.Scalar() + "'");
  }
  return value;
}

std::string name_of(const YAML::Node& key) {
  return key.IsScalar() ? key.Scalar() : "a list or a map";
}

// Sets `section.key=value` in a document; the value is read as YAML.
void apply_override(YAML::Node& document, const std::string& assignment) {
  const auto equals = assignment.find('=');
  const auto dot = assignment.find('.');
  if (equals == std::string::npos || dot == std::string::npos || dot > equals || dot == 0) {
    refuse("--set", "section.key=value", "'" + assignment + "'");
  }
  const auto section = assignment.substr(0, dot);
  const auto key = assignment.substr(dot + 1, equals - dot - 1);
  document[section][key] = assignment.substr(equals + 1);
}

template <typename Section>
void read_section(const YAML::Node& document, const std::string& name, Section& section) {
  const YAML::Node node = document[name];
  if (!node || node.IsNull()) return;
  if (!node.IsMap()) refuse(name, "a map of keys", "something else");
  std::set<std::string> known;
  visit_fields(section, [&](const char* key, auto& value, const FieldRule& rule, const char*) {
    known.insert(key);
    const auto full = name + "." + key;
    if (const YAML::Node entry = node[key])
      value = read_value<std::decay_t<decltype(value)>>(full, entry);
    check(full, value, rule);
  });
  for (const auto& entry : node) {
    const auto key = name_of(entry.first);
    if (known.count(key) == 0)
      throw std::invalid_argument(io::line_of(entry.first) + name + "." + key + ": not a key of " +
                                  name + io::did_you_mean(key, {known.begin(), known.end()}));
  }
}

TrainConfig read_document(YAML::Node document, const std::vector<std::string>& overrides) {
  if (document.IsNull()) document = YAML::Node(YAML::NodeType::Map);
  if (!document.IsMap()) refuse("training configuration", "a map of sections", "something else");
  for (const auto& assignment : overrides) apply_override(document, assignment);
  TrainConfig config;
  std::set<std::string> known{"model"};
  visit_sections(config, [&](const char* name, auto& section) {
    known.insert(name);
    read_section(document, name, section);
  });
  for (const auto& entry : document) {
    const auto name = name_of(entry.first);
    if (known.count(name) == 0)
      throw std::invalid_argument(io::line_of(entry.first) + name +
                                  ": not a section of the training configuration" +
                                  io::did_you_mean(name, {known.begin(), known.end()}));
  }
  try {
    if (const YAML::Node node = document["model"]) config.model = inference::model_config(node);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(std::string("model.") + error.what());
  }
  return config;
}

}  // namespace

TrainConfig parse_train_config(const std::string& yaml, const std::vector<std::string>& overrides) {
  try {
    return read_document(YAML::Load(yaml), overrides);
  } catch (const YAML::Exception& error) {
    throw std::invalid_argument(std::string("not YAML: ") + error.what());
  }
}

TrainConfig load_train_config(const std::filesystem::path& file,
                              const std::vector<std::string>& overrides) {
  std::ifstream stream(file);
  std::stringstream text;
  if (!(text << stream.rdbuf())) throw std::invalid_argument("cannot read " + file.string());
  try {
    return parse_train_config(text.str(), overrides);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(file.string() + ": " + error.what());
  }
}

std::string to_yaml_text(const TrainConfig& config) {
  YAML::Node document(YAML::NodeType::Map);
  document["model"] = inference::to_yaml(config.model);
  auto copy = config;
  visit_sections(copy, [&](const char* name, auto& section) {
    visit_fields(section, [&](const char* key, auto& value, const FieldRule&, const char*) {
      document[name][key] = text_of(value);
    });
  });
  YAML::Emitter out;
  out << document;
  return std::string(out.c_str()) + "\n";
}

std::vector<inference::ConfigKey> train_config_help() {
  std::vector<inference::ConfigKey> keys;
  for (const auto& key : inference::model_config_help()) {
    keys.push_back({"model." + key.name, key.default_value, key.meaning});
  }
  TrainConfig defaults;
  visit_sections(defaults, [&](const char* name, auto& section) {
    visit_fields(section,
                 [&](const char* key, auto& value, const FieldRule& rule, const char* meaning) {
                   std::string text = meaning;
                   if (!rule.choices.empty()) text += " (" + joined(rule.choices) + ")";
                   keys.push_back({std::string(name) + "." + key, text_of(value), text});
                 });
  });
  return keys;
}

}  // namespace pointtree::training
