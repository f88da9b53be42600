// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "datasets/channel_selection.hpp"
#include "datasets/readers.hpp"
#include "io/name_list.hpp"

namespace pointtree::datasets {
namespace {

bool begins_with(const std::vector<std::string>& names, const std::vector<std::string>& begin) {
  return begin.size() <= names.size() && std::equal(begin.begin(), begin.end(), names.begin());
}

// A data set may know more classes than another, after those that both know.
void expect_equal_meaning(const DatasetInfo& first, const DatasetInfo& other) {
  const bool same_classes = begins_with(first.classes, other.classes);
  if (same_classes && first.point_classes == other.point_classes &&
      first.parts_of_class == other.parts_of_class) {
    return;
  }
  throw std::runtime_error("data sets '" + first.kind + "' and '" + other.kind +
                           "' can not be mixed: their classes differ");
}

// The channels that all members have, in the order of the first.
std::vector<std::string> shared_channels(const std::vector<std::unique_ptr<Dataset>>& members) {
  std::vector<std::string> shared;
  for (const std::string& name : members.front()->info().extra_channels) {
    const bool everywhere = std::all_of(members.begin(), members.end(), [&](const auto& member) {
      const auto& names = member->info().extra_channels;
      return std::find(names.begin(), names.end(), name) != names.end();
    });
    if (everywhere) shared.push_back(name);
  }
  return shared;
}

class MixedDataset : public Dataset {
 public:
  MixedDataset(const std::string& kind, std::vector<std::unique_ptr<Dataset>> members)
      : members_(std::move(members)), info_(members_.front()->info()) {
    for (const auto& member : members_) {
      if (member->info().classes.size() > info_.classes.size())
        info_.classes = member->info().classes;
    }
    for (const auto& member : members_) {
      expect_equal_meaning(info_, member->info());
      size_ += member->size();
    }
    info_.kind = kind;
    if (in_random_order()) turns_ = taking_turns();
  }

  const DatasetInfo& info() const override { return info_; }
  std::size_t size() const override { return size_; }

  bool in_random_order() const override {
    return std::all_of(members_.begin(), members_.end(),
                       [](const auto& member) { return member->in_random_order(); });
  }

  Example at(std::size_t index) const override {
    const Place place = find(index);
    return place.member->at(place.index);
  }

  std::int32_t label(std::size_t index) const override {
    const Place place = find(index);
    return place.member->label(place.index);
  }

 private:
  struct Place {
    const Dataset* member;
    std::size_t index;
  };

  // Every member's clouds in its own order, spread evenly over the whole.
  std::vector<Place> taking_turns() const {
    std::vector<std::pair<double, Place>> ranked;
    for (const auto& member : members_) {
      const auto clouds = static_cast<double>(member->size());
      for (std::size_t i = 0; i < member->size(); ++i)
        ranked.push_back({(static_cast<double>(i) + 0.5) / clouds, {member.get(), i}});
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Place> places;
    for (const auto& [rank, place] : ranked) places.push_back(place);
    return places;
  }

  Place find(std::size_t index) const {
    if (!turns_.empty()) return turns_.at(index);
    for (const auto& member : members_) {
      if (index < member->size()) return {member.get(), index};
      index -= member->size();
    }
    throw std::out_of_range("example past the end of a mixed data set");
  }

  std::vector<std::unique_ptr<Dataset>> members_;
  DatasetInfo info_;
  std::size_t size_ = 0;
  std::vector<Place> turns_;  // of members in random order; others come one after the other
};

}  // namespace

std::unique_ptr<Dataset> open_mixed(const std::filesystem::path& places, const std::string& kinds,
                                    const std::string& split) {
  const std::vector<std::string> kind_list = io::split(kinds, '+');
  const std::vector<std::string> place_list = io::split(places.string(), '+');
  if (kind_list.size() != place_list.size()) {
    throw std::runtime_error("mixed data set '" + kinds + "' has " +
                             std::to_string(kind_list.size()) + " kinds, but '" + places.string() +
                             "' names " + std::to_string(place_list.size()) + " places");
  }
  std::vector<std::unique_ptr<Dataset>> members;
  for (std::size_t i = 0; i < kind_list.size(); ++i) {
    members.push_back(open_dataset(place_list[i], kind_list[i], split));
  }
  return mix(kinds, std::move(members));
}

std::unique_ptr<Dataset> mix(const std::string& kind,
                             std::vector<std::unique_ptr<Dataset>> members) {
  const std::vector<std::string> channels = shared_channels(members);
  for (auto& member : members) member = with_channels(std::move(member), channels);
  return std::make_unique<MixedDataset>(kind, std::move(members));
}

}  // namespace pointtree::datasets
