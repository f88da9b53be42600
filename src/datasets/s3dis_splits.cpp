// SPDX-License-Identifier: Apache-2.0
#include "s3dis_splits.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "datasets/dataset_split.hpp"
#include "datasets/readers.hpp"
#include "geometry/seed.hpp"
#include "hdf5_dataset.hpp"
#include "hdf5_file.hpp"
#include "io/text_lines.hpp"
#include "pointtree/geometry/cloud_size.hpp"
#include "simulation/scene.hpp"
#include "split_files.hpp"

namespace pointtree::datasets {
namespace {

bool starts_with(const std::string& text, const std::string& prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

// Decided by the room's name alone, so that it doesn't matter which other rooms are there.
bool held_out(const std::string& room) {
  return geometry::mix_seed({kSplitSeed, geometry::hash_name(room)}) % 8 == 0;
}

bool trains_in_area_6(const std::string& room) {
  if (room == "Area_6_hallway_3" || room == "Area_6_hallway_4") return true;
  if (starts_with(room, "Area_6_copyRoom")) return true;
  static const std::string kOffice = "Area_6_office_";
  if (!starts_with(room, kOffice)) return false;
  const int number = std::atoi(room.c_str() + kOffice.size());
  return number >= 25 && number <= 37;
}

bool validates_in_area_6(const std::string& room) {
  static const std::set<std::string> kRooms = {"Area_6_office_1", "Area_6_office_4",
                                               "Area_6_office_5", "Area_6_office_6",
                                               "Area_6_office_7"};
  return kRooms.count(room) > 0;
}

// Whether Area 6 is all there is: its rooms are then split among themselves.
bool only_area_6(const std::vector<std::string>& rooms) {
  return std::all_of(rooms.begin(), rooms.end(),
                     [](const std::string& room) { return starts_with(room, "Area_6_"); });
}

bool in_split_of_area_6(const std::string& room, const std::string& split) {
  const bool train = trains_in_area_6(room);
  const bool validation = validates_in_area_6(room);
  if (split == "train") return train;
  if (split == "validation") return validation;
  if (split == "train_all") return train || validation;
  return starts_with(room, "Area_6_") && !train && !validation;
}

bool in_published_split(const std::string& room, const std::string& split) {
  const bool test = starts_with(room, "Area_5_");
  if (split == "train") return !test && !held_out(room);
  if (split == "validation") return !test && held_out(room);
  return split == "test" ? test : !test;
}

}  // namespace

std::vector<bool> s3dis_rooms_of_split(const std::vector<std::string>& rooms,
                                       const std::string& split) {
  static const std::set<std::string> kKnown = {"train",  "validation", "train_all", "test",
                                               "all",    "Area_1",     "Area_2",    "Area_3",
                                               "Area_4", "Area_5",     "Area_6",    "test_public"};
  if (kKnown.count(split) == 0) {
    throw std::runtime_error(
        "S3DIS has no split '" + split +
        "', expected train, validation, train_all, test, test_public, all or Area_1 to Area_6");
  }
  const bool within_area_6 = split == "test_public" || (split != "test" && only_area_6(rooms));
  std::vector<bool> chosen;
  chosen.reserve(rooms.size());
  for (const std::string& room : rooms) {
    if (split == "all") {
      chosen.push_back(true);
    } else if (starts_with(split, "Area_")) {
      chosen.push_back(starts_with(room, split + "_"));
    } else {
      chosen.push_back(within_area_6 ? in_split_of_area_6(room, split)
                                     : in_published_split(room, split));
    }
  }
  return chosen;
}

DatasetInfo s3dis_info(const std::string& kind, const std::string& split) {
  DatasetInfo info{kind, split};
  info.point_classes = simulation::room_classes();
  info.extra_channels.assign(geometry::kColourChannels.begin(), geometry::kColourChannels.end());
  return info;
}

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
