// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "pointtree/geometry/points.hpp"
#include "pointtree/io/cloud_file.hpp"

namespace pointtree::datasets {

/// In Example::label and Example::point_labels.
using io::kNoLabel;

/// Channels beside the coordinates, one row per point.
using Channels = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// One cloud of a data set with what is known about it.
struct Example {
  geometry::Points points;
  Channels extra;                 ///< [n, k] beside the coordinates; 0 columns where there are none
  std::int32_t label = kNoLabel;  ///< index into DatasetInfo::classes
  double metres = 0.0;            ///< length of the coordinates' unit; 0: not known
  std::vector<std::int32_t>
      point_labels;  ///< index into DatasetInfo::point_classes per point; or empty
};

/// What the numbers of a data set mean.
struct DatasetInfo {
  std::string kind;  ///< as given to open_dataset
  std::string split;
  /// Names of Example::label; empty where clouds have none.
  std::vector<std::string> classes = {};
  /// Names of Example::point_labels; empty where points have none.
  std::vector<std::string> point_classes = {};
  /// For every class the point classes that its clouds may hold; empty where any may occur.
  std::vector<std::vector<std::int32_t>> parts_of_class = {};
  std::vector<std::string> extra_channels = {};  ///< names of the columns of Example::extra
  bool y_up = false;  ///< as shapes made for graphics have it; otherwise z is up
};

/// A sequence of clouds. Every function may be called from several threads at once.
class Dataset {
 public:
  Dataset() = default;
  Dataset(const Dataset&) = delete;
  Dataset& operator=(const Dataset&) = delete;
  virtual ~Dataset() = default;

  virtual const DatasetInfo& info() const = 0;
  virtual std::size_t size() const = 0;

  /// The cloud with this index, the same at every call; throws std::out_of_range past the end.
  virtual Example at(std::size_t index) const = 0;

  /// at(index).label, usually without making the cloud.
  virtual std::int32_t label(std::size_t index) const { return at(index).label; }

  /// Whether neighbours are unrelated as they are: training then takes them in their order.
  virtual bool in_random_order() const { return false; }
};

/// The kind of data set that a folder holds, told from its files; throws std::runtime_error where
/// none fits.
std::string detect_kind(const std::filesystem::path& dir);

/// Opens one split of a data set; `kind` is one that docs/data.md lists, or "auto". Data sets that
/// are generated take `key=value` pairs instead of a folder, for example "size=2000,seed=7"; kinds
/// joined by '+' are mixed (see open_mixed). Throws std::runtime_error naming the file, what was
/// expected and what was found.
std::unique_ptr<Dataset> open_dataset(const std::filesystem::path& dir, const std::string& kind,
                                      const std::string& split);

}  // namespace pointtree::datasets
