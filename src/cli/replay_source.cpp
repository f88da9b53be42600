// SPDX-License-Identifier: Apache-2.0
#include "replay_source.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

#include "exit_code.hpp"
#include "io/cloud_formats.hpp"
#include "pointtree/io/cloud_file.hpp"

namespace pointtree::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kSecond = 1'000'000'000;
/// Files have no times: they are played as a lidar would have sent them.
constexpr std::int64_t kFilePeriod = kSecond / 10;

class BagSource final : public ReplaySource {
 public:
  BagSource(const fs::path& path, const ReplaySelection& selection)
      : reader_(io::open_bag(path, {}, selection.reader)),
        topic_(choose_topic(path, selection.topic)) {
    io::BagSelection wanted;
    wanted.topics = {topic_};
    wanted.begin = reader_->start_time() + static_cast<std::int64_t>(selection.start * kSecond);
    // Not the bag's own end: rosbag2 may have noted one before the last messages.
    if (std::isfinite(selection.duration))
      wanted.end = wanted.begin + static_cast<std::int64_t>(selection.duration * kSecond);
    begin_ = wanted.begin;
    end_ = std::min(wanted.end, reader_->end_time() + 1);
    reader_->select(wanted);
    if (begin_ > reader_->start_time() || std::isfinite(selection.duration)) return;
    for (const io::BagTopic& topic : reader_->topics()) {
      // A damaged bag does not know.
      if (topic.name == topic_ && topic.message_count > 0) count_ = topic.message_count;
    }
  }

  std::optional<ReplayFrame> next() override {
    const std::optional<io::BagMessage> message = reader_->next();
    if (!message) {
      done_ = 1.0;
      return std::nullopt;
    }
    ReplayFrame frame;
    frame.log_time = message->log_time;
    try {
      frame.message = io::decode_point_cloud2(message->data);
    } catch (const io::ReadError& error) {
      frame.fault = error.what();
    }
    frame.name = fmt::format("{} at {:.3f} s", topic_,
                             static_cast<double>(frame.log_time - reader_->start_time()) * 1e-9);
    if (end_ > begin_)
      done_ = std::min(
          static_cast<double>(frame.log_time - begin_) / static_cast<double>(end_ - begin_), 1.0);
    return frame;
  }

  std::optional<std::size_t> count() const override { return count_; }

  double done() const override { return done_; }

  std::vector<std::string> findings() const override { return reader_->report().notes; }

 private:
  /// The topic asked for, or the only one of clouds.
  std::string choose_topic(const fs::path& path, const std::string& wanted) const {
    std::vector<std::string> clouds;
    for (const io::BagTopic& topic : reader_->topics()) {
      if (topic.type == io::kPointCloud2Type) clouds.push_back(topic.name);
    }
    if (clouds.empty())
      throw std::runtime_error(
          fmt::format("{}: no topic of type {}", path.string(), io::kPointCloud2Type));
    if (wanted.empty() && clouds.size() == 1) return clouds.front();
    if (std::find(clouds.begin(), clouds.end(), wanted) != clouds.end()) return wanted;
    throw std::runtime_error(
        fmt::format("{}: {}; choose one with --topic: {}", path.string(),
                    wanted.empty() ? "several topics of clouds" : "no cloud topic '" + wanted + "'",
                    fmt::join(clouds, ", ")));
  }

  std::unique_ptr<io::BagReader> reader_;
  std::string topic_;
  std::int64_t begin_ = 0;
  std::int64_t end_ = 0;
  double done_ = 0.0;
  std::optional<std::size_t> count_;
};

/// SemanticKITTI's labels of a scan: beside it, or in the folder "labels"
/// beside its own.
std::optional<fs::path> labels_of(const fs::path& scan) {
  const fs::path name = scan.stem().string() + ".label";
  for (const fs::path& place :
       {scan.parent_path() / name, scan.parent_path() / ".." / "labels" / name}) {
    if (fs::exists(place)) return place;
  }
  return std::nullopt;
}

io::Cloud read_labelled(const fs::path& file) {
  io::Cloud cloud = io::read_cloud(file);
  const auto labels = labels_of(file);
  if (!labels) return cloud;
  cloud.labels = io::read_kitti_labels(*labels);
  if (cloud.labels.size() != static_cast<std::size_t>(cloud.points.rows())) {
    throw io::ReadError(fmt::format("{}: {} labels for {} points", labels->string(),
                                    cloud.labels.size(), cloud.points.rows()));
  }
  return cloud;
}

