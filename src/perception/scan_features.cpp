// SPDX-License-Identifier: Apache-2.0
#include "perception/scan_features.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pointtree::perception {
namespace {

constexpr float kCell = 0.5F;
/// Points farther out share the cells at the border.
constexpr float kReach = 80.0F;
constexpr float kNothing = std::numeric_limits<float>::infinity();
/// Half the windows, in cells.
constexpr int kAround = 1;
constexpr int kGroundWindow = 5;
/// What belongs to a cell's lowest layer.
constexpr float kLayer = 0.4F;

template <typename Better>
void filter_line(const float* in, float* out, int count, int stride, int lanes, int radius,
                 Better better) {
  for (int k = 0; k < count; ++k) {
    float* target = out + k * stride;
    const int first = std::max(0, k - radius);
    const int last = std::min(count - 1, k + radius);
    const float* begin = in + first * stride;
    std::copy(begin, begin + lanes, target);
    for (int j = first + 1; j <= last; ++j) {
      const float* row = in + j * stride;
      for (int lane = 0; lane < lanes; ++lane) target[lane] = better(target[lane], row[lane]);
    }
  }
}

/// A square window over a grid, rows before columns; O(cells · radius).
template <typename Better>
void filter(const std::vector<float>& in, std::vector<float>& out, std::vector<float>& scratch,
            int columns, int rows, int radius, Better better) {
  scratch.resize(in.size());
  out.resize(in.size());
  filter_line(in.data(), scratch.data(), rows, columns, columns, radius, better);
  const float* from = scratch.data();
  for (int row = 0; row < rows; ++row) {
    const float* line = from + row * columns;
    float* target = out.data() + row * columns;
    std::copy(line, line + columns, target);
    for (int shift = 1; shift <= radius; ++shift) {
      for (int k = shift; k < columns; ++k) target[k] = better(target[k], line[k - shift]);
      for (int k = 0; k + shift < columns; ++k) target[k] = better(target[k], line[k + shift]);
    }
  }
}

constexpr auto kLess = [](float a, float b) { return b < a ? b : a; };
constexpr auto kMore = [](float a, float b) { return a < b ? b : a; };
constexpr auto kSum = [](float a, float b) { return a + b; };

float median_of(std::vector<float> values) {
  if (values.empty()) return 0.0F;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Intensities over themselves plus their median: between 0 and 1 whatever their unit.
std::vector<float> relative_intensity(const std::vector<float>& intensity) {
  std::vector<float> some;
  const std::size_t step = 1 + intensity.size() / 4096;
  for (std::size_t i = 0; i < intensity.size(); i += step) {
    if (intensity[i] > 0.0F) some.push_back(intensity[i]);
  }
  const float median = median_of(std::move(some));
  if (!(median > 0.0F)) return {};
  std::vector<float> relative;
  relative.reserve(intensity.size());
  for (const float value : intensity)
    relative.push_back(value > 0.0F ? value / (value + median) : 0.0F);
  return relative;
}

}  // namespace

const std::vector<std::string>& scan_channels() {
  static const std::vector<std::string> kNames = {"height",
                                                  "plane_height",
                                                  "range",
                                                  "intensity",
                                                  "above",
                                                  "below",
                                                  "column_height",
                                                  "relief",
                                                  "roughness",
                                                  "intensity_mean",
                                                  "intensity_deviation",
                                                  "tall_near",
                                                  "tall_far",
                                                  "middle_near"};
  return kNames;
}

void ScanFeatures::assign(const PointBuffer& points, const std::vector<float>& intensity,
                          float ground_height) {
  points_ = &points;
  ground_height_ = ground_height;
  intensity_ = relative_intensity(intensity);
  if (points.empty()) return;
  bound(points);
  find_layers();
  measure_lowest_layer();
  share_of_cells(2.5F, kNothing, 2, tall_near_);
  share_of_cells(2.5F, kNothing, 6, tall_far_);
  share_of_cells(0.6F, 2.3F, 3, middle_);
}

void ScanFeatures::bound(const PointBuffer& points) {
  // A grid through the sensor, so that cells do not move with the farthest point.
  const int half = static_cast<int>(kReach / kCell);
  columns_ = 2 * half;
  rows_ = 2 * half;
  corner_ = Eigen::Vector2f::Constant(-kReach);
  cell_.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Eigen::Array2f place = (points[i].head<2>() - corner_).array() / kCell;
    const int column = std::clamp(static_cast<int>(std::floor(place.x())), 0, columns_ - 1);
    const int row = std::clamp(static_cast<int>(std::floor(place.y())), 0, rows_ - 1);
    cell_[i] = static_cast<std::uint32_t>(row * columns_ + column);
  }
}

