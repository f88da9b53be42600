// SPDX-License-Identifier: Apache-2.0
#include "perception/ground_segmenter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pointtree::perception {
namespace {

/// At most this many cells along an axis; larger clouds get larger cells.
constexpr float kMaxCellsPerAxis = 2000.0F;
/// Empty cells on every side, so that all cells with points have neighbours.
constexpr std::int32_t kBorder = 1;
/// The wave starts from this many cells at least, if there are so many in the ground plane.
constexpr std::size_t kMinSeeds = 12;
/// They are looked for within this many cells of the sensor first, and then ever farther.
constexpr float kSeedRadius = 12.0F;
/// Cells a rise may be spread over where the cell is not flat: an object's flank is no slope.
constexpr int kMaxSteepGap = 1;
/// Cells over which even a flat cell may have risen unseen.
constexpr int kMaxFlatGap = 16;

/// How fast the wave learns the ground's slope from the cells it passes.
constexpr float kSlopeGain = 0.3F;

/// A neighbouring cell and the way from it to the cell, in cells.
struct Neighbour {
  std::int32_t index;
  float dx;
  float dy;
};

std::array<Neighbour, 8> neighbours_of(std::int32_t index, std::int32_t columns) {
  return {{{index - columns - 1, 1.0F, 1.0F},
           {index - columns, 0.0F, 1.0F},
           {index - columns + 1, -1.0F, 1.0F},
           {index - 1, 1.0F, 0.0F},
           {index + 1, -1.0F, 0.0F},
           {index + columns - 1, 1.0F, -1.0F},
           {index + columns, 0.0F, -1.0F},
           {index + columns + 1, -1.0F, -1.0F}}};
}

}  // namespace

void GroundSegmenter::assign(const PointBuffer& points, float ground_height) {
  heights_.resize(points.size());
  if (points.empty()) return;
  lay_grid(points);
  find_sheets(points);
  seed_wave(ground_height);
  spread_wave();
  if (config_.terrace_area > 0.0) add_terraces();
  measure_heights(points);
}

void GroundSegmenter::lay_grid(const PointBuffer& points) {
  Eigen::Array2f low = points.front().head<2>().array();
  Eigen::Array2f high = low;
  for (const Eigen::Vector3f& point : points) {
    low = low.min(point.head<2>().array());
    high = high.max(point.head<2>().array());
  }
  cell_size_ =
      std::max(static_cast<float>(config_.cell_size), (high - low).maxCoeff() / kMaxCellsPerAxis);
  origin_ = low;
  const Eigen::Array2i counts = ((high - low) / cell_size_).cast<int>() + 1 + 2 * kBorder;
  columns_ = counts.x();
  rows_ = counts.y();
  Cell empty;
  empty.low = std::numeric_limits<float>::max();
  empty.high = std::numeric_limits<float>::lowest();
  cells_.assign(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_), empty);
}

std::int32_t GroundSegmenter::index_of(const Eigen::Vector3f& point) const {
  const Eigen::Array2i cell =
      ((point.head<2>().array() - origin_) / cell_size_).cast<int>() + kBorder;
  return cell.y() * columns_ + cell.x();
}

void GroundSegmenter::find_sheets(const PointBuffer& points) {
  for (const Eigen::Vector3f& point : points) {
    Cell& cell = cells_[static_cast<std::size_t>(index_of(point))];
    cell.low = std::min(cell.low, point.z());
    cell.high = std::max(cell.high, point.z());
    ++cell.count;
  }
  const float thickness = 0.5F * static_cast<float>(config_.max_step);
  for (const Eigen::Vector3f& point : points) {
    Cell& cell = cells_[static_cast<std::size_t>(index_of(point))];
    if (point.z() > cell.low + thickness) continue;
    cell.sum += point;
    ++cell.sheet_count;
  }
}

float GroundSegmenter::sheet_height(const Cell& cell) const {
  return cell.sum.z() / static_cast<float>(cell.sheet_count);
}

bool GroundSegmenter::is_flat(const Cell& cell) const {
  const float rise = static_cast<float>(config_.max_slope) * cell_size_;
  return cell.count > 0 && cell.high - cell.low <= rise;
}

