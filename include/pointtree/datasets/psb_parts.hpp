#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "pointtree/datasets/dataset.hpp"

namespace pointtree::datasets {

/// Labelled shapes with parts in HDF5: `data` [N, n, 3], `label` [N, 1], `pid` [N, n] (part,
/// counted over all classes), `normal` [N, n, 3] where present, `class_names.txt` and
/// `part_names.txt` with lines `<class>/<part>`.
///
/// Files `psb_parts_<split>.h5` are taken as they are; without one `psb_parts_dev.h5` is cut, class
/// by class, into `train` (70 %), `validation` (10 %) and `test` (20 %), and `all` is the whole; a
/// folder with neither has the files of its splits listed as ModelNet's.
std::unique_ptr<Dataset> open_psb_parts(const std::filesystem::path& dir, const std::string& split);

}  // namespace pointtree::datasets
