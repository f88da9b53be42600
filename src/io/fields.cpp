// SPDX-License-Identifier: Apache-2.0
#include "io/fields.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "io/name_list.hpp"

namespace pointtree::io {
namespace {

/// "name: expected …, found …".
std::string fault_of(const std::string& name, const std::string& expected,
                     const std::string& found) {
  return name + ": expected " + expected + ", found " + found;
}

/// The shortest digits that read back as the same number.
std::string digits(double number) {
  std::array<char, 64> text{};
  const double size = std::abs(number);
  const bool plain = number == 0.0 || (size >= 1e-4 && size < 1e16);
  const auto end = plain ? std::to_chars(text.data(), text.data() + text.size(), number,
                                         std::chars_format::fixed)
                         : std::to_chars(text.data(), text.data() + text.size(), number);
  return {text.data(), end.ptr};
}

double as_number(const FieldValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* whole = std::get_if<std::uint64_t>(&value)) return static_cast<double>(*whole);
  return std::get<double>(value);
}

bool is_number(const FieldValue& value) {
  return !std::holds_alternative<bool>(value) && !std::holds_alternative<std::string>(value) &&
         !std::holds_alternative<Names>(value);
}

bool is_whole(const FieldValue& value) {
  return is_number(value) && !std::holds_alternative<double>(value);
}

std::string expected_of(const Field& field, const FieldValue& value) {
  if (std::holds_alternative<bool>(value)) return "true or false";
  const std::string choices = joined(field.choices, " | ");
  if (std::holds_alternative<Names>(value))
    return choices.empty() ? "a list of names" : "a list of " + choices;
  if (!is_number(value)) return choices.empty() ? "a text" : choices;
  std::string text = is_whole(value) ? "an integer" : "a number";
  const auto& [least, most, unit] = field.range;
  if (least == most) return digits(least);
  if (std::isfinite(least)) text += " from " + digits(least);
  if (std::isfinite(most)) text += " to " + digits(most);
  if (std::isfinite(least) && !std::isfinite(most)) text += " up";
  return unit.empty() ? text : text + " " + unit;
}

/// How a value is quoted in a message.
std::string shown(const FieldValue& value) {
  const std::string text = to_text(value);
  return std::holds_alternative<std::string>(value) ? "'" + text + "'" : text;
}

/// Whether a value of the field's own type obeys the field's limits.
bool is_allowed(const Field& field, const FieldValue& value) {
  const auto is_choice = [&](const std::string& text) {
    return field.choices.empty() ||
           std::find(field.choices.begin(), field.choices.end(), text) != field.choices.end();
  };
  if (std::holds_alternative<bool>(value)) return true;
  if (const auto* text = std::get_if<std::string>(&value)) return is_choice(*text);
  if (const auto* names = std::get_if<Names>(&value))
    return std::all_of(names->begin(), names->end(), is_choice);
  const double number = as_number(value);
  return std::isfinite(number) && number >= field.range.least && number <= field.range.most;
}

std::string kind_of(const YAML::Node& node) {
  if (node.IsSequence()) return "a list";
  if (node.IsMap()) return "a map";
  return node.IsScalar() ? "'" + node.Scalar() + "'" : "nothing";
}

bool is_list_of_names(const YAML::Node& node) {
  return node.IsSequence() &&
         std::all_of(node.begin(), node.end(), [](const auto& name) { return name.IsScalar(); });
}

Names names_in(const YAML::Node& node) {
  Names names;
  if (node.IsScalar()) {  // from a command line: a,b
    std::string name;
    for (const char letter : node.Scalar() + ",") {
      if (letter == ',' && !name.empty()) names.push_back(std::exchange(name, {}));
      if (letter != ',' && letter != ' ') name += letter;
    }
  }
  if (node.IsSequence()) {
    for (const auto& name : node) names.push_back(name.Scalar());
  }
  return names;
}

template <typename T>
FieldValue decoded(const YAML::Node& node) {
  T value{};
  if (YAML::convert<T>::decode(node, value)) return value;
  return node.Scalar();
}

/// A node as a value of the field's type, where it can be one; a text otherwise. Empty for lists
/// and maps where a single value belongs.
tl::expected<FieldValue, std::string> value_of(const YAML::Node& node, const Field& field) {
  const FieldValue current = field.get();
  const bool list = std::holds_alternative<Names>(current);
  if (list && (is_list_of_names(node) || node.IsScalar() || node.IsNull())) return names_in(node);
  if (field.joined && is_list_of_names(node)) return joined(names_in(node));
  if (std::holds_alternative<std::string>(current) && node.IsNull()) return std::string();
  if (list || !node.IsScalar())
    return tl::unexpected(fault_of(field.name, expected_of(field, current), kind_of(node)));
  if (std::holds_alternative<bool>(current)) return decoded<bool>(node);
  if (std::holds_alternative<std::uint64_t>(current)) return decoded<std::uint64_t>(node);
  if (std::holds_alternative<std::int64_t>(current)) return decoded<std::int64_t>(node);
  if (std::holds_alternative<double>(current)) return decoded<double>(node);
  return node.Scalar();
}

std::string line_of(const YAML::Node& node) {
  const YAML::Mark mark = node.Mark();
  return mark.is_null() ? std::string() : "line " + std::to_string(mark.line + 1) + ": ";
}

/// Whether a map has the key, or the section with the key.
bool has_key(const YAML::Node& map, const std::string& key) {
  const std::size_t dot = key.find('.');
  if (dot == std::string::npos) return static_cast<bool>(map[key]);
  const YAML::Node section = map[key.substr(0, dot)];
  return section && section.IsMap() && section[key.substr(dot + 1)];
}

void read_map(const YAML::Node& map, const std::string& prefix, const Fields& fields,
              std::vector<std::string>& faults);

void read_records(const YAML::Node& list, const Field& field, std::vector<std::string>& faults) {
  if (!list.IsSequence()) {
    faults.push_back(fault_of(field.name, "a list", kind_of(list)));
    return;
  }
  const auto rows = field.records(static_cast<std::ptrdiff_t>(list.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string name = field.name + "[" + std::to_string(i) + "]";
    Fields row;
    add_section(row, name, rows[i]);
    if (list[i].IsMap()) {
      read_map(list[i], name + ".", row, faults);
    } else {
      faults.push_back(fault_of(name, "a map of keys", kind_of(list[i])));
    }
  }
}

/// Sections hold no sections, so that a file whose aliases lead back into themselves comes to an
/// end.
void read_section(const YAML::Node& map, const std::string& section, const Fields& fields,
                  std::vector<std::string>& faults) {
  for (const auto& entry : map) {
    const auto complain = [&](const std::string& fault) {
      faults.push_back(line_of(entry.first) + fault);
    };
    if (!entry.first.IsScalar()) {
      complain(fault_of(section + "key", "a name", kind_of(entry.first)));
      continue;
    }
    const std::string key = section + entry.first.Scalar();
    const bool is_section =
        section.empty() && std::any_of(fields.begin(), fields.end(), [&](const Field& field) {
          return field.name.rfind(key + ".", 0) == 0;
        });
    const Field* field = find_field(fields, key);
    // What is in a misspelled section is named too: the guess is better for it.
    const bool unknown = section.empty() && !is_section && field == nullptr;
    if ((is_section || unknown) && entry.second.IsMap() && entry.second.size() > 0) {
      read_section(entry.second, key + ".", fields, faults);
    } else if (is_section && !entry.second.IsNull() && !entry.second.IsMap()) {
      complain(fault_of(key, "a map of keys", kind_of(entry.second)));
    } else if (!is_section && field == nullptr) {
      complain(no_such_field(fields, key));
    } else if (!is_section && field->records) {
      read_records(entry.second, *field, faults);
    } else if (!is_section) {
      const auto done = value_of(entry.second, *field).and_then([&](const FieldValue& value) {
        return assign(fields, key, value);
      });
      if (!done) complain(done.error());
    }
  }
}

void read_map(const YAML::Node& map, const std::string& prefix, const Fields& fields,
              std::vector<std::string>& faults) {
  read_section(map, prefix, fields, faults);
  for (const Field& field : fields) {
    if (field.required && !has_key(map, field.name.substr(prefix.size())))
      faults.push_back(fault_of(field.name, expected_of(field, field.get()), "nothing"));
  }
}

/// The value as YAML; records in flow style, a line each: {name: car, colour: [1, 2, 3]}.
std::string yaml_value(const Field& field) {
  std::string lines;
  for (const Fields& row : field.records ? field.records(-1) : std::vector<Fields>()) {
    Names entries;
    for (const Field& each : row) entries.push_back(each.name + ": " + yaml_value(each));
    lines += "\n  - {" + joined(entries) + "}";
  }
  if (!lines.empty()) return lines;
  const FieldValue value = field.get();
  if (const auto* text = std::get_if<std::string>(&value)) return quoted(*text);
  const auto* names = std::get_if<Names>(&value);
  if (names == nullptr) return to_text(value);
  Names words;
  for (const auto& name : *names) words.push_back(quoted(name));
  return "[" + joined(words) + "]";
}

}  // namespace

Field::Field(std::string key, std::vector<std::pair<std::string, bool*>> flags, std::string meaning)
    : name(std::move(key)), help(std::move(meaning)) {
  for (const auto& [flag, place] : flags) choices.push_back(flag);
  get = [flags] {
    Names names;
    for (const auto& [flag, place] : flags) {
      if (*place) names.push_back(flag);
    }
    return FieldValue(names);
  };
  set = [flags](const FieldValue& value) {
    const auto& names = std::get<Names>(value);
    for (const auto& [flag, place] : flags)
      *place = std::find(names.begin(), names.end(), flag) != names.end();
  };
}

void add_section(Fields& fields, const std::string& section, Fields more) {
  for (Field& field : more) {
    field.name = section + "." + field.name;
    fields.push_back(std::move(field));
  }
}

const Field* find_field(const Fields& fields, std::string_view name) {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const Field& field) { return field.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

std::string no_such_field(const Fields& fields, std::string_view name) {
  Names known;
  for (const Field& field : fields) known.push_back(field.name);
  return "there is no parameter '" + std::string(name) + "'" + did_you_mean(name, known);
}

tl::expected<FieldValue, std::string> fit_value(const Field& field, const FieldValue& value) {
  const FieldValue current = field.get();
  FieldValue wanted = value;
  if (std::holds_alternative<double>(current) && is_whole(value)) wanted = as_number(value);
  if (wanted.index() == current.index() && is_allowed(field, wanted)) return wanted;
  return tl::unexpected(fault_of(field.name, expected_of(field, current), shown(value)));
}

tl::expected<void, std::string> assign(const Fields& fields, std::string_view name,
                                       const FieldValue& value) {
  const Field* field = find_field(fields, name);
  if (field == nullptr) return tl::unexpected(no_such_field(fields, name));
  const auto wanted = fit_value(*field, value);
  if (!wanted) return tl::unexpected(wanted.error());
  try {
    field->set(*wanted);
  } catch (const std::invalid_argument& expected) {
    return tl::unexpected(fault_of(field->name, expected.what(), shown(value)));
  }
  return {};
}

std::vector<std::string> out_of_limits(const Fields& fields) {
  std::vector<std::string> faults;
  for (const Field& field : fields) {
    if (const auto fit = fit_value(field, field.get()); !fit) faults.push_back(fit.error());
  }
  return faults;
}

std::vector<std::string> read_yaml(const YAML::Node& map, const Fields& fields) {
  std::vector<std::string> faults;
  if (!map || map.IsNull()) return faults;
  if (map.IsMap()) {
    read_map(map, "", fields, faults);
  } else {
    faults.push_back(line_of(map) + "expected a map of keys, found " + kind_of(map));
  }
  return faults;
}

void refuse(const std::vector<std::string>& faults) {
  if (!faults.empty()) throw std::invalid_argument(joined(faults, "; "));
}

void override_key(YAML::Node& document, const std::string& assignment, const std::string& form) {
  const auto equals = assignment.find('=');
  const std::string key = assignment.substr(0, equals);
  const auto dot = key.find('.');
  if (equals == std::string::npos || (dot == std::string::npos) != (form == "key=value"))
    throw std::invalid_argument(fault_of("--set", form, "'" + assignment + "'"));
  const std::string value = assignment.substr(equals + 1);
  if (dot == std::string::npos) {
    document[key] = value;
  } else {
    document[key.substr(0, dot)][key.substr(dot + 1)] = value;
  }
}

std::string to_yaml(const Fields& fields, const std::string& indent) {
  std::string yaml;
  std::string group;
  for (const Field& field : fields) {
    const std::size_t dot = field.name.find('.');
    const bool grouped = dot != std::string::npos;
    const std::string own_group = grouped ? field.name.substr(0, dot) : "";
    if (own_group != group && grouped) yaml += indent + own_group + ":\n";
    group = own_group;
    const std::string value = yaml_value(field);
    yaml += indent + (grouped ? "  " + field.name.substr(dot + 1) : field.name) +
            (value.front() == '\n' ? ":" : ": ") + value;
    const auto& unit = field.range.unit;
    if (!field.help.empty()) yaml += "  # " + unit + (unit.empty() ? "" : ": ") + field.help;
    yaml += "\n";
  }
  return yaml;
}

std::string quoted(const std::string& text) {
  static const Names kOthers = {"null", "Null", "NULL", "true", "false", "yes", "no", "on", "off"};
  const bool plain =
      !text.empty() && text.front() != '-' &&
      std::all_of(text.begin(), text.end(),
                  [](unsigned char letter) {
                    return letter < 128 && (std::isalnum(letter) != 0 || letter == '_' ||
                                            letter == '.' || letter == '/' || letter == '-');
                  }) &&
      std::find(kOthers.begin(), kOthers.end(), text) == kOthers.end();
  if (plain) return text;
  YAML::Emitter out;
  out << YAML::DoubleQuoted << text;
  return out.c_str();
}

std::string_view type_name(const FieldValue& value) {
  if (is_whole(value)) return "integer";
  if (is_number(value)) return "real";
  if (std::holds_alternative<bool>(value)) return "boolean";
  return std::holds_alternative<Names>(value) ? "list" : "text";
}

std::string to_text(const FieldValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* whole = std::get_if<std::uint64_t>(&value)) return std::to_string(*whole);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* names = std::get_if<Names>(&value)) return joined(*names);
  // "2.0", never "2": ROS refuses an integer where a parameter is declared real.
  std::string number = digits(std::get<double>(value));
  if (number.find_first_not_of("-0123456789") == std::string::npos) number += ".0";
  return number;
}

std::string allowed_values(const Field& field) {
  const FieldValue value = field.get();
  if (std::holds_alternative<bool>(value)) return "true, false";
  if (!is_number(value)) return field.choices.empty() ? "any" : joined(field.choices);
  return digits(field.range.least) + " … " + digits(field.range.most);
}

std::string key_list(const Fields& fields) {
  std::string list;
  for (const Field& field : fields) {
    const auto pad = [&](std::size_t width, const std::string& text) {
      list += text + std::string(text.size() < width ? width - text.size() : 0, ' ') + " ";
    };
    pad(28, field.name);
    pad(14, to_text(field.get()));
    list += field.help;
    if (!field.choices.empty()) list += " (" + joined(field.choices, " | ") + ")";
    list += "\n";
  }
  return list;
}

}  // namespace pointtree::io