void GroundSegmenter::seed_wave(float ground_height) {
  front_.clear();
  const Eigen::Array2f far_corner =
      origin_ + cell_size_ * Eigen::Array2i(columns_, rows_).cast<float>();
  const float reach = std::max(origin_.abs().maxCoeff(), far_corner.abs().maxCoeff());
  float radius = kSeedRadius * cell_size_;
  collect_seeds(ground_height, radius);
  while (front_.size() < kMinSeeds && radius < reach) {
    radius *= 2.0F;
    collect_seeds(ground_height, radius);
  }
}

void GroundSegmenter::collect_seeds(float ground_height, float radius) {
  const auto bound = [&](float coordinate, float origin, std::int32_t count) {
    const auto cell = static_cast<std::int32_t>((coordinate - origin) / cell_size_) + kBorder;
    return std::clamp(cell, kBorder, count - 1 - kBorder);
  };
  for (std::int32_t row = bound(-radius, origin_.y(), rows_);
       row <= bound(radius, origin_.y(), rows_); ++row) {
    for (std::int32_t column = bound(-radius, origin_.x(), columns_);
         column <= bound(radius, origin_.x(), columns_); ++column) {
      Cell& cell = cells_[static_cast<std::size_t>(row * columns_ + column)];
      if (cell.count == 0 || cell.wave == 0) continue;
      if (std::abs(cell.low - ground_height) > static_cast<float>(config_.max_step)) continue;
      cell.ground = sheet_height(cell);
      cell.wave = 0;
      front_.push_back(row * columns_ + column);
    }
  }
}

void GroundSegmenter::spread_wave() {
  for (std::int32_t wave = 1; !front_.empty(); ++wave) {
    next_front_.clear();
    for (const std::int32_t index : front_) {
      for (const auto& [near, dx, dy] : neighbours_of(index, columns_)) {
        const std::int32_t column = near % columns_;
        const std::int32_t row = near / columns_;
        if (column == 0 || row == 0 || column + 1 == columns_ || row + 1 == rows_) continue;
        Cell& cell = cells_[static_cast<std::size_t>(near)];
        if (cell.wave >= 0) continue;
        cell.wave = wave;
        next_front_.push_back(near);
      }
    }
    for (const std::int32_t index : next_front_) settle(index, wave);
    front_.swap(next_front_);
  }
}

void GroundSegmenter::settle(std::int32_t index, std::int32_t wave) {
  Cell& cell = cells_[static_cast<std::size_t>(index)];
  float height = 0.0F;
  float weight = 0.0F;
  Eigen::Vector2f slope = Eigen::Vector2f::Zero();
  std::int32_t gap = std::numeric_limits<std::int32_t>::max();
  // Only cells of earlier waves count, so the order within a wave doesn't matter.
  for (const auto& [near, dx, dy] : neighbours_of(index, columns_)) {
    const Cell& neighbour = cells_[static_cast<std::size_t>(near)];
    if (neighbour.wave < 0 || neighbour.wave >= wave) continue;
    const float trust = 1.0F / static_cast<float>(1 + neighbour.gap);
    height +=
        trust * (neighbour.ground + cell_size_ * neighbour.slope.dot(Eigen::Vector2f(dx, dy)));
    slope += trust * neighbour.slope;
    weight += trust;
    gap = std::min(gap, neighbour.gap + 1);
  }
  cell.ground = height / weight;
  cell.slope = slope / weight;
  cell.gap = gap;
  if (cell.count == 0) return;
  const float run = static_cast<float>(config_.max_slope) * cell_size_;
  const float step = static_cast<float>(config_.max_step);
  const int rise_cells = std::min(gap, is_flat(cell) ? kMaxFlatGap : kMaxSteepGap);
  const float rise = cell.low - cell.ground;
  if (rise > step + run * static_cast<float>(rise_cells)) return;
  if (rise < -step - run * static_cast<float>(gap)) return;
  cell.ground = sheet_height(cell);
  cell.gap = 0;
  learn_slope(index, wave);
}

