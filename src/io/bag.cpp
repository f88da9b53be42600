// SPDX-License-Identifier: Apache-2.0
#include "pointtree/io/bag.hpp"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include "bag_metadata.hpp"
#include "compression.hpp"
#include "file_bytes.hpp"
#include "io/bag_readers.hpp"
#include "scratch_folder.hpp"

namespace pointtree::io {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxMetadataBytes = 64 << 20;

std::unique_ptr<BagReader> open_file(const fs::path& path, const ReadLimits& limits) {
  try {
    if (path.extension() == ".mcap") return open_mcap(open_source(path), limits);
    if (path.extension() == ".db3") return open_sqlite_bag(path, limits);
  } catch (const ReadError& error) {
    throw ReadError("'" + path.string() + "': " + error.what());
  }
  throw ReadError("'" + path.string() +
                  "': a bag is a folder or a file that ends in .mcap or .db3");
}

/// A zstd-compressed bag file, unpacked to disk for as long as it is read.
class UnpackedBag : public BagReader {
 public:
  UnpackedBag(const fs::path& packed, const ReadLimits& limits) {
    const fs::path file = folder_.path() / packed.stem();
    unpack_zstd_file(packed, file, limits.max_bag_bytes);
    reader_ = open_file(file, limits);
  }

  const std::vector<BagTopic>& topics() const override { return reader_->topics(); }
  std::int64_t start_time() const override { return reader_->start_time(); }
  std::int64_t end_time() const override { return reader_->end_time(); }
  void select(const BagSelection& selection) override { reader_->select(selection); }
  std::optional<BagMessage> next() override { return reader_->next(); }
  const BagReport& report() const override { return reader_->report(); }

 private:
  ScratchFolder folder_;  // outlives the reader
  std::unique_ptr<BagReader> reader_;
};

/// A file of the folder; a link that leads out of it is refused.
fs::path file_in(const fs::path& folder, const std::string& name) {
  std::error_code error;
  const fs::path home = fs::canonical(folder, error);
  const fs::path file = fs::canonical(folder / name, error);
  if (error) throw ReadError("'" + (folder / name).string() + "': " + error.message());
  if (file.parent_path() != home) {
    throw ReadError("'" + (folder / name).string() + "' leads out of the bag's folder");
  }
  return file;
}

std::vector<std::string> bag_files_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const fs::path extension = entry.path().extension();
    if (extension == ".mcap" || extension == ".db3")
      names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

BagMetadata metadata_of(const fs::path& folder) {
  const fs::path file = folder / "metadata.yaml";
  if (fs::exists(file)) {
    try {
      return parse_bag_metadata(ByteView(read_file(file, kMaxMetadataBytes)).text());
    } catch (const ReadError& error) {
      throw ReadError("'" + folder.string() + "': " + error.what());
    }
  }
  BagMetadata metadata;
  metadata.files = bag_files_in(folder);
  if (metadata.files.empty()) {
    throw ReadError("'" + folder.string() +
                    "' is no bag: it has neither metadata.yaml nor .mcap or .db3 files");
  }
  return metadata;
}

std::unique_ptr<BagReader> open_folder(const fs::path& folder, const ReadLimits& limits) {
  const BagMetadata metadata = metadata_of(folder);
  std::vector<std::unique_ptr<BagReader>> parts;
  for (const auto& name : metadata.files) {
    const fs::path file = file_in(folder, name);
    if (metadata.packed_files && file.extension() == ".zstd") {
      parts.push_back(std::make_unique<UnpackedBag>(file, limits));
    } else {
      parts.push_back(open_file(file, limits));
    }
  }
  return merge_bags(std::move(parts), metadata.packed_messages, limits);
}

std::unique_ptr<BagReader> open_by_rosbag2(const fs::path& path) {
  const auto plugin = rosbag2_plugin();
  if (!plugin) throw ReadError("rosbag2_cpp can't be used: " + plugin.error());
  try {
    return std::unique_ptr<BagReader>((*plugin)(path.c_str()));
  } catch (const std::exception& error) {
    throw ReadError("'" + path.string() + "': rosbag2_cpp: " + error.what());
  }
}

}  // namespace

std::uint64_t BagReader::message_count() const {
  std::uint64_t count = 0;
  for (const auto& topic : topics()) count += topic.message_count;
  return count;
}

std::unique_ptr<BagReader> open_bag(const fs::path& path, const ReadLimits& limits,
                                    BagBackend backend) {
  if (backend == BagBackend::rosbag2) return open_by_rosbag2(path);
  if (backend == BagBackend::automatic && fs::exists(path / "metadata.yaml") && rosbag2_plugin()) {
    try {
      return open_by_rosbag2(path);
    } catch (const ReadError&) {
      // Damaged, or of a storage that this ROS 2 lacks: the own reader says what it can.
    }
  }
  if (fs::is_directory(path)) return open_folder(path, limits);
  if (path.extension() == ".zstd") return std::make_unique<UnpackedBag>(path, limits);
  return open_file(path, limits);
}

bool is_bag(const fs::path& path) {
  if (!fs::is_directory(path)) {
    const fs::path name = path.extension() == ".zstd" ? path.stem() : path;
    return name.extension() == ".mcap" || name.extension() == ".db3";
  }
  return fs::exists(path / "metadata.yaml") || !bag_files_in(path).empty();
}

}  // namespace pointtree::io
