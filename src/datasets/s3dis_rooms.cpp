// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <list>
#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "datasets/s3dis.hpp"
#include "file_list_dataset.hpp"
#include "geometry/seed.hpp"
#include "io/file_bytes.hpp"
#include "io/npy.hpp"
#include "io/text_lines.hpp"
#include "pointtree/geometry/sampling.hpp"
#include "s3dis_splits.hpp"

namespace pointtree::datasets {
namespace {

namespace fs = std::filesystem;

constexpr std::int32_t kBlockPoints = 4096;
constexpr std::size_t kLeastPoints = 100;  // a column with fewer says nothing about its place
constexpr std::size_t kRoomsHeld = 4;
constexpr Eigen::Index kColumns = 7;

using Rows = std::shared_ptr<const Channels>;

Rows read_room(const fs::path& path, std::size_t classes) {
  auto rows = std::make_shared<Channels>();
  if (path.extension() == ".npy") {
    const io::NpyArray array =
        io::parse_npy(io::read_file(path, io::ReadLimits{}.max_file_bytes), {});
    if (array.shape.size() != 2 || array.shape[1] < kColumns) {
      throw std::runtime_error(path.string() + ": expected rows of x y z r g b label");
    }
    rows->resize(static_cast<Eigen::Index>(array.shape[0]), kColumns);
    for (Eigen::Index i = 0; i < rows->rows(); ++i) {
      for (Eigen::Index k = 0; k < kColumns; ++k) {
        const auto at = array.column_major ? k * rows->rows() + i
                                           : i * static_cast<Eigen::Index>(array.shape[1]) + k;
        (*rows)(i, k) = static_cast<float>(array[static_cast<std::size_t>(at)]);
      }
    }
  } else {
    *rows = io::read_number_table(path, kColumns).leftCols<kColumns>();
  }
  if (rows->rows() == 0 || !rows->allFinite())
    throw std::runtime_error(path.string() + ": expected finite points");
  const float lowest = rows->col(6).minCoeff();
  const float highest = rows->col(6).maxCoeff();
  if (lowest < 0.0F || highest >= static_cast<float>(classes)) {
    throw std::runtime_error(path.string() + ": labels from " + std::to_string(lowest) + " to " +
                             std::to_string(highest) + " leave 0 to " +
                             std::to_string(classes - 1));
  }
  return rows;
}

using BlockKey = std::pair<int, int>;

// The points of every column of 1 m × 1 m that has enough of them.
std::map<BlockKey, std::vector<std::int32_t>> columns_of(const Channels& rows) {
  const Eigen::RowVector2f low = rows.leftCols<2>().colwise().minCoeff();
  std::map<BlockKey, std::vector<std::int32_t>> columns;
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    const Eigen::RowVector2f cell = rows.row(i).head<2>() - low;
    columns[{static_cast<int>(cell.x()), static_cast<int>(cell.y())}].push_back(
        static_cast<std::int32_t>(i));
  }
  for (auto it = columns.begin(); it != columns.end();) {
    it = it->second.size() < kLeastPoints ? columns.erase(it) : std::next(it);
  }
  return columns;
}

class RoomBlocks : public Dataset {
 public:
  RoomBlocks(DatasetInfo info, std::vector<fs::path> rooms)
      : info_(std::move(info)), rooms_(std::move(rooms)) {
    for (std::size_t room = 0; room < rooms_.size(); ++room) {
      for (const auto& [key, points] :
           columns_of(*read_room(rooms_[room], info_.point_classes.size()))) {
        blocks_.emplace_back(room, key);
      }
    }
  }

  const DatasetInfo& info() const override { return info_; }
  std::size_t size() const override { return blocks_.size(); }

  Example at(std::size_t index) const override {
    const auto& [room, key] = blocks_.at(index);
    const Rows rows = room_rows(room);
    const auto columns = columns_of(*rows);
    const std::vector<std::int32_t>& members = columns.at(key);
    const Channels block = (*rows)(members, Eigen::all);
    const geometry::Points all = block.leftCols<3>();
    const auto chosen =
        geometry::resample(all, kBlockPoints, geometry::mix_seed({kBlockPoints, index}));
    const Channels sampled = block(chosen, Eigen::all);
    Example example;
    example.points = sampled.leftCols<3>();
    const Eigen::RowVector3f low = rows->leftCols<3>().colwise().minCoeff();
    example.points.rowwise() -=
        low + Eigen::RowVector3f(static_cast<float>(key.first) + 0.5F,
                                 static_cast<float>(key.second) + 0.5F, 0.0F);
    example.extra = sampled.middleCols<3>(3) / 255.0F;
    for (Eigen::Index i = 0; i < sampled.rows(); ++i) {
      example.point_labels.push_back(static_cast<std::int32_t>(sampled(i, 6)));
    }
    return example;
  }

  std::int32_t label(std::size_t index) const override {
    static_cast<void>(blocks_.at(index));
    return kNoLabel;
  }

 private:
  // The last few rooms stay in memory, since neighbouring blocks come from the same one.
  Rows room_rows(std::size_t room) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = std::find_if(held_.begin(), held_.end(),
                                    [&](const auto& held) { return held.first == room; });
    if (found != held_.end()) {
      held_.splice(held_.begin(), held_, found);
    } else {
      held_.emplace_front(room, read_room(rooms_[room], info_.point_classes.size()));
      if (held_.size() > kRoomsHeld) held_.pop_back();
    }
    return held_.front().second;
  }

  DatasetInfo info_;
  std::vector<fs::path> rooms_;
  std::vector<std::pair<std::size_t, BlockKey>> blocks_;
  mutable std::mutex mutex_;
  mutable std::list<std::pair<std::size_t, Rows>> held_;
};

}  // namespace

std::unique_ptr<Dataset> open_s3dis_rooms(const fs::path& dir, const std::string& split) {
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
  const auto chosen = s3dis_rooms_of_split(names, split);
  std::vector<fs::path> rooms;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (chosen[i]) rooms.push_back(files[i]);
  }
  return std::make_unique<RoomBlocks>(s3dis_info("s3dis_rooms", split), std::move(rooms));
}

}  // namespace pointtree::datasets
