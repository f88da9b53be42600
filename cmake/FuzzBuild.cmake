# The fuzz targets with libFuzzer and the address and undefined-behaviour sanitizers; nothing here needs LibTorch.
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "POINTTREE_FUZZ needs clang (CC=clang CXX=clang++), found ${CMAKE_CXX_COMPILER_ID}")
endif()
set(BUILD_SHARED_LIBS OFF)
add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -gline-tables-only -O1)
add_link_options(-fsanitize=address,undefined)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
# For arithmetic: optimised, and without the record of comparisons, which leads through formats but only slows numbers.
set(POINTTREE_FUZZED_ARITHMETIC -O2 -fno-sanitize-coverage=trace-cmp)
add_subdirectory(src/geometry)
target_compile_options(pointtree_geometry PRIVATE ${POINTTREE_FUZZED_ARITHMETIC})
add_subdirectory(test/fuzz)
