// SPDX-License-Identifier: Apache-2.0
#include "datasets/channel_selection.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <utility>

#include "geometry/seed.hpp"
#include "io/name_list.hpp"
#include "pointtree/geometry/cloud_size.hpp"
#include "simulation/objects.hpp"

namespace pointtree::datasets {
namespace {

constexpr std::uint64_t kSeed = 1;

// The clouds of another data set in its order, each changed when it is asked for.
class ChangedDataset : public Dataset {
 public:
  using Change = std::function<void(std::size_t index, Example& example)>;

  ChangedDataset(std::unique_ptr<Dataset> dataset, DatasetInfo info, Change change)
      : dataset_(std::move(dataset)), info_(std::move(info)), change_(std::move(change)) {}

  const DatasetInfo& info() const override { return info_; }
  std::size_t size() const override { return dataset_->size(); }
  std::int32_t label(std::size_t index) const override { return dataset_->label(index); }
  bool in_random_order() const override { return dataset_->in_random_order(); }

  Example at(std::size_t index) const override {
    Example example = dataset_->at(index);
    change_(index, example);
    return example;
  }

 private:
  std::unique_ptr<Dataset> dataset_;
  DatasetInfo info_;
  Change change_;
};

// Where each of the named channels is in the data.
std::vector<Eigen::Index> columns_of(const DatasetInfo& info,
                                     const std::vector<std::string>& names) {
  const std::vector<std::string>& known = info.extra_channels;
  std::vector<Eigen::Index> columns;
  for (const std::string& name : names) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      throw std::runtime_error("channel '" + name + "': expected one of those of '" + info.kind +
                               "', which has " + (known.empty() ? "none" : io::joined(known)));
    }
    columns.push_back(found - known.begin());
  }
  return columns;
}

// Metres per unit that make a cloud as long as an object of its class.
double life_size(const geometry::Points& points, const std::string& kind, std::size_t index) {
  geometry::Random random(geometry::mix_seed({kSeed, index}));
  const double life = simulation::bounds(simulation::make_object(kind, random)).diagonal().norm();
  const double own = (points.colwise().maxCoeff() - points.colwise().minCoeff()).norm();
  return own > 0.0 ? life / own : 1.0;
}

// Appends the size of the cloud with this index; `info` is that of its data set.
void append_size(const DatasetInfo& info, std::size_t index, Example& example) {
  if (example.metres <= 0.0) {
    if (example.label == kNoLabel)
      throw std::invalid_argument("size: cloud " + std::to_string(index) + " of '" + info.kind +
                                  "' has neither a unit nor a class");
    const auto& kind = info.classes[static_cast<std::size_t>(example.label)];
    example.metres = life_size(example.points, kind, index);
  }
  const float size =
      geometry::cloud_size(example.points) + static_cast<float>(std::log(example.metres));
  example.extra.conservativeResize(example.points.rows(), example.extra.cols() + 1);
  example.extra.rightCols<1>().setConstant(size);
}

}  // namespace

std::unique_ptr<Dataset> with_channels(std::unique_ptr<Dataset> dataset,
                                       const std::vector<std::string>& names) {
  if (dataset->info().extra_channels == names) return dataset;
  if (std::find(names.begin(), names.end(), geometry::kSizeChannel) != names.end())
    dataset = with_size(std::move(dataset));
  DatasetInfo info = dataset->info();
  const std::vector<Eigen::Index> columns = columns_of(info, names);
  info.extra_channels = names;
  return std::make_unique<ChangedDataset>(
      std::move(dataset), std::move(info), [columns](std::size_t /*index*/, Example& example) {
        example.extra = example.extra(Eigen::all, columns).eval();
      });
}

std::vector<std::string> channel_names(const std::string& list) {
  std::vector<std::string> names = io::split(list, ',');
  names.erase(std::remove(names.begin(), names.end(), ""), names.end());
  return names;
}

std::unique_ptr<Dataset> with_size(std::unique_ptr<Dataset> dataset) {
  DatasetInfo info = dataset->info();
  info.extra_channels.emplace_back(geometry::kSizeChannel);
  return std::make_unique<ChangedDataset>(
      std::move(dataset), info,
      [info](std::size_t index, Example& example) { append_size(info, index, example); });
}

}  // namespace pointtree::datasets
