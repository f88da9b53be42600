// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "pointtree/io/byte_view.hpp"
#include "pointtree/io/read_limits.hpp"
#include "scratch_folder.hpp"

namespace pointtree::io {

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

}  // namespace pointtree::io
