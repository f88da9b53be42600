// SPDX-License-Identifier: Apache-2.0
#include "sample_batch.hpp"

#include <algorithm>
#include <optional>

#include "pointtree/geometry/cloud_size.hpp"
#include "pointtree/geometry/sampling.hpp"

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

/// Which byte of 0xRRGGBB a channel is; none where it isn't a colour.
std::optional<unsigned> colour_shift(const std::string& channel) {
  for (unsigned k = 0; k < 3; ++k)
    if (channel == geometry::kColourChannels[k]) return 8U * (2U - k);
  return std::nullopt;
}

}  // namespace

bool gives_channels(const std::vector<std::string>& channels) {
  return std::all_of(channels.begin(), channels.end(), [](const std::string& name) {
    return name == geometry::kSizeChannel || name == geometry::kHeightChannel || colour_shift(name);
  });
}

bool takes_colours(const std::vector<std::string>& channels) {
  return std::any_of(channels.begin(), channels.end(), colour_shift);
}

void SampleBatch::clear(const inference::EngineInfo& model, std::uint32_t seed) {
  rows_ = model.points;
  least_rows_ = model.least_points;
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
  sample.points.resize(static_cast<Eigen::Index>(sample.rows.size()), 3);
  Eigen::Index row = 0;
  for (const std::int32_t place : sample.rows)
    sample.points.row(row++) = points[indices[static_cast<std::size_t>(place)]];
  return sample;
}

void SampleBatch::add(const PointBuffer& points, const std::vector<std::uint32_t>& indices,
                      const std::vector<std::uint32_t>& source, const PointChannels& known) {
  Sample& sample = draw(points, indices, source);
  sample.channels.resize(sample.rows.size() * channels_.size());
  const auto fill = [&](std::size_t channel, auto value_of) {
    for (std::size_t row = 0; row < sample.rows.size(); ++row) {
      const auto place = static_cast<std::size_t>(sample.rows[row]);
      sample.channels[row * channels_.size() + channel] = value_of(indices[place]);
    }
  };
  for (std::size_t channel = 0; channel < channels_.size(); ++channel) {
    if (const auto shift = colour_shift(channels_[channel])) {
      fill(channel, [&, shift = *shift](std::uint32_t point) {
        if (known.colours.empty()) return 0.0F;
        return static_cast<float>(known.colours[point] >> shift & 0xFFU) / 255.0F;
      });
    } else if (channels_[channel] == geometry::kHeightChannel) {
      fill(channel, [&](std::uint32_t point) { return known.heights[point]; });
    } else {
      fill(channel, [size = geometry::cloud_size(sample.points)](std::uint32_t) { return size; });
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
  const std::int32_t distinct = geometry::rows_that_hold(count, rows_);
  const std::int32_t times = std::max(distinct, least_rows_) / distinct;
  const auto chosen = hashes_.begin() + distinct % count;
  std::nth_element(hashes_.begin(), chosen, hashes_.end());
  rows.clear();
  for (auto taken = hashes_.begin(); taken != chosen; ++taken)
    rows.insert(rows.end(), static_cast<std::size_t>(times), taken->second);
  for (std::int32_t place = 0; place < count; ++place)
    rows.insert(rows.end(), static_cast<std::size_t>(distinct / count * times), place);
  std::sort(rows.begin(), rows.end());
}

std::vector<inference::CloudInput> SampleBatch::inputs() const {
  std::vector<inference::CloudInput> inputs;
  inputs.reserve(used_);
  for (std::size_t k = 0; k < used_; ++k) {
    const Sample& sample = samples_[k];
    const auto columns = static_cast<Eigen::Index>(channels_.size());
    const inference::ChannelsView channels(sample.channels.data(),
                                           columns > 0 ? sample.points.rows() : 0, columns,
                                           Eigen::OuterStride<>(columns));
    inputs.push_back({sample.points, channels, sample.rows});
  }
  return inputs;
}

}  // namespace pointtree::perception