void ScanFeatures::find_layers() {
  const auto cells = static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_);
  low_.assign(cells, kNothing);
  high_.assign(cells, -kNothing);
  Map& second = sums_[0];
  Map& count = sums_[1];
  second.assign(cells, kNothing);
  count.assign(cells, 0.0F);
  for (std::size_t i = 0; i < cell_.size(); ++i) {
    const std::uint32_t cell = cell_[i];
    const float z = (*points_)[i].z();
    second[cell] = std::min(second[cell], std::max(z, low_[cell]));
    low_[cell] = std::min(low_[cell], z);
    high_[cell] = std::max(high_[cell], z);
    count[cell] += 1.0F;
  }
  // A single return from below the ground, a reflection, must not lower it for all around.
  for (std::size_t cell = 0; cell < cells; ++cell) {
    if (count[cell] >= 3.0F) low_[cell] = second[cell];
  }
  filter(low_, near_low_, scratch_, columns_, rows_, kAround, kLess);
  filter(high_, near_high_, scratch_, columns_, rows_, kAround, kMore);
  filter(low_, lowest_, scratch_, columns_, rows_, kGroundWindow, kLess);
  Map& eroded = sums_[0];
  eroded = lowest_;
  for (float& value : eroded) {
    if (value == kNothing) value = -kNothing;
  }
  filter(eroded, ground_, scratch_, columns_, rows_, kGroundWindow, kMore);
  // The opening never rises above what it was made from.
  for (std::size_t cell = 0; cell < cells; ++cell)
    ground_[cell] = std::min(ground_[cell], low_[cell]);
}

void ScanFeatures::measure_lowest_layer() {
  const std::size_t cells = low_.size();
  for (Map& sum : sums_) sum.assign(cells, 0.0F);
  for (std::size_t i = 0; i < cell_.size(); ++i) {
    const std::uint32_t cell = cell_[i];
    const float above = (*points_)[i].z() - low_[cell];
    if (above > kLayer) continue;
    sums_[0][cell] += 1.0F;
    sums_[1][cell] += above;
    sums_[2][cell] += above * above;
    if (intensity_.empty()) continue;
    sums_[3][cell] += intensity_[i];
    sums_[4][cell] += intensity_[i] * intensity_[i];
  }
  roughness_.assign(cells, 0.0F);
  mean_.assign(cells, 0.0F);
  deviation_.assign(cells, 0.0F);
  const auto deviation = [](float n, float sum, float squares) {
    const float mean = sum / n;
    return std::sqrt(std::max(0.0F, squares / n - mean * mean));
  };
  // Roughness cell by cell, since neighbours differ in their lowest points; then the mean of it.
  Map& rough = roughness_;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    if (sums_[0][cell] > 0.0F)
      rough[cell] = sums_[0][cell] * deviation(sums_[0][cell], sums_[1][cell], sums_[2][cell]);
  }
  for (Map* sum : {&rough, &sums_[0], &sums_[3], &sums_[4]}) {
    Map& out = sums_[1];
    filter(*sum, out, scratch_, columns_, rows_, kAround, kSum);
    sum->swap(out);
  }
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const float n = sums_[0][cell];
    if (n <= 0.0F) continue;
    rough[cell] /= n;
    mean_[cell] = sums_[3][cell] / n;
    deviation_[cell] = deviation(n, sums_[3][cell], sums_[4][cell]);
  }
}

void ScanFeatures::share_of_cells(float least, float most, int radius, Map& share) {
  const std::size_t cells = low_.size();
  Map& found = sums_[0];
  Map& occupied = sums_[1];
  found.assign(cells, 0.0F);
  occupied.assign(cells, 0.0F);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    if (low_[cell] == kNothing) continue;
    const float height = high_[cell] - ground_[cell];
    occupied[cell] = 1.0F;
    found[cell] = height >= least && height < most ? 1.0F : 0.0F;
  }
  filter(found, sums_[2], scratch_, columns_, rows_, radius, kSum);
  filter(occupied, sums_[3], scratch_, columns_, rows_, radius, kSum);
  share.assign(cells, 0.0F);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    if (sums_[3][cell] > 0.0F) share[cell] = sums_[2][cell] / sums_[3][cell];
  }
}

void ScanFeatures::write(std::size_t point, float* row) const {
  const Eigen::Vector3f& p = (*points_)[point];
  const std::uint32_t cell = cell_[point];
  const auto metres = [](float value, float unit, float least, float most) {
    return std::clamp(value, least, most) / unit;
  };
  *row++ = metres(p.z() - ground_[cell], 2.0F, -2.0F, 20.0F);
  *row++ = metres(p.z() - ground_height_, 4.0F, -10.0F, 25.0F);
  *row++ = metres(p.norm(), 20.0F, 0.0F, 100.0F);
  *row++ = intensity_.empty() ? 0.0F : intensity_[point];
  *row++ = metres(near_high_[cell] - p.z(), 2.0F, 0.0F, 10.0F);
  *row++ = metres(p.z() - near_low_[cell], 2.0F, -2.0F, 10.0F);
  *row++ = metres(high_[cell] - ground_[cell], 2.0F, 0.0F, 10.0F);
  *row++ = metres(low_[cell] - lowest_[cell], 0.25F, 0.0F, 1.0F);
  *row++ = metres(roughness_[cell], 0.05F, 0.0F, 0.2F);
  *row++ = mean_[cell];
  *row++ = 4.0F * deviation_[cell];
  *row++ = tall_near_[cell];
  *row++ = tall_far_[cell];
  *row++ = middle_[cell];
}

}  // namespace pointtree::perception
