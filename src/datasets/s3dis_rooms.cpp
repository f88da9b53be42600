// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

#include "dataset_parameters.hpp"
#include "datasets/dataset_split.hpp"
#include "datasets/readers.hpp"
#include "file_list_dataset.hpp"
#include "geometry/seed.hpp"
#include "io/file_bytes.hpp"
#include "io/npy.hpp"
#include "io/text_lines.hpp"
#include "pointtree/geometry/sampling.hpp"
#include "room_block.hpp"
#include "s3dis_splits.hpp"

namespace pointtree::datasets {
namespace {

namespace fs = std::filesystem;

constexpr std::int32_t kBlockPoints = 4096;
constexpr std::size_t kLeastPoints = 100;  // a column with fewer says nothing about its place
constexpr std::size_t kRandomBlocks = 20'000;
constexpr int kAttempts = 20;
constexpr Eigen::Index kColumns = 7;
constexpr double kTwoPi = 6.283185307179586;
constexpr float kFull = 0.1F;  // shares of a column that the grid may lose at the end of a room

Channels read_room(const fs::path& path, std::size_t classes) {
  Channels rows;
  if (path.extension() == ".npy") {
    const io::NpyArray array =
        io::parse_npy(io::read_file(path, io::ReadLimits{}.max_file_bytes), {});
    if (array.shape.size() != 2 || array.shape[1] < kColumns) {
      throw std::runtime_error(path.string() + ": expected rows of x y z r g b label");
    }
    rows.resize(static_cast<Eigen::Index>(array.shape[0]), kColumns);
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
      for (Eigen::Index k = 0; k < kColumns; ++k) {
        const auto at = array.column_major ? k * rows.rows() + i
                                           : i * static_cast<Eigen::Index>(array.shape[1]) + k;
        rows(i, k) = static_cast<float>(array[static_cast<std::size_t>(at)]);
      }
    }
  } else {
    rows = io::read_number_table(path, kColumns).leftCols<kColumns>();
  }
  if (rows.rows() == 0 || !rows.allFinite())
    throw std::runtime_error(path.string() + ": expected finite points");
  const float lowest = rows.col(6).minCoeff();
  const float highest = rows.col(6).maxCoeff();
  if (lowest < 0.0F || highest >= static_cast<float>(classes)) {
    throw std::runtime_error(path.string() + ": labels from " + std::to_string(lowest) + " to " +
                             std::to_string(highest) + " leave 0 to " +
                             std::to_string(classes - 1));
  }
  rows.middleCols<3>(3) /= 255.0F;
  // Metres from the room's lowest corner.
  rows.leftCols<3>().rowwise() -= rows.leftCols<3>().colwise().minCoeff().eval();
  return rows;
}

using Rows = std::vector<std::int32_t>;

// The given points of a room about a place, as a labelled cloud.
Example block_of(const Channels& room, const Rows& rows, const Eigen::RowVector2f& middle) {
  const Channels block = room(rows, Eigen::all);
  Example example;
  example.metres = 1.0;
  example.points = block.leftCols<3>();
  example.points.leftCols<2>().rowwise() -= middle;
  example.extra.resize(block.rows(), 4);
  example.extra.col(0) = block.col(2);
  example.extra.rightCols<3>() = block.middleCols<3>(3);
  for (Eigen::Index i = 0; i < block.rows(); ++i)
    example.point_labels.push_back(static_cast<std::int32_t>(block(i, 6)));
  return example;
}

// The columns of an even grid over every room.
class GridBlocks : public Dataset {
 public:
  GridBlocks(DatasetInfo info, std::vector<Channels> rooms, double edge)
      : info_(std::move(info)), rooms_(std::move(rooms)) {
    for (const Channels& room : rooms_) cut(room, edge);
  }

  const DatasetInfo& info() const override { return info_; }
  std::size_t size() const override { return blocks_.size(); }

