# SPDX-License-Identifier: Apache-2.0
# pointtree_fuzzed: all that the fuzz targets reach, without LibTorch: the modules, and two files of those that need it.
add_library(pointtree_fuzzed STATIC
  ${PROJECT_SOURCE_DIR}/src/cli/ground_truth.cpp
  ${PROJECT_SOURCE_DIR}/src/training/train_config.cpp)
target_include_directories(pointtree_fuzzed PUBLIC ${PROJECT_SOURCE_DIR}/include PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(pointtree_fuzzed PUBLIC
  pointtree::datasets
  pointtree::perception
  fmt::fmt
  nlohmann_json::nlohmann_json
  spdlog::spdlog
  yaml-cpp)
