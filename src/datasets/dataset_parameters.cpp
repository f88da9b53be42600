// SPDX-License-Identifier: Apache-2.0
#include "dataset_parameters.hpp"

#include <stdexcept>

#include "datasets/dataset_split.hpp"
#include "io/name_list.hpp"
#include "io/text_lines.hpp"

namespace pointtree::datasets {
namespace {

[[noreturn]] void fail(const std::string& item, const std::string& expected) {
  throw std::runtime_error("parameters of the data set: '" + item + "' should be " + expected);
}

std::uint64_t number(const std::string& item, const std::string& value, std::uint64_t low,
                     std::uint64_t high) {
  const auto result = io::parse_number<std::uint64_t>(value);
  if (!result || *result < low || *result > high) {
    fail(item, "a whole number in " + std::to_string(low) + " to " + std::to_string(high));
  }
  return *result;
}

double length(const std::string& item, const std::string& value) {
  const auto result = io::parse_number<double>(value);
  if (!result || !(*result >= 0.1 && *result <= 100.0)) fail(item, "a length in 0.1 to 100 m");
  return *result;
}

View view(const std::string& item, const std::string& value) {
  if (value == "full") return View::full;
  if (value == "scan") return View::scan;
  if (value == "mixed") return View::mixed;
  fail(item, "full, scan or mixed");
}

}  // namespace

std::size_t DatasetParameters::size_of(const std::string& split) const {
  return held_out > 0 && !is_training_split(split) ? held_out : size;
}

DatasetParameters parse_parameters(const std::string& text, DatasetParameters defaults) {
  for (const std::string& item : io::split(text, ',')) {
    const std::size_t equals = item.find('=');
    const std::string key = item.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : item.substr(equals + 1);
    if (key == "size") {
      defaults.size = number(item, value, 1, 100'000'000);
    } else if (key == "held_out") {
      defaults.held_out = number(item, value, 1, 100'000'000);
    } else if (key == "seed") {
      defaults.seed = number(item, value, 0, ~std::uint64_t{0});
    } else if (key == "points") {
      defaults.points = static_cast<std::int32_t>(number(item, value, 1, 1'000'000));
    } else if (key == "kinds") {
      if (value != "modelnet40" && value != "all") fail(item, "modelnet40 or all");
      defaults.street = value == "all";
    } else if (key == "block") {
      defaults.block = length(item, value);
    } else if (key == "colour") {
      if (value != "yes" && value != "no") fail(item, "yes or no");
      defaults.colour = value == "yes";
    } else if (key == "view") {
      defaults.view = view(item, value);
    } else {
      fail(item, "size=…, held_out=…, seed=…, points=…, view=…, kinds=…, block=… or colour=…");
    }
  }
  return defaults;
}

Place split_place(const std::filesystem::path& place) {
  const std::string text = place.string();
  for (std::size_t comma = text.find(','); comma != std::string::npos;
       comma = text.find(',', comma + 1)) {
    const std::size_t next = text.find_first_of(",=/", comma + 1);
    if (next != std::string::npos && text[next] == '=')
      return {text.substr(0, comma), text.substr(comma + 1)};
  }
  return {place, ""};
}

}  // namespace pointtree::datasets
