// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "io/bag_readers.hpp"
#include "sqlite_database.hpp"

namespace pointtree::io {
namespace {

/// A row of the messages table without its data.
struct Row {
  std::int64_t time = 0;
  std::int64_t id = 0;
  std::size_t topic = 0;
};

class SqliteBagReader : public BagReader {
 public:
  SqliteBagReader(SqliteDatabase database, const std::string& name)
      : database_(std::move(database)), fetch_(open_fetch(database_, name)) {
    read_topics();
    read_rows();
    select({});
  }

  const std::vector<BagTopic>& topics() const override { return topics_; }
  std::int64_t start_time() const override { return rows_.empty() ? 0 : rows_.front().time; }
  std::int64_t end_time() const override { return rows_.empty() ? 0 : rows_.back().time; }
  const BagReport& report() const override { return report_; }

  void select(const BagSelection& selection) override {
    selection_ = selection;
    wanted_ = std::set<std::string>(selection.topics.begin(), selection.topics.end());
    const auto first =
        std::lower_bound(rows_.begin(), rows_.end(), selection.begin,
                         [](const Row& row, std::int64_t time) { return row.time < time; });
    next_ = static_cast<std::size_t>(first - rows_.begin());
  }

  std::optional<BagMessage> next() override {
    for (; next_ < rows_.size() && rows_[next_].time < selection_.end; ++next_) {
      const Row& row = rows_[next_];
      const BagTopic& topic = topics_[row.topic];
      if (!wanted_.empty() && wanted_.count(topic.name) == 0) continue;
      try {
        fetch_.reset();
        fetch_.bind(1, row.id);
        if (!fetch_.step()) throw ReadError("the row has vanished");
        ++next_;
        return BagMessage{topic.name, topic.type, row.time, row.time, fetch_.blob(0)};
      } catch (const ReadError& error) {
        // Counted once, however often the bag is read.
        if (lost_.insert(row.id).second) ++report_.lost_messages;
        note(report_, "message " + std::to_string(row.id) + " left out: " + error.what());
      }
    }
    return std::nullopt;
  }

 private:
  static SqliteQuery open_fetch(const SqliteDatabase& database, const std::string& name) {
    if (!database.has_table("messages") || !database.has_table("topics")) {
      throw ReadError("'" + name +
                      "' is no rosbag2 file: it should have the tables 'messages' and 'topics'");
    }
    return database.query("SELECT data FROM messages WHERE id = ?");
  }

  void read_topics() {
    const bool has_qos = database_.has_column("topics", "offered_qos_profiles");
    SqliteQuery query =
        database_.query(std::string("SELECT id, name, type, serialization_format, ") +
                        (has_qos ? "offered_qos_profiles" : "''") + " FROM topics ORDER BY id");
    while (query.step()) {
      topic_of_id_[query.number(0)] = topics_.size();
      BagTopic topic;
      topic.name = query.text(1);
      topic.type = query.text(2);
      topic.serialization_format = query.text(3);
      topic.offered_qos_profiles = query.text(4);
      topics_.push_back(std::move(topic));
    }
    if (database_.has_table("message_definitions")) read_definitions();
  }

  void read_definitions() {
    SqliteQuery query = database_.query(
        "SELECT topic_type, encoding, encoded_message_definition FROM message_definitions");
    while (query.step()) {
      for (auto& topic : topics_) {
        if (topic.type != query.text(0)) continue;
        topic.definition_encoding = query.text(1);
        topic.definition = query.text(2);
      }
    }
  }

  /// The whole order of messages is 24 bytes each and is kept; their data stays in the file.
  void read_rows() {
    try {
      if (database_.damaged()) throw ReadError("the end of the file is missing, or it is damaged");
      collect("SELECT timestamp, id, topic_id FROM messages ORDER BY timestamp, id");
    } catch (const ReadError& error) {
      // The end of the file is missing or an index is damaged: take the rows as the table itself
      // gives them.
      report_.indexed = false;
      report_.truncated = true;
      note(report_, error.what());
      recover();
    }
    std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) {
      return std::make_pair(a.time, a.id) < std::make_pair(b.time, b.id);
    });
    for (const auto& row : rows_) ++topics_[row.topic].message_count;
  }

  void collect(const char* sql) {
    rows_.clear();
    SqliteQuery query = database_.query(sql);
    while (query.step()) {
      const auto topic = topic_of_id_.find(query.number(2));
      if (topic != topic_of_id_.end()) {
        rows_.push_back({query.number(0), query.number(1), topic->second});
      } else {
        if (lost_.insert(query.number(1)).second) ++report_.lost_messages;
        note(report_, "messages of a topic that is not described");
      }
    }
  }

  /// Walks the table from both ends up to the damage, then keeps the rows whose data can be read as
  /// a whole.
  void recover() {
    std::vector<Row> found;
    for (const char* order : {"ASC", "DESC"}) {
      try {
        collect(
            (std::string("SELECT timestamp, id, topic_id FROM messages NOT INDEXED ORDER BY id ") +
             order)
                .c_str());
      } catch (const ReadError& error) {
        note(report_, error.what());
      }
      found.insert(found.end(), rows_.begin(), rows_.end());
    }
    std::sort(found.begin(), found.end(), [](const Row& a, const Row& b) { return a.id < b.id; });
    found.erase(std::unique(found.begin(), found.end(),
                            [](const Row& a, const Row& b) { return a.id == b.id; }),
                found.end());
    rows_.clear();
    for (const auto& row : found) {
      if (is_readable(row)) rows_.push_back(row);
    }
    report_.recovered = rows_.size();
    note(report_, std::to_string(rows_.size()) + " whole messages recovered");
  }

  bool is_readable(const Row& row) {
    try {
      fetch_.reset();
      fetch_.bind(1, row.id);
      return fetch_.step() && fetch_.blob(0).data != nullptr;
    } catch (const ReadError&) {
      return false;
    }
  }

  SqliteDatabase database_;
  SqliteQuery fetch_;
  std::vector<BagTopic> topics_;
  std::map<std::int64_t, std::size_t> topic_of_id_;
  std::vector<Row> rows_;
  std::set<std::int64_t> lost_;
  BagReport report_;
  BagSelection selection_;
  std::set<std::string> wanted_;
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<BagReader> open_sqlite_bag(const std::filesystem::path& path,
                                           const ReadLimits& limits) {
  return std::make_unique<SqliteBagReader>(SqliteDatabase(path, limits), path.string());
}

std::unique_ptr<BagReader> read_sqlite_bag(ByteView file, const ReadLimits& limits) {
  return std::make_unique<SqliteBagReader>(SqliteDatabase(file, limits), "memory");
}

}  // namespace pointtree::io