class FileSource final : public ReplaySource {
 public:
  FileSource(std::vector<fs::path> files, const ReplaySelection& selection)
      : files_(std::move(files)) {
    if (!selection.topic.empty())
      throw UsageError("--topic is for bags; cloud files have no topics");
    if (selection.reader != io::BagBackend::automatic)
      throw UsageError("--reader is for bags, not for cloud files");
    const auto count = static_cast<double>(files_.size());
    const double period = static_cast<double>(kFilePeriod) / kSecond;
    next_ = static_cast<std::size_t>(std::clamp(std::ceil(selection.start / period), 0.0, count));
    first_ = next_;
    end_ = static_cast<std::size_t>(
        std::min(count, std::ceil((selection.start + selection.duration) / period)));
  }

  std::optional<ReplayFrame> next() override {
    if (next_ >= end_) return std::nullopt;
    const fs::path& file = files_[next_];
    ReplayFrame frame;
    frame.name = file.filename().string();
    frame.log_time = static_cast<std::int64_t>(next_) * kFilePeriod;
    try {
      frame.message =
          io::make_point_cloud2(read_labelled(file), io::make_header(frame.log_time, "lidar"));
    } catch (const io::ReadError& error) {
      frame.fault = error.what();
    }
    ++next_;
    return frame;
  }

  std::optional<std::size_t> count() const override { return end_ > first_ ? end_ - first_ : 0; }

  double done() const override {
    return end_ == 0 ? 1.0 : static_cast<double>(next_) / static_cast<double>(end_);
  }

 private:
  std::vector<fs::path> files_;
  std::size_t first_ = 0;
  std::size_t next_ = 0;
  std::size_t end_ = 0;
};

std::vector<fs::path> cloud_files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file() && io::is_cloud_file(entry.path())) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// The bags in a folder; none where the folder itself is a bag.
std::vector<fs::path> bags_in(const fs::path& folder) {
  if (fs::exists(folder / "metadata.yaml")) return {};
  std::vector<fs::path> bags;
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!io::is_bag(entry.path())) continue;
    bags.push_back(entry.path());
    // A recorder that was killed leaves walk_0.mcap, walk_1.mcap, …, the parts of one bag.
    const std::string name = entry.path().stem().string();
    const std::size_t base = name.find_last_not_of("0123456789");
    const bool part = !entry.is_directory() && base != std::string::npos && name[base] == '_' &&
                      base + 1 < name.size();
    names.insert(part ? name.substr(0, base) : name + "/");
  }
  std::sort(bags.begin(), bags.end());
  const bool parts_of_one = names.size() == 1 && names.begin()->back() != '/';
  return parts_of_one ? std::vector<fs::path>() : bags;
}

}  // namespace

std::unique_ptr<ReplaySource> open_recording(const fs::path& path,
                                             const ReplaySelection& selection) {
  if (!fs::exists(path))
    throw std::runtime_error(fmt::format("{}: no such file or folder", path.string()));
  if (io::is_bag(path)) return std::make_unique<BagSource>(path, selection);
  std::vector<fs::path> files;
  if (fs::is_directory(path)) {
    files = cloud_files_in(path);
  } else if (io::is_cloud_file(path)) {
    files = {path};
  }
  if (files.empty()) {
    throw std::runtime_error(
        fmt::format("{}: expected a bag (.mcap, .db3 or a rosbag2 folder), a "
                    "cloud file or a folder of cloud files",
                    path.string()));
  }
  return std::make_unique<FileSource>(std::move(files), selection);
}

std::vector<fs::path> expand_recordings(const std::vector<fs::path>& paths) {
  std::vector<fs::path> recordings;
  for (const fs::path& path : paths) {
    std::vector<fs::path> bags;
    if (fs::is_directory(path) && cloud_files_in(path).empty()) bags = bags_in(path);
    if (bags.empty()) bags = {path};
    recordings.insert(recordings.end(), bags.begin(), bags.end());
  }
  return recordings;
}

}  // namespace pointtree::cli
