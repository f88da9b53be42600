// SPDX-License-Identifier: Apache-2.0
#include <sqlite3.h>

#include <algorithm>
#include <climits>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "byte_source.hpp"
#include "io/atomic_file.hpp"
#include "io/bag_readers.hpp"
#include "pointtree/io/byte_view.hpp"
#include "pointtree/io/read_limits.hpp"

namespace pointtree::io {
namespace {

/// A running query; columns are valid until the next step.
class SqliteQuery {
 public:
  /// Moves to the next row; false after the last. Throws ReadError, for example where a page is
  /// damaged.
  bool step();

  void bind(int index, std::int64_t value);
  void reset();
  std::int64_t number(int column) const { return sqlite3_column_int64(statement_.get(), column); }
  std::string text(int column) const;
  ByteView blob(int column) const;

 private:
  friend class SqliteDatabase;
  SqliteQuery(sqlite3* database, const std::string& sql);

  sqlite3* database_;
  std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)> statement_;
};

/// A database from outside, opened for reading with everything off that could make it do more than
/// hold data.
class SqliteDatabase {
 public:
  SqliteDatabase(const std::filesystem::path& path, const ReadLimits& limits);
  SqliteDatabase(ByteView file, const ReadLimits& limits);

  SqliteQuery query(const std::string& sql) const { return {database_.get(), sql}; }

  /// Whether SQLite would refuse the file, for example because its end is missing.
  bool damaged() const { return damaged_; }

  /// Whether there is a plain table of this name; views and virtual tables could run code.
  bool has_table(std::string_view name) const;
  bool has_column(std::string_view table, std::string_view column) const;

 private:
  bool open(const std::string& uri);
  void open_file(const std::filesystem::path& path);
  void open_memory(ByteView file);
  bool has_readable_schema() const;
  void harden(const ReadLimits& limits);

  std::unique_ptr<ScratchFolder> scratch_;  // outlives the database in it
  std::unique_ptr<sqlite3, decltype(&sqlite3_close)> database_{nullptr, sqlite3_close};
  bool damaged_ = false;
};

constexpr std::size_t kHeaderBytes = 100;

[[noreturn]] void fail(sqlite3* database, const char* what) {
  throw ReadError(std::string("SQLite: ") + what + ": " +
                  (database == nullptr ? "out of memory" : sqlite3_errmsg(database)));
}

/// A file name as a URI: the characters that mean something there are escaped.
std::string uri_of(const std::filesystem::path& path, const char* options) {
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(path).string()) {
    if (c == '%' || c == '?' || c == '#') {
      constexpr const char* kDigits = "0123456789abcdef";
      uri += {'%', kDigits[static_cast<unsigned char>(c) >> 4],
              kDigits[static_cast<unsigned char>(c) & 15]};
    } else {
      uri += c;
    }
  }
  return uri + options;
}

/// The database's header, or as much of it as there is.
Bytes read_start(const std::filesystem::path& path) {
  const auto source = open_source(path);
  return source->read(0, std::min<std::uint64_t>(source->size(), kHeaderBytes));
}

/// Size without a last page that is only partly there.
std::uint64_t whole_pages(ByteView start, std::uint64_t size) {
  if (start.size < kHeaderBytes) return size;
  // A big-endian number; 1 stands for 65536.
  const std::uint64_t stored = std::uint64_t{start.data[16]} << 8 | start.data[17];
  const std::uint64_t page = stored == 1 ? 65536 : stored;
  return page < 512 ? size : size - size % page;
}

SqliteQuery::SqliteQuery(sqlite3* database, const std::string& sql)
    : database_(database), statement_(nullptr, sqlite3_finalize) {
  sqlite3_stmt* statement = nullptr;
  const int code =
      sqlite3_prepare_v2(database, sql.c_str(), static_cast<int>(sql.size()), &statement, nullptr);
  statement_.reset(statement);
  if (code != SQLITE_OK) fail(database, "the bag's tables are not those of rosbag2");
}

bool SqliteQuery::step() {
  const int code = sqlite3_step(statement_.get());
  if (code != SQLITE_ROW && code != SQLITE_DONE) fail(database_, "can't read on");
  return code == SQLITE_ROW;
}

void SqliteQuery::bind(int index, std::int64_t value) {
  if (sqlite3_bind_int64(statement_.get(), index, value) != SQLITE_OK)
    fail(database_, "can't bind a value");
}

void SqliteQuery::reset() { sqlite3_reset(statement_.get()); }

