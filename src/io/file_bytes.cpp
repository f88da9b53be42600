// SPDX-License-Identifier: Apache-2.0
#include "file_bytes.hpp"

#include <fstream>
#include <string>
#include <system_error>

#include "io/atomic_file.hpp"
#include "pointtree/io/read_limits.hpp"

namespace pointtree::io {
Bytes read_file(const std::filesystem::path& path, std::uint64_t max_bytes) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    throw ReadError("'" + path.string() + "' is no file");
  const std::uint64_t size = std::filesystem::file_size(path, error);
  if (error) throw ReadError("can't read '" + path.string() + "': " + error.message());
  if (size > max_bytes) {
    throw ReadError("'" + path.string() + "' has " + std::to_string(size) +
                    " bytes, more than the ceiling of " + std::to_string(max_bytes));
  }
  std::ifstream file(path, std::ios::binary);
  Bytes bytes(size);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (static_cast<std::uint64_t>(file.gcount()) != size) {
    throw ReadError("can't read '" + path.string() + "': " + std::to_string(file.gcount()) +
                    " of " + std::to_string(size) + " bytes came");
  }
  return bytes;
}

void write_file(const std::filesystem::path& path, std::initializer_list<ByteView> parts) {
  AtomicFile file(path);
  for (const auto& part : parts) file.write(part.data, part.size);
  file.commit();
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  write_file(path, {bytes_of(text)});
}

}  // namespace pointtree::io
