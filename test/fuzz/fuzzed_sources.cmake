# pointtree_fuzzed: all that the fuzz targets reach, without LibTorch. Whole rooms where they need none, the readers of
# data sets and the plain files of the others.
include(${PROJECT_SOURCE_DIR}/src/data/readers.cmake)
list(TRANSFORM reader_sources PREPEND "data/")
set(fuzzed_sources
  ${reader_sources}
  cli/ground_truth.cpp
  data/hdf5_dataset.cpp
  data/hdf5_file.cpp
  data/off_mesh.cpp
  data/triangle_mesh.cpp
  model/atomic_file.cpp
  model/config_names.cpp
  model/description.cpp
  model/manifest.cpp
  model/model_config.cpp
  model/network_plan.cpp
  model/precision.cpp
  model/safetensors_content.cpp
  model/tensor_view.cpp
  training/metrics.cpp
  training/train_config.cpp)
list(TRANSFORM fuzzed_sources PREPEND "${PROJECT_SOURCE_DIR}/src/")
file(GLOB perception_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/perception/*.cpp)
set_source_files_properties(${perception_sources} PROPERTIES COMPILE_OPTIONS "${POINTTREE_FUZZED_ARITHMETIC}")
add_library(pointtree_fuzzed STATIC ${fuzzed_sources} ${perception_sources})
target_include_directories(pointtree_fuzzed PUBLIC ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(pointtree_fuzzed PUBLIC
  pointtree::geometry
  ${reader_libraries}
  fmt::fmt
  hdf5::hdf5
  nlohmann_json::nlohmann_json
  spdlog::spdlog
  tl::expected)