std::string SqliteQuery::text(int column) const {
  const auto* first = sqlite3_column_text(statement_.get(), column);
  if (first == nullptr) return {};
  return {reinterpret_cast<const char*>(first),
          static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

ByteView SqliteQuery::blob(int column) const {
  const auto* first =
      static_cast<const std::uint8_t*>(sqlite3_column_blob(statement_.get(), column));
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return {first, first == nullptr ? 0 : static_cast<std::size_t>(size)};
}

SqliteDatabase::SqliteDatabase(const std::filesystem::path& path, const ReadLimits& limits) {
  open_file(path);
  harden(limits);
  if (!damaged_) return;
  const std::uint64_t size = std::filesystem::file_size(path);
  const std::uint64_t whole = whole_pages(read_start(path), size);
  if (whole == size) return;
  // SQLite takes what is missing of the last page for zeros, which would pass for data.
  scratch_ = std::make_unique<ScratchFolder>();
  const std::filesystem::path copy = scratch_->path() / "whole_pages.db3";
  std::filesystem::copy_file(path, copy);
  std::filesystem::permissions(copy, std::filesystem::perms::owner_all);
  std::filesystem::resize_file(copy, whole);
  open_file(copy);
  harden(limits);
}

SqliteDatabase::SqliteDatabase(ByteView file, const ReadLimits& limits) {
  open_memory(file);
  harden(limits);
  if (!damaged_) return;
  file.size = static_cast<std::size_t>(whole_pages(file, file.size));
  open_memory(file);
  harden(limits);
}

void SqliteDatabase::open_file(const std::filesystem::path& path) {
  // A bag in a read-only folder that was being written can't be opened the usual way: its journal
  // would have to be played back. Taken as immutable, what reached the main file can be read.
  const bool usable = open(uri_of(path, "?mode=ro")) && has_readable_schema();
  if (!usable && !open(uri_of(path, "?mode=ro&immutable=1"))) fail(database_.get(), path.c_str());
}

void SqliteDatabase::open_memory(ByteView file) {
  auto* bytes = const_cast<unsigned char*>(file.data);
  const auto size = static_cast<sqlite3_int64>(file.size);
  if (!open(":memory:") || sqlite3_deserialize(database_.get(), "main", bytes, size, size,
                                               SQLITE_DESERIALIZE_READONLY) != SQLITE_OK) {
    fail(database_.get(), "memory");
  }
}

bool SqliteDatabase::open(const std::string& uri) {
  sqlite3* database = nullptr;
  const int code =
      sqlite3_open_v2(uri.c_str(), &database,
                      SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  database_.reset(database);
  return code == SQLITE_OK;
}

bool SqliteDatabase::has_readable_schema() const {
  return sqlite3_exec(database_.get(), "SELECT 1 FROM sqlite_master", nullptr, nullptr, nullptr) ==
         SQLITE_OK;
}

void SqliteDatabase::harden(const ReadLimits& limits) {
  sqlite3_db_config(database_.get(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database_.get(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(database_.get(), SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(database_.get(), SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  const auto longest =
      static_cast<int>(std::min<std::uint64_t>(limits.max_unpacked_bytes, INT_MAX));
  sqlite3_limit(database_.get(), SQLITE_LIMIT_LENGTH, longest);
  // Checks that cells lie within their pages; damaged files are found out before they are walked.
  sqlite3_exec(database_.get(), "PRAGMA cell_size_check=ON", nullptr, nullptr, nullptr);
  if (has_readable_schema()) return;
  // SQLite refuses a file that is shorter than it should be, unless its schema may be repaired. The
  // file is open for reading only, so nothing is.
  damaged_ = true;
  sqlite3_db_config(database_.get(), SQLITE_DBCONFIG_DEFENSIVE, 0, nullptr);
  sqlite3_db_config(database_.get(), SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, nullptr);
}

bool SqliteDatabase::has_table(std::string_view name) const {
  SqliteQuery found = query("SELECT name, sql FROM sqlite_master WHERE type = 'table'");
  while (found.step()) {
    if (found.text(0) == name) return found.text(1).rfind("CREATE TABLE", 0) == 0;
  }
  return false;
}

bool SqliteDatabase::has_column(std::string_view table, std::string_view column) const {
  SqliteQuery found = query("PRAGMA table_info(" + std::string(table) + ")");
  while (found.step()) {
    if (found.text(1) == column) return true;
  }
  return false;
}

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
