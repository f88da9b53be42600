// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "pointtree/io/bag.hpp"
#include "pointtree/io/bag_writer.hpp"
#include "temporary_folder.hpp"

namespace pointtree::test {

/// A message that owns what it holds.
struct Recorded {
  std::string topic;
  std::string type;
  std::int64_t log_time = 0;
  std::string data;

  bool operator==(const Recorded& other) const {
    return topic == other.topic && type == other.type && log_time == other.log_time &&
           data == other.data;
  }
};

inline std::vector<Recorded> read_all(io::BagReader& bag) {
  std::vector<Recorded> messages;
  while (const auto message = bag.next()) {
    messages.push_back({std::string(message->topic), std::string(message->type), message->log_time,
                        std::string(message->data.text())});
  }
  return messages;
}

/// Seeded messages on two topics with rising times, of 0 to `longest` bytes.
inline std::vector<Recorded> sample_messages(int count, std::size_t longest, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Recorded> messages;
  for (int i = 0; i < count; ++i) {
    std::string data(random() % (longest + 1), '\0');
    // Runs of equal bytes, so that there is something to compress.
    for (std::size_t k = 0; k < data.size(); ++k)
      data[k] = static_cast<char>(k % 16 == 0 ? random() : data[k - 1]);
    const bool first = random() % 2 == 0;
    messages.push_back({first ? "/points" : "/note",
                        first ? "sensor_msgs/msg/PointCloud2" : "std_msgs/msg/String",
                        1'000'000'000LL + 1000 * i, std::move(data)});
  }
  return messages;
}

inline void write_all(const std::filesystem::path& path, const std::vector<Recorded>& messages,
                      const io::BagWriterOptions& options = {}) {
  io::BagWriter writer(path, options);
  io::BagTopic points;
  points.name = "/points";
  points.type = "sensor_msgs/msg/PointCloud2";
  io::BagTopic note;
  note.name = "/note";
  note.type = "std_msgs/msg/String";
  writer.add_topic(points);
  writer.add_topic(note);
  for (const auto& message : messages) {
    writer.write(message.topic == "/points" ? 0 : 1, message.log_time, io::bytes_of(message.data));
  }
  writer.close();
}

inline io::Bytes file_bytes(const std::filesystem::path& path) {
  const std::string text = content_of(path);
  return {text.begin(), text.end()};
}

}  // namespace pointtree::test
