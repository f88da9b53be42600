// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "datasets/channel_selection.hpp"
#include "datasets/readers.hpp"

namespace pointtree::datasets {
namespace {

std::vector<std::string> split_at_plus(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  std::string part;
  while (std::getline(stream, part, '+')) parts.push_back(part);
  return parts;
}

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
  }

  const DatasetInfo& info() const override { return info_; }
  std::size_t size() const override { return size_; }

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

  Place find(std::size_t index) const {
    for (const auto& member : members_) {
      if (index < member->size()) return {member.get(), index};
      index -= member->size();
    }
    throw std::out_of_range("example past the end of a mixed data set");
  }

  std::vector<std::unique_ptr<Dataset>> members_;
  DatasetInfo info_;
  std::size_t size_ = 0;
};

}  // namespace

std::unique_ptr<Dataset> open_mixed(const std::filesystem::path& places, const std::string& kinds,
                                    const std::string& split) {
  const std::vector<std::string> kind_list = split_at_plus(kinds);
  const std::vector<std::string> place_list = split_at_plus(places.string());
  if (kind_list.size() != place_list.size()) {
    throw std::runtime_error("mixed data set '" + kinds + "' has " +
                             std::to_string(kind_list.size()) + " kinds, but '" + places.string() +
                             "' names " + std::to_string(place_list.size()) + " places");
  }
  std::vector<std::unique_ptr<Dataset>> members;
  for (std::size_t i = 0; i < kind_list.size(); ++i) {
    members.push_back(open_dataset(place_list[i], kind_list[i], split));
  }
  const std::vector<std::string> channels = shared_channels(members);
  for (auto& member : members) member = with_channels(std::move(member), channels);
  return std::make_unique<MixedDataset>(kinds, std::move(members));
}

}  // namespace pointtree::datasets
