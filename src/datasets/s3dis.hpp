// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "pointtree/datasets/dataset.hpp"

namespace pointtree::datasets {

/// S3DIS as PointNet's HDF5 blocks: `all_files.txt`, `room_filelist.txt` (the room of every block)
/// and files with `data` [N, 4096, ≥ 6] (xyz in the block, rgb) and `label` [N, 4096].
///
/// Splits go by room: `test` is Area 5; `validation` is one in eight of the other rooms, chosen
/// once for all, and `train` the rest; `train_all` is both; `Area_1` … `Area_6` and `all` are also
/// known.
std::unique_ptr<Dataset> open_s3dis_hdf5(const std::filesystem::path& dir,
                                         const std::string& split);

/// S3DIS as one file per room, `Area_<n>_<room>.npy` or `.txt`, with rows `x y z r g b label`, cut
/// into columns of 1 m × 1 m with 4,096 points each; splits as above. Rooms are read again for each
/// block, save for the last few: store the blocks with `pointtree transform` before training on
/// them.
std::unique_ptr<Dataset> open_s3dis_rooms(const std::filesystem::path& dir,
                                          const std::string& split);

}  // namespace pointtree::datasets
