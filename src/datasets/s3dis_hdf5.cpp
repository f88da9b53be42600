// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "datasets/s3dis.hpp"
#include "hdf5_dataset.hpp"
#include "hdf5_file.hpp"
#include "io/text_lines.hpp"
#include "s3dis_splits.hpp"
#include "split_files.hpp"

namespace pointtree::datasets {

std::unique_ptr<Dataset> open_s3dis_hdf5(const std::filesystem::path& dir,
                                         const std::string& split) {
  Hdf5Layout layout;
  layout.columns = 6;
  layout.point_labels = "label";
  const auto files = require_split_files(dir, "all");
  const auto rooms = io::read_lines(dir / "room_filelist.txt");
  std::size_t blocks = 0;
  for (const auto& file : files) blocks += Hdf5File::open(file).shape(layout.coordinates)[0];
  if (blocks != rooms.size()) {
    throw std::runtime_error((dir / "room_filelist.txt").string() +
                             ": expected a line for each of the " + std::to_string(blocks) +
                             " blocks, found " + std::to_string(rooms.size()));
  }
  const auto chosen = s3dis_rooms_of_split(rooms, split);
  std::vector<std::size_t> selection;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (chosen[i]) selection.push_back(i);
  }
  return open_hdf5_dataset(files, layout, s3dis_info("s3dis", split), std::move(selection));
}

}  // namespace pointtree::datasets
