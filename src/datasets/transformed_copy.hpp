// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>

#include "datasets/observation.hpp"
#include "pointtree/datasets/dataset.hpp"
#include "pointtree/geometry/transformation.hpp"

namespace pointtree::datasets {

/// How the transformed copies of a data set are made.
struct CopyConfig {
  geometry::TransformationKind transformation = geometry::TransformationKind::affine;
  geometry::TransformationForm form = geometry::TransformationForm::authors;
  ObservationConfig observation;  ///< what a sensor leaves of each cloud before it is transformed
  std::size_t copies = 1;         ///< "augment time": differently transformed copies of every cloud
  std::int32_t points =
      0;  ///< per cloud, drawn or repeated by chance; 0: as many as the first cloud has
  std::uint64_t seed = 0;
};

/// Stores `copies` transformed images of every cloud of a data set as HDF5, in files of up to 2,048
/// clouds, in a layout that open_dataset(…, "auto", …) recognises: ModelNet's where clouds have
/// classes, ShapeNetPart's where they also have its parts, and `blocks` where only points have
/// classes. Extra channels are kept for blocks only, since normals would have to be transformed
/// too.
///
/// `progress` is told the number of clouds stored so far. Throws std::runtime_error where a file
/// can't be written.
void write_transformed_copy(const Dataset& dataset, const CopyConfig& config,
                            const std::filesystem::path& dir,
                            const std::function<void(std::size_t)>& progress = {});

/// Blocks of scenes as write_transformed_copy stores them: `data` [N, n, 3 + k], `label` [N, n],
/// `point_class_names.txt`, `channel_names.txt` where k > 0, and files `ply_data_<split>0.h5`, …
std::unique_ptr<Dataset> open_blocks(const std::filesystem::path& dir, const std::string& split);

}  // namespace pointtree::datasets
