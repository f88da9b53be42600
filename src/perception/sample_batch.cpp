// SPDX-License-Identifier: Apache-2.0
#include "sample_batch.hpp"

#include <algorithm>

#include "pointtree/geometry/cloud_size.hpp"

namespace pointtree::perception {
namespace {

/// A number that looks drawn at random for every point, the same in every frame: a multiplication
/// mixes upwards, a shift brings it down again.
std::uint32_t lot_of(std::uint32_t point, std::uint32_t seed) {
  std::uint32_t lot = (point + 1U) * 0x9e3779b1U ^ seed;
  lot = (lot ^ (lot >> 16)) * 0x85ebca6bU;
  lot = (lot ^ (lot >> 13)) * 0xc2b2ae35U;
  return lot ^ (lot >> 16);
}

}  // namespace

void SampleBatch::clear(const inference::EngineInfo& model, std::uint32_t seed) {
  rows_ = model.points;
  sized_ = !model.channels.empty();
  seed_ = seed;
  used_ = 0;
}

void SampleBatch::add(const PointBuffer& points, const std::vector<std::uint32_t>& indices,
                      const std::vector<std::uint32_t>& source) {
  if (used_ == samples_.size()) samples_.emplace_back();
  Sample& sample = samples_[used_++];
  draw_rows(indices, source, sample.rows);
  sample.points.resize(rows_, 3);
  for (std::int32_t row = 0; row < rows_; ++row) {
    const auto place = static_cast<std::size_t>(sample.rows[static_cast<std::size_t>(row)]);
    sample.points.row(row) = points[indices[place]];
  }
  if (sized_) sample.sizes.assign(sample.rows.size(), geometry::cloud_size(sample.points));
}

void SampleBatch::draw_rows(const std::vector<std::uint32_t>& indices,
                            const std::vector<std::uint32_t>& source,
                            std::vector<std::int32_t>& rows) {
  lots_.clear();
  for (std::size_t place = 0; place < indices.size(); ++place)
    lots_.emplace_back(lot_of(source[indices[place]], seed_), static_cast<std::int32_t>(place));
  const auto count = static_cast<std::int32_t>(indices.size());
  const auto chosen = lots_.begin() + rows_ % count;
  std::nth_element(lots_.begin(), chosen, lots_.end());
  rows.clear();
  for (auto lot = lots_.begin(); lot != chosen; ++lot) rows.push_back(lot->second);
  for (std::int32_t turn = 0; turn < rows_ / count; ++turn) {
    for (std::int32_t place = 0; place < count; ++place) rows.push_back(place);
  }
  std::sort(rows.begin(), rows.end());
}

std::vector<inference::CloudInput> SampleBatch::inputs() const {
  std::vector<inference::CloudInput> inputs;
  inputs.reserve(used_);
  for (std::size_t k = 0; k < used_; ++k) {
    const Sample& sample = samples_[k];
    const inference::ChannelsView sizes(sample.sizes.data(), sized_ ? rows_ : 0, sized_ ? 1 : 0,
                                        Eigen::OuterStride<>(1));
    inputs.push_back({sample.points, sizes, sample.rows});
  }
  return inputs;
}

}  // namespace pointtree::perception
