// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "pointtree/datasets/dataset.hpp"

namespace pointtree::datasets {

/// ShapeNetPart in HDF5: `data` [N, n, 3], `label` [N, 1], `pid` or `seg` [N, n] with parts counted
/// from 0 to 49, and per split `<split>_hdf5_file_list.txt`, `<split>_files.txt` or files
/// `<split>0.h5`, … Splits: train, validation (`val` in the files) and test.
std::unique_ptr<Dataset> open_shapenet_part_hdf5(const std::filesystem::path& dir,
                                                 const std::string& split);

/// The text release with normals: `synsetoffset2category.txt`,
/// `train_test_split/shuffled_<split>_file_list.json` and
/// `<synset>/<shape>.txt` with rows `x y z nx ny nz part`; splits as above.
std::unique_ptr<Dataset> open_shapenet_part_text(const std::filesystem::path& dir,
                                                 const std::string& split);

}  // namespace pointtree::datasets
