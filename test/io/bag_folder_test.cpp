// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <zstd.h>

#include <algorithm>
#include <cstdlib>

#include "bag_samples.hpp"
#include "cloud_samples.hpp"
#include "io/transforms.hpp"
#include "pointtree/io/point_cloud2.hpp"
#include "temporary_folder.hpp"

namespace pointtree::io {
namespace {

using test::file_bytes;
using test::read_all;
using test::read_error_of;
using test::Recorded;
using test::sample_messages;
using test::TemporaryFolder;
using test::write_all;
using ::testing::HasSubstr;

std::string zstd(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 1));
  return packed;
}

/// Writes messages as rosbag2's SQLite storage lays them out.
void write_sqlite(const std::filesystem::path& path, const std::vector<Recorded>& messages,
                  bool pack = false) {
  sqlite3* database = nullptr;
  ASSERT_EQ(SQLITE_OK, sqlite3_open(path.c_str(), &database));
  const char* tables =
      "CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL,"
      " serialization_format TEXT NOT NULL, offered_qos_profiles TEXT NOT NULL);"
      "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL, timestamp INTEGER "
      "NOT NULL,"
      " data BLOB NOT NULL);"
      "CREATE INDEX timestamp_idx ON messages(timestamp ASC);"
      "INSERT INTO topics VALUES(1, '/points', 'sensor_msgs/msg/PointCloud2', 'cdr', '');"
      "INSERT INTO topics VALUES(2, '/note', 'std_msgs/msg/String', 'cdr', ''); BEGIN";
  ASSERT_EQ(SQLITE_OK, sqlite3_exec(database, tables, nullptr, nullptr, nullptr));
  sqlite3_stmt* insert = nullptr;
  sqlite3_prepare_v2(database, "INSERT INTO messages(topic_id, timestamp, data) VALUES(?, ?, ?)",
                     -1, &insert, nullptr);
  for (const auto& message : messages) {
    const std::string data = pack ? zstd(message.data) : message.data;
    sqlite3_bind_int(insert, 1, message.topic == "/points" ? 1 : 2);
    sqlite3_bind_int64(insert, 2, message.log_time);
    sqlite3_bind_blob(insert, 3, data.data(), static_cast<int>(data.size()), SQLITE_TRANSIENT);
    ASSERT_EQ(SQLITE_DONE, sqlite3_step(insert));
    sqlite3_reset(insert);
  }
  sqlite3_finalize(insert);
  sqlite3_exec(database, "COMMIT", nullptr, nullptr, nullptr);
  sqlite3_close(database);
}

std::string metadata(const std::string& files, const std::string& mode = "",
                     const std::string& format = "") {
  return "rosbag2_bagfile_information:\n  version: 5\n  storage_identifier: sqlite3\n  "
         "relative_file_paths: [" +
         files + "]\n  compression_format: \"" + format + "\"\n  compression_mode: \"" + mode +
         "\"\n";
}

TEST(SqliteBag, gives_back_what_was_recorded_in_log_time_order) {
  const TemporaryFolder folder;
  auto messages = sample_messages(200, 300, 31);
  std::reverse(messages.begin(), messages.end());
  write_sqlite(folder / "bag.db3", messages);
  std::reverse(messages.begin(), messages.end());
  const auto bag = open_bag(folder / "bag.db3");
  EXPECT_EQ(200U, bag->message_count());
  EXPECT_EQ(messages, read_all(*bag));
  BagSelection selection;
  selection.begin = messages[20].log_time;
  selection.end = messages[30].log_time;
  bag->select(selection);
  EXPECT_EQ(std::vector<Recorded>(messages.begin() + 20, messages.begin() + 30), read_all(*bag));
  const Bytes bytes = file_bytes(folder / "bag.db3");
  EXPECT_EQ(messages, read_all(*read_sqlite_bag(bytes)));
}

TEST(SqliteBag, recovers_the_messages_before_a_truncation) {
  const TemporaryFolder folder;
  auto messages = sample_messages(400, 500, 32);
  for (auto& message : messages) message.data += "end";  // none is empty
  write_sqlite(folder / "bag.db3", messages);
  const Bytes whole = file_bytes(folder / "bag.db3");
  for (const double share : {0.25, 0.5, 0.9}) {
    SCOPED_TRACE(share);
    const Bytes part(whole.begin(),
                     whole.begin() + static_cast<std::ptrdiff_t>(share * whole.size()));
    const auto bag = read_sqlite_bag(part);
    const auto found = read_all(*bag);
    const auto file = folder.write("part.db3", std::string(part.begin(), part.end()));
    EXPECT_EQ(found, read_all(*open_bag(file)));
    EXPECT_TRUE(bag->report().truncated);
    EXPECT_EQ(found.size(), bag->report().recovered);
    EXPECT_GT(found.size(), static_cast<std::size_t>(share * 200));
    for (const auto& message : found) {
      EXPECT_NE(messages.end(), std::find(messages.begin(), messages.end(), message));
    }
  }
}

