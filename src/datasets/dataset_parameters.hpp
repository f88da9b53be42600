// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace pointtree::datasets {

/// What is seen of a generated example.
enum class View { full, scan, mixed };

/// The parameters of a generated data set.
struct DatasetParameters {
  std::size_t size = 0;
  std::uint64_t seed = 0;
  std::int32_t points = 0;
  View view = View::mixed;
  bool street = false;       ///< objects: also the kinds beyond ModelNet40's
  std::size_t held_out = 0;  ///< size of all splits but `train`; 0: like `train`
  double block = 1.0;        ///< m: edge of a column of a room
  bool colour = true;        ///< rooms: points have the colours that the files give

  /// Size of a split.
  std::size_t size_of(const std::string& split) const;
};

/// Reads `key=value,key=value` over the defaults; throws std::runtime_error naming what it doesn't
/// understand.
DatasetParameters parse_parameters(const std::string& text, DatasetParameters defaults);

/// A folder and the parameters behind it.
struct Place {
  std::filesystem::path folder;
  std::string parameters;
};

/// Takes `folder,key=value,…` apart.
Place split_place(const std::filesystem::path& place);

}  // namespace pointtree::datasets
