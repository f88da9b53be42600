// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace pointtree::cli {

/// The folders that --data may name: several are joined by `+` or `:`, parameters follow a comma.
/// What is no folder, Outputs passes over.
inline std::vector<std::filesystem::path> data_places(const std::string& data) {
  std::vector<std::filesystem::path> places = {data};
  for (std::size_t begin = 0; begin < data.size();) {
    const std::size_t end = std::min(data.find_first_of("+:,", begin), data.size());
    places.emplace_back(data.substr(begin, end - begin));
    begin = end + 1;
  }
  return places;
}

}  // namespace pointtree::cli
