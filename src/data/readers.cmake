# The readers and writers of clouds, messages and bags: a list of its own because the fuzz targets are built from it alone.
set(reader_sources
  # cloud files
  cloud_file.cpp
  file_bytes.cpp
  kitti.cpp
  lzf.cpp
  npy.cpp
  npz.cpp
  pcd.cpp
  pcd_header.cpp
  ply.cpp
  ply_header.cpp
  point_table.cpp
  scalar_type.cpp
  text_cloud.cpp
  zip.cpp
  # messages and bags
  bag.cpp
  bag_metadata.cpp
  bag_writer.cpp
  byte_source.cpp
  cdr.cpp
  compression.cpp
  mcap_chunk.cpp
  mcap_format.cpp
  mcap_reader.cpp
  mcap_scan.cpp
  mcap_writer.cpp
  merged_bag.cpp
  message_definitions.cpp
  output_file.cpp
  point_cloud2.cpp
  rosbag2_plugin.cpp
  sqlite_bag.cpp
  sqlite_database.cpp
  topic_table.cpp
  transform_message.cpp)
set(reader_libraries ZLIB::ZLIB SQLite::SQLite3 PkgConfig::LZ4 PkgConfig::ZSTD yaml-cpp tl::expected ${CMAKE_DL_LIBS})
