// SPDX-License-Identifier: Apache-2.0
#include "pointtree/io/bag.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <map>
#include <queue>
#include <string>
#include <system_error>
#include <utility>

#include "compression.hpp"
#include "file_bytes.hpp"
#include "io/atomic_file.hpp"
#include "io/bag_readers.hpp"

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

namespace {

class MergedBag : public BagReader {
 public:
  MergedBag(std::vector<std::unique_ptr<BagReader>> parts, bool packed_messages,
            const ReadLimits& limits)
      : parts_(std::move(parts)), packed_messages_(packed_messages), limits_(limits) {
    std::map<std::pair<std::string, std::string>, std::size_t> known;
    for (const auto& part : parts_) {
      for (const auto& topic : part->topics()) {
        const auto [found, is_new] =
            known.emplace(std::make_pair(topic.name, topic.type), topics_.size());
        if (is_new) {
          topics_.push_back(topic);
        } else {
          topics_[found->second].message_count += topic.message_count;
        }
      }
    }
    select({});
  }

  const std::vector<BagTopic>& topics() const override { return topics_; }

  std::int64_t start_time() const override {
    std::int64_t time = INT64_MAX;
    for (const auto& part : parts_) {
      if (part->message_count() > 0) time = std::min(time, part->start_time());
    }
    return message_count() == 0 ? 0 : time;
  }

  std::int64_t end_time() const override {
    std::int64_t time = INT64_MIN;
    for (const auto& part : parts_) {
      if (part->message_count() > 0) time = std::max(time, part->end_time());
    }
    return message_count() == 0 ? 0 : time;
  }

  void select(const BagSelection& selection) override {
    waiting_ = {};
    current_.reset();
    lost_ = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      parts_[i]->select(selection);
      if (parts_[i]->message_count() > 0) waiting_.push({parts_[i]->start_time(), i, std::nullopt});
    }
  }

  std::optional<BagMessage> next() override {
    while (true) {
      // The message given last is valid until now; only now may its file move on.
      if (current_) pull(*std::exchange(current_, std::nullopt));
      if (waiting_.empty()) return std::nullopt;
      const Head head = waiting_.top();
      waiting_.pop();
      if (!head.message) {  // only now does this file have to be read
        pull(head.part);
        continue;
      }
      current_ = head.part;
      if (!packed_messages_) return head.message;
      try {
        BagMessage message = *head.message;
        unpacked_ = unpack_zstd(message.data, limits_.max_unpacked_bytes);
        message.data = unpacked_;
        return message;
      } catch (const ReadError& error) {
        ++lost_;
        note(own_, error.what());
      }
    }
  }

  const BagReport& report() const override {
    report_ = own_;
    report_.lost_messages = lost_;
    for (const auto& part : parts_) {
      const BagReport& other = part->report();
      report_.indexed = report_.indexed && other.indexed;
      report_.truncated = report_.truncated || other.truncated;
      report_.damaged_chunks += other.damaged_chunks;
      report_.lost_messages += other.lost_messages;
      report_.recovered += other.recovered;
      for (const auto& text : other.notes) note(report_, text);
    }
    return report_;
  }

 private:
  /// The next message of a part, or only the earliest time at which it may come.
  struct Head {
    std::int64_t time = 0;
    std::size_t part = 0;
    std::optional<BagMessage> message;

    bool operator<(const Head& other) const {  // the queue gives its greatest first
      return std::make_pair(time, part) > std::make_pair(other.time, other.part);
    }
  };

  void pull(std::size_t part) {
    if (const auto message = parts_[part]->next())
      waiting_.push({message->log_time, part, message});
  }

  std::vector<std::unique_ptr<BagReader>> parts_;
  bool packed_messages_;
  ReadLimits limits_;
  std::vector<BagTopic> topics_;
  std::priority_queue<Head> waiting_;
  std::optional<std::size_t> current_;
  Bytes unpacked_;
  std::uint64_t lost_ = 0;
  BagReport own_;
  mutable BagReport report_;  // put together when asked for
};

}  // namespace

std::unique_ptr<BagReader> merge_bags(std::vector<std::unique_ptr<BagReader>> parts,
                                      bool packed_messages, const ReadLimits& limits) {
  return std::make_unique<MergedBag>(std::move(parts), packed_messages, limits);
}

namespace {

tl::expected<OpenRosbag2, std::string> load() {
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&rosbag2_plugin), &self) == 0) {
    return tl::unexpected(std::string("this program does not know where it is"));
  }
  const std::filesystem::path path =
      std::filesystem::absolute(self.dli_fname).parent_path() / "libpointtree_rosbag2.so";
  if (!std::filesystem::exists(path)) {
    return tl::unexpected(path.string() + " does not exist: built without rosbag2_cpp");
  }
  // Never closed: readers live on.
  void* plugin = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) return tl::unexpected(std::string(dlerror()));
  void* symbol = dlsym(plugin, kOpenRosbag2Symbol);
  if (symbol == nullptr) return tl::unexpected(path.string() + " lacks " + kOpenRosbag2Symbol);
  return reinterpret_cast<OpenRosbag2>(symbol);
}

}  // namespace

tl::expected<OpenRosbag2, std::string> rosbag2_plugin() {
  static const auto kPlugin = load();
  return kPlugin;
}

}  // namespace pointtree::io
