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
/// known. Where all rooms are of Area 6, `train` is offices 25 to 37, hallways 3 and 4 and the copy
/// room, `validation` offices 1 and 4 to 7; `test_public` is the rest of Area 6 in either case.
std::unique_ptr<Dataset> open_s3dis_hdf5(const std::filesystem::path& dir,
                                         const std::string& split);

/// S3DIS as one file per room, `Area_<n>_<room>.npy` or `.txt`, with rows `x y z r g b label`;
/// splits as above. Rooms are read when the data set is opened and stay in memory. Points are in
/// metres, their channels `height` (above the floor), `red`, `green` and `blue` (0 to 1).
///
/// `train` and `train_all` are `size` random columns, each about a random point, of varying size,
/// turned, mirrored and a little scaled; half of the points are drawn from a random class, so that
/// rare ones are met. Other splits are the columns of an even grid, with 4,096 points each. The
/// place may carry parameters: `DIR,block=2,size=20000` are the edge of a column in metres (1 by
/// default) and the number of random columns.
std::unique_ptr<Dataset> open_s3dis_rooms(const std::filesystem::path& place,
                                          const std::string& split);

}  // namespace pointtree::datasets
