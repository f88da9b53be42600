// SPDX-License-Identifier: Apache-2.0
#include "bag_metadata.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cctype>

namespace pointtree::io {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string text_of(const YAML::Node& information, const char* key) {
  const YAML::Node node = information[key];
  return node && node.IsScalar() ? node.Scalar() : std::string();
}

std::string plain_name(const YAML::Node& node) {
  if (!node.IsScalar()) throw ReadError("metadata.yaml: relative_file_paths should hold names");
  const std::string name = std::filesystem::path(node.Scalar()).filename().string();
  if (name.empty() || name == "." || name == ".." || name.find('\0') != std::string::npos) {
    throw ReadError("metadata.yaml: a file's name expected, found '" + node.Scalar().substr(0, 60) +
                    "'");
  }
  return name;
}

BagMetadata parse(const YAML::Node& root) {
  const YAML::Node information = root.IsMap() ? root["rosbag2_bagfile_information"] : YAML::Node();
  if (!information || !information.IsMap()) {
    throw ReadError("metadata.yaml: no rosbag2_bagfile_information");
  }
  BagMetadata metadata;
  metadata.storage_identifier = text_of(information, "storage_identifier");
  const YAML::Node paths = information["relative_file_paths"];
  if (!paths || !paths.IsSequence() || paths.size() == 0)
    throw ReadError("metadata.yaml: no relative_file_paths");
  for (const auto& path : paths) metadata.files.push_back(plain_name(path));

  const std::string mode = lower(text_of(information, "compression_mode"));
  metadata.packed_files = mode == "file";
  metadata.packed_messages = mode == "message";
  const std::string format = text_of(information, "compression_format");
  if ((metadata.packed_files || metadata.packed_messages) && format != "zstd") {
    throw ReadError("metadata.yaml: compression_format zstd expected, found '" + format + "'");
  }
  return metadata;
}

void emit_times(YAML::Emitter& out, std::int64_t start, std::int64_t duration) {
  out << YAML::Key << "duration" << YAML::Value << YAML::BeginMap << YAML::Key << "nanoseconds"
      << YAML::Value << duration << YAML::EndMap;
  out << YAML::Key << "starting_time" << YAML::Value << YAML::BeginMap << YAML::Key
      << "nanoseconds_since_epoch" << YAML::Value << start << YAML::EndMap;
}

void emit_topic(YAML::Emitter& out, const BagTopic& topic) {
  out << YAML::BeginMap << YAML::Key << "topic_metadata" << YAML::Value << YAML::BeginMap;
  out << YAML::Key << "name" << YAML::Value << topic.name;
  out << YAML::Key << "type" << YAML::Value << topic.type;
  out << YAML::Key << "serialization_format" << YAML::Value << topic.serialization_format;
  out << YAML::Key << "offered_qos_profiles" << YAML::Value << YAML::DoubleQuoted
      << topic.offered_qos_profiles;
  out << YAML::EndMap << YAML::Key << "message_count" << YAML::Value << topic.message_count
      << YAML::EndMap;
}

}  // namespace

BagMetadata parse_bag_metadata(std::string_view yaml) {
  try {
    return parse(YAML::Load(std::string(yaml)));
  } catch (const YAML::Exception& error) {
    throw ReadError(std::string("metadata.yaml: ") + error.what());
  }
}

std::string bag_metadata_text(const std::string& file, const std::vector<BagTopic>& topics,
                              std::int64_t start_time, std::int64_t end_time) {
  std::uint64_t messages = 0;
  for (const auto& topic : topics) messages += topic.message_count;
  YAML::Emitter out;
  out << YAML::BeginMap << YAML::Key << "rosbag2_bagfile_information" << YAML::Value
      << YAML::BeginMap;
  out << YAML::Key << "version" << YAML::Value << 5;
  out << YAML::Key << "storage_identifier" << YAML::Value << "mcap";
  emit_times(out, start_time, end_time - start_time);
  out << YAML::Key << "message_count" << YAML::Value << messages;
  out << YAML::Key << "topics_with_message_count" << YAML::Value << YAML::BeginSeq;
  for (const auto& topic : topics) emit_topic(out, topic);
  out << YAML::EndSeq;
  out << YAML::Key << "compression_format" << YAML::Value << YAML::DoubleQuoted << "";
  out << YAML::Key << "compression_mode" << YAML::Value << YAML::DoubleQuoted << "";
  out << YAML::Key << "relative_file_paths" << YAML::Value << YAML::BeginSeq << file
      << YAML::EndSeq;
  out << YAML::Key << "files" << YAML::Value << YAML::BeginSeq << YAML::BeginMap;
  out << YAML::Key << "path" << YAML::Value << file;
  emit_times(out, start_time, end_time - start_time);
  out << YAML::Key << "message_count" << YAML::Value << messages << YAML::EndMap << YAML::EndSeq;
  out << YAML::EndMap << YAML::EndMap;
  return std::string(out.c_str()) + "\n";
}

}  // namespace pointtree::io
