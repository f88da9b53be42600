// SPDX-License-Identifier: Apache-2.0
#include "pointtree/io/bag_writer.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include "file_bytes.hpp"
#include "io/bag_readers.hpp"
#include "mcap_writer.hpp"

namespace pointtree::io {
namespace {

const char* name_of(BagCompression compression) {
  switch (compression) {
    case BagCompression::lz4:
      return "lz4";
    case BagCompression::zstd:
      return "zstd";
    default:
      return "";
  }
}

/// The MCAP file of a bag; makes the folder where the bag is one.
std::filesystem::path prepare(const std::filesystem::path& path) {
  if (path.extension() == ".mcap") return path;
  const std::filesystem::path folder = path.has_filename() ? path : path.parent_path();
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw std::runtime_error("can't create '" + folder.string() + "': " + error.message());
  if (!std::filesystem::is_empty(folder)) {
    throw std::runtime_error("'" + folder.string() +
                             "' is not empty: a new bag needs a folder of its own");
  }
  return folder / (folder.filename().string() + "_0.mcap");
}

std::uint64_t time_since_epoch(std::int64_t nanoseconds) {
  if (nanoseconds < 0) throw std::invalid_argument("a bag can't hold times before 1970");
  return static_cast<std::uint64_t>(nanoseconds);
}

}  // namespace

class BagWriter::Implementation {
 public:
  Implementation(const std::filesystem::path& path, const BagWriterOptions& options)
      : file_(prepare(path)),
        is_folder_(path.extension() != ".mcap"),
        mcap_(file_, name_of(options.compression), options.chunk_bytes) {}

  std::size_t add_topic(BagTopic topic) {
    if (topic.definition.empty()) {
      topic.definition = message_definition(topic.type);
      topic.definition_encoding = topic.definition.empty() ? "" : "ros2msg";
    }
    mcap::Channel channel;
    channel.topic = topic.name;
    channel.message_encoding = topic.serialization_format;
    channel.metadata["offered_qos_profiles"] = topic.offered_qos_profiles;
    mcap_.add_channel({0, topic.type, topic.definition_encoding, topic.definition},
                      std::move(channel));
    topic.message_count = 0;
    topics_.push_back(std::move(topic));
    return topics_.size() - 1;
  }

  void write(std::size_t topic, std::int64_t log_time, ByteView data, std::int64_t publish_time) {
    if (topic >= topics_.size())
      throw std::out_of_range("no topic " + std::to_string(topic) + " in this bag");
    mcap_.write(static_cast<std::uint16_t>(topic), time_since_epoch(log_time),
                time_since_epoch(publish_time), data);
    ++topics_[topic].message_count;
  }

  void flush() { mcap_.flush(); }

  void close() {
    if (std::exchange(closed_, true)) return;
    mcap_.close();
    if (!is_folder_) return;
    const auto start = static_cast<std::int64_t>(mcap_.statistics().start_time);
    const auto end = static_cast<std::int64_t>(mcap_.statistics().end_time);
    const std::string text = bag_metadata_text(file_.filename().string(), topics_, start, end);
    write_file(file_.parent_path() / "metadata.yaml", {bytes_of(text)});
  }

 private:
  std::filesystem::path file_;
  bool is_folder_;
  mcap::Writer mcap_;
  std::vector<BagTopic> topics_;
  bool closed_ = false;
};

BagWriter::BagWriter(const std::filesystem::path& path, const BagWriterOptions& options)
    : implementation_(std::make_unique<Implementation>(path, options)) {}

BagWriter::~BagWriter() {
  try {
    close();
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): a destructor can't report;
                                     // close() does
  }
}

std::size_t BagWriter::add_topic(const BagTopic& topic) {
  return implementation_->add_topic(topic);
}

void BagWriter::write(std::size_t topic, std::int64_t log_time, ByteView data,
                      std::optional<std::int64_t> publish_time) {
  implementation_->write(topic, log_time, data, publish_time.value_or(log_time));
}

void BagWriter::flush() { implementation_->flush(); }

void BagWriter::close() { implementation_->close(); }

}  // namespace pointtree::io
