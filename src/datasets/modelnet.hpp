// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "pointtree/datasets/dataset.hpp"

namespace pointtree::datasets {

/// ModelNet as PointNet's HDF5 release lays it out: `data` [N, n, 3], `label` [N, 1],
/// `shape_names.txt` and, per split, either `<split>_files.txt` or files named
/// `ply_data_<split>0.h5`, …
///
/// Where the folder has no files for `validation`, a fixed eighth of every class of `train` is set
/// aside for it, and `train` is the rest; `train_all` is both. Any other name is taken from the
/// files, for example `test`.
std::unique_ptr<Dataset> open_modelnet_hdf5(const std::filesystem::path& dir,
                                            const std::string& split);

/// ModelNet's meshes, `<class>/<train|test>/<name>.off`, sampled by area to 2,048 points; splits as
/// above.
std::unique_ptr<Dataset> open_modelnet_off(const std::filesystem::path& dir,
                                           const std::string& split);

/// The resampled text release with normals: `modelnet40_shape_names.txt`, `modelnet40_<split>.txt`
/// and
/// `<class>/<name>.txt` with rows `x,y,z,nx,ny,nz`; splits as above.
std::unique_ptr<Dataset> open_modelnet_text(const std::filesystem::path& dir,
                                            const std::string& split);

}  // namespace pointtree::datasets
