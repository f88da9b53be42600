// SPDX-License-Identifier: Apache-2.0
#include "share.hpp"

#include <spdlog/fmt/fmt.h>

#include <array>
#include <cstdlib>
#include <stdexcept>

#include "io/text_lines.hpp"

namespace pointtree::cli {
namespace {

std::size_t number_in(const char* variable) {
  const char* text = std::getenv(variable);
  const auto number = io::parse_number<std::size_t>(text);
  if (!number)
    throw std::runtime_error(fmt::format("{}: expected a number, found '{}'", variable, text));
  return *number;
}

/// Variables of one launcher.
struct Launcher {
  const char* index;
  const char* count;
  const char* first = nullptr;  ///< the least index, where it need not be 0
};

constexpr std::array<Launcher, 4> kLaunchers{
    {{"RANK", "WORLD_SIZE"},
     {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
     {"PMI_RANK", "PMI_SIZE"},
     {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN"}}};

}  // namespace

std::filesystem::path Share::own(const std::filesystem::path& path) const {
  if (count == 1 || path.empty()) return path;
  std::filesystem::path name = path.stem();
  name += fmt::format(".{}-of-{}", index, count);
  name += path.extension();
  return path.parent_path() / name;
}

Share share_of_launcher() {
  for (const Launcher& launcher : kLaunchers) {
    if (std::getenv(launcher.index) == nullptr || std::getenv(launcher.count) == nullptr) continue;
    const bool offset = launcher.first != nullptr && std::getenv(launcher.first) != nullptr;
    Share share;
    const std::size_t first = offset ? number_in(launcher.first) : 0;
    const std::size_t index = number_in(launcher.index);
    share.count = number_in(launcher.count);
    if (index < first || index - first >= share.count) {
      throw std::runtime_error(
          fmt::format("{} is {} and {} is {}; expected indices from {} on without gaps",
                      launcher.index, index, launcher.count, share.count, first));
    }
    share.index = index - first;
    return share;
  }
  return {};
}

}  // namespace pointtree::cli