TEST(SqliteBag, refuses_what_is_no_bag) {
  const TemporaryFolder folder;
  const auto error_of = [&](const std::string& sql) {
    const auto path = folder / "other.db3";
    std::filesystem::remove(path);
    sqlite3* database = nullptr;
    sqlite3_open(path.c_str(), &database);
    sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr);
    sqlite3_close(database);
    return read_error_of([&] { open_bag(path); });
  };
  EXPECT_THAT(error_of("CREATE TABLE a(b)"), HasSubstr("tables"));
  EXPECT_THAT(error_of("CREATE TABLE topics(id); CREATE TABLE messages(b)"), HasSubstr("rosbag2"));
  // A view could run any query, for ever.
  EXPECT_THAT(error_of("CREATE TABLE topics(id, name, type, serialization_format);"
                       "CREATE VIEW messages AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT "
                       "id + 1 FROM n)"
                       " SELECT id, 1 AS topic_id, 2 AS timestamp, x'00' AS data FROM n"),
              HasSubstr("tables"));
  EXPECT_THAT(read_error_of([&] { open_bag(folder.write("text.db3", std::string(5000, 'x'))); }),
              HasSubstr("text.db3"));
  EXPECT_THROW(open_bag(folder / "absent.db3"), ReadError);
  EXPECT_FALSE(std::filesystem::exists(folder / "absent.db3"));
}

TEST(BagFolder, is_written_with_metadata) {
  const TemporaryFolder folder;
  const auto messages = sample_messages(100, 100, 33);
  write_all(folder / "drive", messages);
  EXPECT_TRUE(std::filesystem::exists(folder / "drive/metadata.yaml"));
  EXPECT_TRUE(std::filesystem::exists(folder / "drive/drive_0.mcap"));
  EXPECT_EQ(messages, read_all(*open_bag(folder / "drive")));
  EXPECT_TRUE(is_bag(folder / "drive"));
  EXPECT_FALSE(is_bag(folder.path()));
  EXPECT_THROW(BagWriter(folder / "drive"), std::runtime_error)
      << "a bag is never mixed into another";
}

TEST(BagFolder, merges_split_files_in_log_time_order) {
  const TemporaryFolder folder;
  const auto messages = sample_messages(90, 100, 34);
  std::vector<Recorded> parts[3];
  for (std::size_t i = 0; i < messages.size(); ++i) {
    // The seams overlap, as where a recorder splits while messages are in flight.
    parts[std::min<std::size_t>((i + i % 3) / 31, 2)].push_back(messages[i]);
  }
  write_sqlite(folder / "bag_0.db3", parts[0]);
  write_sqlite(folder / "bag_1.db3", parts[1]);
  write_sqlite(folder / "bag_2.db3", parts[2]);
  folder.write("metadata.yaml", metadata("bag_0.db3, old/prefix/bag_1.db3, bag_2.db3"));
  const auto bag = open_bag(folder.path());
  EXPECT_EQ(90U, bag->message_count());
  ASSERT_EQ(2U, bag->topics().size());
  EXPECT_EQ(messages.front().log_time, bag->start_time());
  EXPECT_EQ(messages.back().log_time, bag->end_time());
  EXPECT_EQ(messages, read_all(*bag));
  BagSelection selection;
  selection.topics = {"/points"};
  bag->select(selection);
  for (const auto& message : read_all(*bag)) EXPECT_EQ("/points", message.topic);
}

TEST(BagFolder, unpacks_compressed_files_and_messages) {
  const TemporaryFolder folder;
  const auto messages = sample_messages(50, 100, 35);
  std::filesystem::create_directory(folder / "by_message");
  write_sqlite(folder / "by_message/bag.db3", messages, true);
  folder.write("by_message/metadata.yaml", metadata("bag.db3", "MESSAGE", "zstd"));
  EXPECT_EQ(messages, read_all(*open_bag(folder / "by_message")));

  write_sqlite(folder / "bag.db3", messages);
  const Bytes plain = file_bytes(folder / "bag.db3");
  folder.write("by_file/bag.db3.zstd", zstd(std::string(plain.begin(), plain.end())));
  folder.write("by_file/metadata.yaml", metadata("bag.db3.zstd", "FILE", "zstd"));
  EXPECT_EQ(messages, read_all(*open_bag(folder / "by_file")));

  ReadLimits limits;
  limits.max_bag_bytes = 1000;
  EXPECT_THAT(read_error_of([&] { open_bag(folder / "by_file", limits); }), HasSubstr("ceiling"));
  folder.write("by_file/bag.db3.zstd", "nothing packed");
  EXPECT_THROW(open_bag(folder / "by_file"), ReadError);
  folder.write("by_file/metadata.yaml", metadata("bag.db3.zstd", "FILE", "rar"));
  EXPECT_THAT(read_error_of([&] { open_bag(folder / "by_file"); }), HasSubstr("rar"));
}

