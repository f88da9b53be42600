# The fuzz targets with libFuzzer and the address and undefined-behaviour sanitizers; nothing here needs LibTorch.
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "POINTTREE_FUZZ needs clang (CC=clang CXX=clang++), found ${CMAKE_CXX_COMPILER_ID}")
endif()
set(BUILD_SHARED_LIBS OFF)
add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -gline-tables-only -O1)
add_link_options(-fsanitize=address,undefined)
# Rooms are built only as far as a target asks for them.
add_subdirectory(src/geometry)
add_subdirectory(src/data)
add_subdirectory(test/fuzz)
