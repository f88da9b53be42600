// SPDX-License-Identifier: Apache-2.0
#include "sample_batch.hpp"

#include <algorithm>

#include "pointtree/geometry/cloud_size.hpp"

namespace pointtree::perception {
namespace {

/// A hash of the point, the same in every frame: a multiplication mixes upwards, a shift brings it
/// down again.
std::uint32_t hash_of(std::uint32_t point, std::uint32_t seed) {
  std::uint32_t hash = (point + 1U) * 0x9e3779b1U ^ seed;
  hash = (hash ^ (hash >> 16)) * 0x85ebca6bU;
  hash = (hash ^ (hash >> 13)) * 0xc2b2ae35U;
  return hash ^ (hash >> 16);
}

}  // namespace

bool gives_channels(const std::vector<std::string>& channels) {
  return std::all_of(channels.begin(), channels.end(), [](const std::string& name) {
    return name == geometry::kSizeChannel || name == geometry::kHeightChannel;
  });
}

void SampleBatch::clear(const inference::EngineInfo& model, std::uint32_t seed) {
  rows_ = model.points;
  channels_ = model.channels;
  seed_ = seed;
  used_ = 0;
}

SampleBatch::Sample& SampleBatch::draw(const PointBuffer& points,
                                       const std::vector<std::uint32_t>& indices,
                                       const std::vector<std::uint32_t>& source) {
  if (used_ == samples_.size()) samples_.emplace_back();
  Sample& sample = samples_[used_++];
  draw_rows(indices, source, sample.rows);
  sample.points.resize(rows_, 3);
  for (std::int32_t row = 0; row < rows_; ++row) {
    const auto place = static_cast<std::size_t>(sample.rows[static_cast<std::size_t>(row)]);
    sample.points.row(row) = points[indices[place]];
  }
  return sample;
}

void SampleBatch::add(const PointBuffer& points, const std::vector<std::uint32_t>& indices,
                      const std::vector<std::uint32_t>& source, const std::vector<float>& heights) {
  Sample& sample = draw(points, indices, source);
  sample.channels.resize(sample.rows.size() * channels_.size());
  for (std::size_t channel = 0; channel < channels_.size(); ++channel) {
    const bool height = channels_[channel] == geometry::kHeightChannel;
    const float size = height ? 0.0F : geometry::cloud_size(sample.points);
    for (std::size_t row = 0; row < sample.rows.size(); ++row) {
      const auto place = static_cast<std::size_t>(sample.rows[row]);
      sample.channels[row * channels_.size() + channel] = height ? heights[indices[place]] : size;
    }
  }
}

void SampleBatch::add(const PointBuffer& points, const std::vector<std::uint32_t>& indices,
                      const std::vector<std::uint32_t>& source, const ScanFeatures& features) {
  Sample& sample = draw(points, indices, source);
  sample.channels.resize(sample.rows.size() * channels_.size());
  for (std::size_t row = 0; row < sample.rows.size(); ++row) {
    const auto place = static_cast<std::size_t>(sample.rows[row]);
    features.write(indices[place], sample.channels.data() + row * channels_.size());
  }
}

bool SampleBatch::has_heights() const {
  return std::find(channels_.begin(), channels_.end(), geometry::kHeightChannel) != channels_.end();
}

void SampleBatch::draw_rows(const std::vector<std::uint32_t>& indices,
                            const std::vector<std::uint32_t>& source,
                            std::vector<std::int32_t>& rows) {
  hashes_.clear();
  for (std::size_t place = 0; place < indices.size(); ++place)
    hashes_.emplace_back(hash_of(source[indices[place]], seed_), static_cast<std::int32_t>(place));
  const auto count = static_cast<std::int32_t>(indices.size());
  const auto chosen = hashes_.begin() + rows_ % count;
  std::nth_element(hashes_.begin(), chosen, hashes_.end());
  rows.clear();
  for (auto taken = hashes_.begin(); taken != chosen; ++taken) rows.push_back(taken->second);
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
    const auto columns = static_cast<Eigen::Index>(channels_.size());
    const inference::ChannelsView channels(sample.channels.data(), columns > 0 ? rows_ : 0, columns,
                                           Eigen::OuterStride<>(columns));
    inputs.push_back({sample.points, channels, sample.rows});
  }
  return inputs;
}

}  // namespace pointtree::perception