  Example at(std::size_t index) const override {
    const Block& block = blocks_.at(index);
    const geometry::Points points = (*block.room)(block.rows, Eigen::all).leftCols<3>();
    Rows sampled = geometry::resample(points, kBlockPoints,
                                      geometry::mix_seed({std::uint64_t{kBlockPoints}, index}));
    for (std::int32_t& row : sampled) row = block.rows[static_cast<std::size_t>(row)];
    return block_of(*block.room, sampled, block.middle);
  }

  std::int32_t label(std::size_t index) const override {
    static_cast<void>(blocks_.at(index));
    return kNoLabel;
  }

 private:
  struct Block {
    const Channels* room;
    Rows rows;
    Eigen::RowVector2f middle;
  };

  // Cells are evened out, or a narrow one at the end of a room would show nothing of it.
  void cut(const Channels& room, double edge) {
    const Eigen::RowVector2f extent = room.leftCols<2>().colwise().maxCoeff();
    Eigen::RowVector2f cell;
    for (int axis = 0; axis < 2; ++axis) {
      const auto count = std::max(1.0F, std::ceil(extent[axis] / static_cast<float>(edge) - kFull));
      cell[axis] = std::max(extent[axis], 1e-3F) / count * 1.0001F;
    }
    std::map<std::pair<int, int>, Rows> cells;
    for (Eigen::Index i = 0; i < room.rows(); ++i) {
      const Eigen::RowVector2f place = room.row(i).head<2>().cwiseQuotient(cell);
      cells[{static_cast<int>(place.x()), static_cast<int>(place.y())}].push_back(
          static_cast<std::int32_t>(i));
    }
    for (auto& [key, rows] : cells) {
      if (rows.size() < kLeastPoints) continue;
      const Eigen::RowVector2f middle(static_cast<float>(key.first) + 0.5F,
                                      static_cast<float>(key.second) + 0.5F);
      blocks_.push_back({&room, std::move(rows), middle.cwiseProduct(cell)});
    }
  }

  DatasetInfo info_;
  std::vector<Channels> rooms_;
  std::vector<Block> blocks_;
};

// Random columns: each index draws its room, place, size and heading.
class RandomBlocks : public Dataset {
 public:
  RandomBlocks(DatasetInfo info, std::vector<Channels> rooms, const DatasetParameters& parameters)
      : info_(std::move(info)), rooms_(std::move(rooms)), parameters_(parameters) {
    of_class_.resize(rooms_.size());
    for (std::size_t r = 0; r < rooms_.size(); ++r) {
      std::map<std::int32_t, Rows> rows;
      for (Eigen::Index i = 0; i < rooms_[r].rows(); ++i)
        rows[static_cast<std::int32_t>(rooms_[r](i, 6))].push_back(static_cast<std::int32_t>(i));
      for (auto& [label, members] : rows) of_class_[r].push_back(std::move(members));
    }
  }

  const DatasetInfo& info() const override { return info_; }
  std::size_t size() const override { return parameters_.size; }

  Example at(std::size_t index) const override {
    if (index >= parameters_.size)
      throw std::out_of_range("block past the end of the random blocks of rooms");
    geometry::Random random(geometry::mix_seed({parameters_.seed, kBlockPoints, index}));
    for (int attempt = 0;; ++attempt) {
      Example example = draw(random);
      const bool enough = example.points.rows() >= static_cast<Eigen::Index>(kLeastPoints);
      if (enough || (attempt >= kAttempts && example.points.rows() > 0)) return example;
    }
  }

  std::int32_t label(std::size_t) const override { return kNoLabel; }

