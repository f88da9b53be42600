// SPDX-License-Identifier: Apache-2.0
#include "split_files.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "io/text_lines.hpp"

namespace pointtree::datasets {
namespace {

namespace fs = std::filesystem;

bool stays_below(const fs::path& path) {
  return path.is_relative() && std::find(path.begin(), path.end(), "..") == path.end();
}

// Lists written for another place keep only their last part here, as do those that lead out of the
// folder: `data/modelnet40_ply_hdf5_2048/ply_data_test0.h5`.
fs::path listed_file(const fs::path& dir, const std::string& name) {
  const fs::path listed(name);
  const bool as_listed = stays_below(listed) && fs::exists(dir / listed);
  return dir / (as_listed ? listed : listed.filename());
}

std::optional<int> number_behind(const std::string& stem, const std::string& prefix) {
  if (stem.size() <= prefix.size() || stem.compare(0, prefix.size(), prefix) != 0)
    return std::nullopt;
  const std::string digits = stem.substr(prefix.size());
  if (digits.size() > 6 || digits.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  return std::stoi(digits);
}

}  // namespace

fs::path path_below(const fs::path& dir, const fs::path& relative) {
  if (!stays_below(relative)) {
    throw std::runtime_error(dir.string() + ": expected names of files below this folder, found '" +
                             relative.string() + "'");
  }
  return dir / relative;
}

std::optional<std::vector<fs::path>> find_split_files(const fs::path& dir,
                                                      const std::string& split) {
  for (const char* suffix : {"_files.txt", "_hdf5_file_list.txt"}) {
    const fs::path list = dir / (split + suffix);
    if (!fs::exists(list)) continue;
    const auto names = io::read_lines(list);
    std::vector<fs::path> files;
    files.reserve(names.size());
    for (const std::string& name : names) files.push_back(listed_file(dir, name));
    return files;
  }
  std::vector<std::pair<int, fs::path>> numbered;
  if (!fs::is_directory(dir)) return std::nullopt;
  for (const auto& entry : fs::directory_iterator(dir)) {
    if (entry.path().extension() != ".h5") continue;
    const std::string stem = entry.path().stem().string();
    auto number = number_behind(stem, "ply_data_" + split);
    if (!number) number = number_behind(stem, split);
    if (number) numbered.emplace_back(*number, entry.path());
  }
  if (numbered.empty()) return std::nullopt;
  std::sort(numbered.begin(), numbered.end());
  std::vector<fs::path> files;
  files.reserve(numbered.size());
  for (auto& [number, path] : numbered) files.push_back(std::move(path));
  return files;
}

std::vector<fs::path> require_split_files(const fs::path& dir, const std::string& split) {
  if (!fs::is_directory(dir)) throw std::runtime_error(dir.string() + ": no such folder");
  auto files = find_split_files(dir, split);
  if (!files || files->empty()) {
    throw std::runtime_error(dir.string() + ": has no split '" + split + "': expected " + split +
                             "_files.txt with at least one file, or ply_data_" + split + "0.h5");
  }
  return *files;
}

std::vector<std::string> read_names(const fs::path& dir,
                                    const std::vector<std::string>& candidates) {
  for (const std::string& candidate : candidates) {
    const fs::path path = dir / candidate;
    if (!fs::exists(path)) continue;
    auto names = io::read_lines(path);
    if (names.empty())
      throw std::runtime_error(path.string() + ": expected one name per line, found none");
    return names;
  }
  throw std::runtime_error(dir.string() + ": expected a file " + candidates.front() +
                           ", found none");
}

}  // namespace pointtree::datasets
