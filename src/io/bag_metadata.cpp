// SPDX-License-Identifier: Apache-2.0
#include <yaml-cpp/yaml.h>

#include <map>
#include <set>
#include <vector>

#include "io/bag_readers.hpp"
#include "io/name_list.hpp"
#include "io/text_lines.hpp"

namespace pointtree::io {
namespace {

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

namespace {

/// Fields of the interfaces that this package writes, as the ROS 2 packages of the same names
/// define them.
const std::map<std::string_view, std::string_view>& fields() {
  static const std::map<std::string_view, std::string_view> kFields = {
      {"builtin_interfaces/Duration", "int32 sec\nuint32 nanosec\n"},
      {"builtin_interfaces/Time", "int32 sec\nuint32 nanosec\n"},
      {"geometry_msgs/Point", "float64 x\nfloat64 y\nfloat64 z\n"},
      {"geometry_msgs/Pose",
       "geometry_msgs/Point position\ngeometry_msgs/Quaternion orientation\n"},
      {"geometry_msgs/Quaternion", "float64 x 0\nfloat64 y 0\nfloat64 z 0\nfloat64 w 1\n"},
      {"geometry_msgs/Transform",
       "geometry_msgs/Vector3 translation\ngeometry_msgs/Quaternion rotation\n"},
      {"geometry_msgs/TransformStamped",
       "std_msgs/Header header\nstring child_frame_id\ngeometry_msgs/Transform transform\n"},
      {"geometry_msgs/Vector3", "float64 x\nfloat64 y\nfloat64 z\n"},
      {"pointtree/LabeledObject",
       "uint8 UNKNOWN=255\nuint32 id\nuint8 class_id\nstring class_name\nbool classified\n"
       "float32 confidence\nfloat32 entropy\nfloat32[] scores\nuint32 point_count\n"
       "geometry_msgs/Point centroid\ngeometry_msgs/Pose pose\ngeometry_msgs/Vector3 size\n"},
      {"pointtree/LabeledObjectArray",
       "std_msgs/Header header\nstring[] class_names\npointtree/LabeledObject[] objects\n"},
      {"sensor_msgs/CompressedImage", "std_msgs/Header header\nstring format\nuint8[] data\n"},
      {"sensor_msgs/PointCloud2",
       "std_msgs/Header header\nuint32 height\nuint32 width\nsensor_msgs/PointField[] fields\n"
       "bool is_bigendian\nuint32 point_step\nuint32 row_step\nuint8[] data\nbool is_dense\n"},
      {"sensor_msgs/PointField",
       "uint8 INT8=1\nuint8 UINT8=2\nuint8 INT16=3\nuint8 UINT16=4\nuint8 INT32=5\nuint8 UINT32=6\n"
       "uint8 FLOAT32=7\nuint8 FLOAT64=8\nstring name\nuint32 offset\nuint8 datatype\nuint32 "
       "count\n"},
      {"std_msgs/ColorRGBA", "float32 r\nfloat32 g\nfloat32 b\nfloat32 a\n"},
      {"std_msgs/Float64", "float64 data\n"},
      {"std_msgs/Header", "builtin_interfaces/Time stamp\nstring frame_id\n"},
      {"std_msgs/String", "string data\n"},
      {"tf2_msgs/TFMessage", "geometry_msgs/TransformStamped[] transforms\n"},
      {"visualization_msgs/Marker",
       "std_msgs/Header header\nstring ns\nint32 id\nint32 type\nint32 action\n"
       "geometry_msgs/Pose pose\ngeometry_msgs/Vector3 scale\nstd_msgs/ColorRGBA color\n"
       "builtin_interfaces/Duration lifetime\nbool frame_locked\ngeometry_msgs/Point[] points\n"
       "std_msgs/ColorRGBA[] colors\nstring texture_resource\nsensor_msgs/CompressedImage texture\n"
       "visualization_msgs/UVCoordinate[] uv_coordinates\nstring text\nstring mesh_resource\n"
       "visualization_msgs/MeshFile mesh_file\nbool mesh_use_embedded_materials\n"},
      {"visualization_msgs/MarkerArray", "visualization_msgs/Marker[] markers\n"},
      {"visualization_msgs/MeshFile", "string filename\nuint8[] data\n"},
      {"visualization_msgs/UVCoordinate", "float32 u\nfloat32 v\n"},
  };
  return kFields;
}

/// "package/msg/Type" as definitions write it: "package/Type".
std::string short_name(std::string_view type) {
  const std::size_t middle = type.find("/msg/");
  if (middle == std::string_view::npos) return std::string(type);
  return std::string(type.substr(0, middle)) + std::string(type.substr(middle + 4));
}

/// Types that a definition refers to, in the order of their fields.
std::vector<std::string_view> references(std::string_view definition) {
  std::vector<std::string_view> types;
  TextScanner lines(definition);
  while (const auto line = lines.next_line()) {
    const std::string_view type = line->substr(0, line->find_first_of(" ["));
    if (type.find('/') != std::string_view::npos) types.push_back(type);
  }
  return types;
}

}  // namespace

std::string message_definition(std::string_view type) {
  const auto root = fields().find(short_name(type));
  if (root == fields().end()) return {};
  std::string text(root->second);
  std::set<std::string_view> seen = {root->first};
  std::vector<std::string_view> pending = references(root->second);
  for (std::size_t i = 0; i < pending.size(); ++i) {
    if (!seen.insert(pending[i]).second) continue;
    const std::string_view definition = fields().at(pending[i]);
    text +=
        std::string(80, '=') + "\nMSG: " + std::string(pending[i]) + "\n" + std::string(definition);
    for (const auto reference : references(definition)) pending.push_back(reference);
  }
  return text;
}

}  // namespace pointtree::io