 private:
  Example draw(geometry::Random& random) const {
    const std::size_t r = random.below(rooms_.size());
    const Channels& room = rooms_[r];
    Eigen::Index centre = static_cast<Eigen::Index>(random.below(room.rows()));
    if (geometry::chance(random, 0.5)) {
      const Rows& members = of_class_[r][random.below(of_class_[r].size())];
      centre = members[random.below(members.size())];
    }
    // Heading along the walls as often as any other: that is how grids are laid over maps.
    const double heading = geometry::chance(random, 0.5) ? 0.0 : random.uniform(0.0, kTwoPi);
    const Eigen::Rotation2Df to_block(static_cast<float>(-heading));
    Eigen::Vector2f half;
    Eigen::Vector2f shift;
    for (int axis = 0; axis < 2; ++axis) {
      half[axis] = static_cast<float>(parameters_.block * random.uniform(0.3, 0.55));
      shift[axis] = half[axis] * static_cast<float>(random.uniform(-0.9, 0.9));
    }
    const Eigen::Vector2f point = room.row(centre).head<2>().transpose();
    const Eigen::Vector2f middle = point + to_block.inverse() * shift;
    Rows rows;
    for (Eigen::Index i = 0; i < room.rows(); ++i) {
      const Eigen::Vector2f place = to_block * (room.row(i).head<2>().transpose() - middle);
      if (std::abs(place.x()) <= half.x() && std::abs(place.y()) <= half.y())
        rows.push_back(static_cast<std::int32_t>(i));
    }
    return varied(block_of(room, rows, middle.transpose()), random);
  }

  // As another room might be: mirrored, larger, its floor found less exactly, in the dark.
  static Example varied(Example example, geometry::Random& random) {
    const auto scale = static_cast<float>(random.uniform(0.92, 1.08));
    const auto floor = static_cast<float>(0.03 * random.normal());
    example.points *= scale;
    if (geometry::chance(random, 0.5)) example.points.col(0) *= -1.0F;
    example.extra.col(0) = example.extra.col(0).array() * scale + floor;
    if (geometry::chance(random, 0.4)) {
      example.extra.rightCols<3>().setZero();
    } else {
      const auto contrast = static_cast<float>(random.uniform(0.7, 1.3));
      const auto brightness = static_cast<float>(0.08 * random.normal());
      auto colour = example.extra.rightCols<3>().array();
      colour = (contrast * colour + brightness).max(0.0F).min(1.0F);
    }
    return example;
  }

  DatasetInfo info_;
  std::vector<Channels> rooms_;
  DatasetParameters parameters_;
  std::vector<std::vector<Rows>> of_class_;  // per room, the points of every class in it
};

}  // namespace

std::unique_ptr<Dataset> open_s3dis_rooms(const fs::path& place, const std::string& split) {
  const auto [dir, text] = split_place(place);
  DatasetParameters defaults;
  defaults.size = kRandomBlocks;
  const DatasetParameters parameters = parse_parameters(text, defaults);
  std::vector<fs::path> files;
  std::vector<std::string> names;
  for (const fs::path& entry : sorted_entries(dir)) {
    const bool readable = entry.extension() == ".npy" || entry.extension() == ".txt";
    const std::string name = entry.stem().string();
    if (!readable || name.compare(0, 5, "Area_") != 0) continue;
    files.push_back(entry);
    names.push_back(name);
  }
  if (files.empty())
    throw std::runtime_error(dir.string() +
                             ": expected rooms Area_<n>_<room>.npy or .txt, found none");
  DatasetInfo info = s3dis_info("s3dis_rooms", split);
  info.extra_channels = room_channels();
  const auto chosen = s3dis_rooms_of_split(names, split);
  std::vector<Channels> rooms;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!chosen[i]) continue;
    rooms.push_back(read_room(files[i], info.point_classes.size()));
    if (!parameters.colour) rooms.back().middleCols<3>(3).setZero();
  }
  const bool random = is_training_split(split) && !rooms.empty();
  if (random) return std::make_unique<RandomBlocks>(std::move(info), std::move(rooms), parameters);
  return std::make_unique<GridBlocks>(std::move(info), std::move(rooms), parameters.block);
}

}  // namespace pointtree::datasets
