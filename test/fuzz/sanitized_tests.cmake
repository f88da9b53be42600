# SPDX-License-Identifier: Apache-2.0
# The tests of readers, pipeline and load that need no LibTorch, under the sanitizers of the fuzz targets: minutes to
# build where tools/test --sanitize takes most of an hour.
find_package(GTest REQUIRED)
include(ModuleTest)
pointtree_add_test(sanitized_readers
  SOURCES
    ../io/bag_folder_test.cpp
    ../io/mcap_test.cpp
    ../io/npy_test.cpp
    ../simulation/off_mesh_test.cpp
    ../io/point_cloud2_test.cpp
    ../io/text_cloud_test.cpp
    ../reliability/cut_bag_test.cpp
  LINK pointtree_fuzzed PkgConfig::ZSTD SQLite::SQLite3)
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
