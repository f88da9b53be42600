// SPDX-License-Identifier: Apache-2.0
#include "s3dis_splits.hpp"

#include <set>
#include <stdexcept>

#include "datasets/dataset_split.hpp"
#include "geometry/seed.hpp"
#include "simulation/room.hpp"

namespace pointtree::datasets {
namespace {

bool starts_with(const std::string& text, const std::string& prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

// Decided by the room's name alone, so that it doesn't matter which other rooms are there.
bool held_out(const std::string& room) {
  return geometry::mix_seed({kSplitSeed, geometry::hash_name(room)}) % 8 == 0;
}

}  // namespace

std::vector<bool> s3dis_rooms_of_split(const std::vector<std::string>& rooms,
                                       const std::string& split) {
  static const std::set<std::string> kKnown = {"train",  "validation", "train_all", "test",
                                               "all",    "Area_1",     "Area_2",    "Area_3",
                                               "Area_4", "Area_5",     "Area_6"};
  if (kKnown.count(split) == 0) {
    throw std::runtime_error(
        "S3DIS has no split '" + split +
        "', expected train, validation, train_all, test, all or Area_1 to Area_6");
  }
  std::vector<bool> chosen;
  chosen.reserve(rooms.size());
  for (const std::string& room : rooms) {
    const bool test = starts_with(room, "Area_5_");
    bool in = true;
    if (split == "test") in = test;
    if (split == "train") in = !test && !held_out(room);
    if (split == "validation") in = !test && held_out(room);
    if (split == "train_all") in = !test;
    if (starts_with(split, "Area_")) in = starts_with(room, split + "_");
    chosen.push_back(in);
  }
  return chosen;
}

DatasetInfo s3dis_info(const std::string& kind, const std::string& split) {
  DatasetInfo info;
  info.kind = kind;
  info.split = split;
  info.point_classes = simulation::room_classes();
  info.extra_channels = {"red", "green", "blue"};
  return info;
}

}  // namespace pointtree::datasets
