// SPDX-License-Identifier: Apache-2.0
#include "sqlite_database.hpp"

#include <algorithm>
#include <climits>

#include "byte_source.hpp"

namespace pointtree::io {
namespace {

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

}  // namespace

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

}  // namespace pointtree::io
