# The tests of readers, pipeline and load that need no LibTorch, under the sanitizers of the fuzz targets: minutes to
# build where tools/test --sanitize takes most of an hour.
find_package(GTest REQUIRED)
include(RoomTest)
pointtree_add_test(sanitized_readers
  SOURCES
    ../data/bag_folder_test.cpp
    ../data/mcap_test.cpp
    ../data/npy_test.cpp
    ../data/off_mesh_test.cpp
    ../data/point_cloud2_test.cpp
    ../data/text_cloud_test.cpp
    ../reliability/cut_bag_test.cpp
  LINK pointtree_fuzzed PkgConfig::ZSTD SQLite::SQLite3)
target_include_directories(test_sanitized_readers PRIVATE ${PROJECT_SOURCE_DIR}/src/data)
pointtree_add_test(sanitized_pipeline
  SOURCES
    ../perception/blocks_test.cpp
    ../perception/box_and_track_test.cpp
    ../perception/cloud_view_test.cpp
    ../perception/ground_test.cpp
    ../perception/parameter_test.cpp
    ../perception/pipeline_test.cpp
    ../reliability/load_test.cpp
  LINK pointtree_fuzzed
  TIMEOUT 1800)
target_compile_definitions(test_sanitized_pipeline PRIVATE POINTTREE_SOURCE="${PROJECT_SOURCE_DIR}")