/// Turns the slope towards that of the neighbours' heights (least mean squares), so that the wave
/// passes under objects and over gaps in the direction the ground really takes.
void GroundSegmenter::learn_slope(std::int32_t index, std::int32_t wave) {
  Cell& cell = cells_[static_cast<std::size_t>(index)];
  Eigen::Vector2f correction = Eigen::Vector2f::Zero();
  int count = 0;
  for (const auto& [near, dx, dy] : neighbours_of(index, columns_)) {
    const Cell& neighbour = cells_[static_cast<std::size_t>(near)];
    if (neighbour.wave < 0 || neighbour.wave >= wave || neighbour.gap > 0) continue;
    const Eigen::Vector2f way = cell_size_ * Eigen::Vector2f(dx, dy);
    const float error = cell.ground - neighbour.ground - cell.slope.dot(way);
    correction += error / way.squaredNorm() * way;
    ++count;
  }
  if (count == 0) return;
  const float limit = static_cast<float>(config_.max_slope);
  cell.slope = (cell.slope + kSlopeGain / static_cast<float>(count) * correction)
                   .cwiseMax(-limit)
                   .cwiseMin(limit);
}

void GroundSegmenter::add_terraces() {
  const float link =
      static_cast<float>(config_.max_step) + static_cast<float>(config_.max_slope) * cell_size_;
  const auto is_open = [&](const Cell& cell) {
    return cell.count > 0 && cell.wave != 0 && cell.gap > 0;
  };
  const float wanted = static_cast<float>(config_.terrace_area) / (cell_size_ * cell_size_);
  std::vector<std::uint8_t> seen(cells_.size(), 0);
  std::vector<std::int32_t> patch;
  for (std::size_t start = 0; start < cells_.size(); ++start) {
    if (seen[start] != 0 || !is_open(cells_[start]) || !is_flat(cells_[start])) continue;
    patch.assign(1, static_cast<std::int32_t>(start));
    seen[start] = 1;
    for (std::size_t k = 0; k < patch.size(); ++k) {
      const float low = cells_[static_cast<std::size_t>(patch[k])].low;
      for (const auto& [near, dx, dy] : neighbours_of(patch[k], columns_)) {
        const auto place = static_cast<std::size_t>(near);
        if (seen[place] != 0 || !is_open(cells_[place]) || !is_flat(cells_[place])) continue;
        if (std::abs(cells_[place].low - low) > link) continue;
        seen[place] = 1;
        patch.push_back(near);
      }
    }
    if (static_cast<float>(patch.size()) < wanted) continue;
    for (const std::int32_t index : patch) {
      Cell& cell = cells_[static_cast<std::size_t>(index)];
      cell.ground = sheet_height(cell);
      cell.gap = 0;
    }
  }
}

Eigen::Vector2f GroundSegmenter::slope_at(std::int32_t index) const {
  const Cell& cell = cells_[static_cast<std::size_t>(index)];
  const auto difference = [&](std::int32_t before, std::int32_t after, float fallback) {
    const Cell& a = cells_[static_cast<std::size_t>(before)];
    const Cell& b = cells_[static_cast<std::size_t>(after)];
    if (a.wave < 0 || b.wave < 0 || a.gap > 0 || b.gap > 0) return fallback;
    const float limit = static_cast<float>(config_.max_slope);
    return std::clamp((b.ground - a.ground) / (2.0F * cell_size_), -limit, limit);
  };
  return {difference(index - 1, index + 1, cell.slope.x()),
          difference(index - columns_, index + columns_, cell.slope.y())};
}

void GroundSegmenter::measure_heights(const PointBuffer& points) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::int32_t index = index_of(points[i]);
    const Cell& cell = cells_[static_cast<std::size_t>(index)];
    if (cell.wave < 0) {
      heights_[i] = std::numeric_limits<float>::max();
      continue;
    }
    const Eigen::Vector2f center =
        origin_ +
        cell_size_ *
            ((Eigen::Array2i(index % columns_, index / columns_) - kBorder).cast<float>() + 0.5F);
    const Eigen::Vector2f anchor =
        cell.gap == 0 ? Eigen::Vector2f(cell.sum.head<2>() / static_cast<float>(cell.sheet_count))
                      : center;
    const Eigen::Vector2f slope = cell.gap == 0 ? slope_at(index) : cell.slope;
    heights_[i] = points[i].z() - cell.ground - slope.dot(points[i].head<2>() - anchor);
  }
}

}  // namespace pointtree::perception