TEST(BagFolder, stops_a_message_that_unpacks_without_end) {
  const TemporaryFolder folder;
  std::vector<Recorded> messages = sample_messages(2, 10, 36);
  messages[0].data.assign(1 << 20, '\0');
  write_sqlite(folder / "bag.db3", messages, true);
  folder.write("metadata.yaml", metadata("bag.db3", "message", "zstd"));
  ReadLimits limits;
  limits.max_unpacked_bytes = 100'000;
  const auto bag = open_bag(folder.path(), limits);
  EXPECT_EQ(1U, read_all(*bag).size());
  EXPECT_EQ(1U, bag->report().lost_messages);
}

TEST(BagFolder, is_read_without_metadata) {
  const TemporaryFolder folder;
  const auto messages = sample_messages(20, 100, 37);
  write_all(folder / "bag_0.mcap", messages);
  EXPECT_EQ(messages, read_all(*open_bag(folder.path())));
}

TEST(BagFolder, never_leaves_its_folder) {
  const TemporaryFolder folder;
  const auto messages = sample_messages(5, 10, 38);
  write_sqlite(folder / "secret.db3", messages);
  folder.write("bag/metadata.yaml", metadata("../secret.db3"));
  EXPECT_THROW(open_bag(folder / "bag"), ReadError);
  folder.write("bag/metadata.yaml", metadata((folder / "secret.db3").string()));
  EXPECT_THROW(open_bag(folder / "bag"), ReadError);
  std::filesystem::create_symlink(folder / "secret.db3", folder / "bag/link.db3");
  folder.write("bag/metadata.yaml", metadata("link.db3"));
  EXPECT_THAT(read_error_of([&] { open_bag(folder / "bag"); }), HasSubstr("leads out"));
  folder.write("bag/metadata.yaml", metadata("'..'"));
  EXPECT_THROW(open_bag(folder / "bag"), ReadError);
}

TEST(BagFolder, names_what_is_wrong_with_its_metadata) {
  const TemporaryFolder folder;
  const auto error_of = [&](const std::string& yaml) {
    folder.write("metadata.yaml", yaml);
    return read_error_of([&] { open_bag(folder.path()); });
  };
  EXPECT_THAT(error_of(""), HasSubstr("rosbag2_bagfile_information"));
  EXPECT_THAT(error_of("[1, 2"), HasSubstr("metadata.yaml"));
  EXPECT_THAT(error_of("rosbag2_bagfile_information: 3"), HasSubstr("rosbag2_bagfile_information"));
  EXPECT_THAT(error_of(metadata("")), HasSubstr("relative_file_paths"));
  EXPECT_THAT(error_of(metadata("{a: b}")), HasSubstr("relative_file_paths"));
  EXPECT_THAT(error_of(metadata("absent.db3")), HasSubstr("absent.db3"));
  EXPECT_THAT(error_of(std::string(100'000, '[')), HasSubstr("metadata.yaml"));
}

TEST(RealBag, the_ouster_recording_is_read_as_its_metadata_says) {
  const char* root = std::getenv("POINTTREE_DATA");
  if (root == nullptr) GTEST_SKIP() << "POINTTREE_DATA is not set";
  const auto bag = open_bag(std::filesystem::path(root) / "ros2_bags/ouster_os1_db3");
  EXPECT_EQ(273U, bag->message_count());
  EXPECT_EQ(1592833242605385634, bag->start_time());
  EXPECT_EQ(182772439, bag->end_time() - bag->start_time());
  std::int64_t last = 0;
  int clouds = 0;
  int transforms = 0;
  while (const auto message = bag->next()) {
    EXPECT_GE(message->log_time, last);
    last = message->log_time;
    if (message->type == kPointCloud2Type) {
      const PointCloud2Message cloud = decode_point_cloud2(message->data);
      EXPECT_EQ(2048U * 64U, cloud.width * cloud.height);
      EXPECT_EQ(48U, cloud.point_step);
      EXPECT_EQ(2048U * 64U, cloud.width * cloud.height);
      const Bytes again = encode_point_cloud2(cloud);
      EXPECT_TRUE(std::equal(again.begin(), again.end(), message->data.begin(),
                             message->data.begin() + std::min(again.size(), message->data.size)));
      ++clouds;
    } else if (message->type == kTransformsType) {
      for (const auto& transform : decode_transforms(message->data)) {
        EXPECT_NEAR(1.0, transform.rotation.norm(), 1e-6);
        ++transforms;
      }
    }
  }
  EXPECT_EQ(2, clouds);
  EXPECT_GT(transforms, 0);
  EXPECT_FALSE(bag->report().truncated);
  EXPECT_EQ(bag->report().lost_messages, 0U);
}

}  // namespace
}  // namespace pointtree::io
