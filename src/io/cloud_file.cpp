// SPDX-License-Identifier: Apache-2.0
#include "pointtree/io/cloud_file.hpp"

#include <map>
#include <stdexcept>
#include <string>

#include "file_bytes.hpp"
#include "io/cloud_formats.hpp"
#include "io/name_list.hpp"
#include "io/npy.hpp"

namespace pointtree::io {
namespace {

using Parser = Cloud (*)(ByteView, const ReadLimits&);

Cloud parse_npy_cloud(ByteView file, const ReadLimits& limits) {
  return cloud_from(parse_npy(file, limits), limits);
}
Cloud parse_npz_cloud(ByteView file, const ReadLimits& limits) {
  return cloud_from(parse_npz(file, limits), limits);
}

const std::map<std::string, Parser>& parsers() {
  static const std::map<std::string, Parser> kParsers = {
      {".bin", parse_kitti},      {".npy", parse_npy_cloud}, {".npz", parse_npz_cloud},
      {".pcd", parse_pcd},        {".ply", parse_ply},       {".pts", parse_text_cloud},
      {".txt", parse_text_cloud}, {".xyz", parse_text_cloud}};
  return kParsers;
}

std::string extension_of(const std::filesystem::path& path) {
  return lower(path.extension().string());
}

}  // namespace

bool is_cloud_file(const std::filesystem::path& path) {
  return parsers().count(extension_of(path)) > 0;
}

Cloud read_cloud(const std::filesystem::path& path, const ReadLimits& limits) {
  const auto parser = parsers().find(extension_of(path));
  if (parser == parsers().end()) {
    throw ReadError("'" + path.string() +
                    "': a cloud file ends in .bin .npy .npz .pcd .ply .pts .txt or .xyz");
  }
  const Bytes bytes = read_file(path, limits.max_file_bytes);
  try {
    return parser->second(bytes, limits);
  } catch (const ReadError& error) {
    throw ReadError("'" + path.string() + "': " + error.what());
  }
}

void write_cloud(const std::filesystem::path& path, const Cloud& cloud) {
  const std::string extension = extension_of(path);
  if (extension == ".pcd") return write_pcd(path, cloud);
  if (extension == ".ply") return write_ply(path, cloud);
  if (extension == ".npy") return write_npy(path, cloud);
  throw std::invalid_argument("'" + path.string() + "': clouds are written as .pcd, .ply or .npy");
}

}  // namespace pointtree::io
