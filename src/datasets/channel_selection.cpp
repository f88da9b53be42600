// SPDX-License-Identifier: Apache-2.0
#include "datasets/channel_selection.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "datasets/sized_dataset.hpp"
#include "pointtree/geometry/cloud_size.hpp"

namespace pointtree::datasets {
namespace {

class SelectedChannels : public Dataset {
 public:
  SelectedChannels(std::unique_ptr<Dataset> dataset, const std::vector<std::string>& names)
      : dataset_(std::move(dataset)), info_(dataset_->info()) {
    const std::vector<std::string>& known = info_.extra_channels;
    for (const std::string& name : names) {
      const auto found = std::find(known.begin(), known.end(), name);
      if (found == known.end()) {
        std::string all;
        for (const std::string& channel : known) all += (all.empty() ? "" : ", ") + channel;
        throw std::runtime_error("channel '" + name + "': expected one of those of '" + info_.kind +
                                 "', which has " + (all.empty() ? "none" : all));
      }
      columns_.push_back(found - known.begin());
    }
    info_.extra_channels = names;
  }

  const DatasetInfo& info() const override { return info_; }
  std::size_t size() const override { return dataset_->size(); }
  std::int32_t label(std::size_t index) const override { return dataset_->label(index); }

  Example at(std::size_t index) const override {
    Example example = dataset_->at(index);
    example.extra = example.extra(Eigen::all, columns_).eval();
    return example;
  }

 private:
  std::unique_ptr<Dataset> dataset_;
  DatasetInfo info_;
  std::vector<Eigen::Index> columns_;
};

}  // namespace

std::unique_ptr<Dataset> with_channels(std::unique_ptr<Dataset> dataset,
                                       const std::vector<std::string>& names) {
  if (dataset->info().extra_channels == names) return dataset;
  if (std::find(names.begin(), names.end(), geometry::kSizeChannel) != names.end())
    dataset = with_size(std::move(dataset));
  return std::make_unique<SelectedChannels>(std::move(dataset), names);
}

std::vector<std::string> channel_names(const std::string& list) {
  std::vector<std::string> names;
  std::istringstream stream(list);
  std::string name;
  while (std::getline(stream, name, ',')) {
    const auto first = name.find_first_not_of(' ');
    if (first == std::string::npos) continue;
    names.push_back(name.substr(first, name.find_last_not_of(' ') - first + 1));
  }
  return names;
}

}  // namespace pointtree::datasets
