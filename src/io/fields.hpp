// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "pointtree/geometry/enum_names.hpp"

namespace YAML {  // NOLINT(readability-identifier-naming): yaml-cpp's name
class Node;
}

namespace pointtree::io {

using Names = std::vector<std::string>;

/// A value as configuration files, command lines and ROS know it.
using FieldValue = std::variant<bool, std::int64_t, double, std::string, std::uint64_t, Names>;

/// The numbers that a field may hold.
struct Range {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  std::string unit = {};  ///< empty for counts and ratios
};

/// One field of a configuration, bound to its place in one: the single source of its YAML key, its
/// ROS parameter, its help and its line in the documentation. A configuration lists its fields in a
/// function `Fields fields_of(Config&)`.
struct Field {
  std::string name;  ///< dotted: "ground.cell_size"
  std::string help;
  Range range;
  Names choices;          ///< texts allowed; empty: any
  bool joined = false;    ///< a text of names with commas, for which a YAML list may stand
  bool required = false;  ///< files have to name it
  std::function<FieldValue()> get;
  /// Unchecked, see assign(); may throw std::invalid_argument with what was expected.
  std::function<void(const FieldValue&)> set;

  /// For a list of records instead: makes it so long and gives the fields of each; less than 0: as
  /// long as it is.
  std::function<std::vector<std::vector<Field>>(std::ptrdiff_t)> records;

  Field() = default;

  /// A flag, a number, a text, a list of texts, or an enumeration with names_of().
  template <typename T>
  Field(std::string key, T& value, std::string meaning, Range limits = {})
      : name(std::move(key)), help(std::move(meaning)), range(std::move(limits)) {
    if constexpr (std::is_enum_v<T>) {
      for (const std::string_view each : names_of(T{})) choices.emplace_back(each);
      get = [&value] { return FieldValue(std::string(pointtree::to_string(value))); };
      set = [&value](const FieldValue& given) {
        value = from_string<T>(std::get<std::string>(given), {});
      };
    } else {
      using Stored = std::conditional_t<std::is_same_v<T, int>, std::int64_t, T>;
      get = [&value] { return FieldValue(static_cast<Stored>(value)); };
      set = [&value](const FieldValue& given) { value = static_cast<T>(std::get<Stored>(given)); };
    }
  }

  /// A text that is one of the choices.
  Field(std::string key, std::string& value, std::string meaning, Names allowed)
      : Field(std::move(key), value, std::move(meaning)) {
    choices = std::move(allowed);
  }

  /// Named flags: the list of those that are set.
  Field(std::string key, std::vector<std::pair<std::string, bool*>> flags, std::string meaning);
};

using Fields = std::vector<Field>;

/// A list of records that have a function fields_of().
template <typename Record>
Field list_of(std::string key, std::vector<Record>& list) {
  Field field;
  field.name = std::move(key);
  field.get = [] { return FieldValue(Names()); };
  field.records = [&list](std::ptrdiff_t count) {
    if (count >= 0) list.resize(static_cast<std::size_t>(count));
    std::vector<Fields> rows;
    for (Record& record : list) rows.push_back(fields_of(record));
    return rows;
  };
  return field;
}

/// Marks a field that files have to name.
inline Field required(Field field) {
  field.required = true;
  return field;
}

/// Adds the fields of a section as `section.key`.
void add_section(Fields& fields, const std::string& section, Fields more);

/// The field of that name, or null.
const Field* find_field(const Fields& fields, std::string_view name);

/// What to say of a name that no field has.
std::string no_such_field(const Fields& fields, std::string_view name);

/// The value in the field's own type, or "name: expected …, found …". A whole number passes for a
/// real one.
tl::expected<FieldValue, std::string> fit_value(const Field& field, const FieldValue& value);

/// Sets the field of that name; the error names it, what was expected and what was found.
tl::expected<void, std::string> assign(const Fields& fields, std::string_view name,
                                       const FieldValue& value);

/// Every field whose own value is outside its limits, a sentence each.
std::vector<std::string> out_of_limits(const Fields& fields);

/// Sets what a YAML map names, sections as maps within it. The faults, each with its line and key.
std::vector<std::string> read_yaml(const YAML::Node& map, const Fields& fields);

/// Throws std::invalid_argument with the faults, where there are any.
void refuse(const std::vector<std::string>& faults);

/// Sets `key=value` or `section.key=value` in a document; `form` is one of these two. Throws
/// std::invalid_argument.
void override_key(YAML::Node& document, const std::string& assignment, const std::string& form);

/// YAML that read_yaml takes, each field with its help beside it.
std::string to_yaml(const Fields& fields, const std::string& indent = {});

/// A text as a scalar of YAML, quoted where it has to be.
std::string quoted(const std::string& text);

/// "real", "integer", "boolean", "text" or "list".
std::string_view type_name(const FieldValue& value);

/// The value for people: real numbers with a point, lists with commas.
std::string to_text(const FieldValue& value);

/// What the field may be, for tables: "0 … 10", "true, false" or the choices.
std::string allowed_values(const Field& field);

/// A line for each field with its value, meaning and choices, for `--keys`.
std::string key_list(const Fields& fields);

}  // namespace pointtree::io
