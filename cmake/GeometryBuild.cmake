# SPDX-License-Identifier: Apache-2.0
# The geometry module and its tests, with Debian's sources of GoogleTest: nothing of the target's architecture is needed.
enable_testing()
include_directories(${PROJECT_SOURCE_DIR}/src)
add_subdirectory(src/geometry)
add_subdirectory(/usr/src/googletest googletest EXCLUDE_FROM_ALL)
foreach(library gtest gtest_main gmock gmock_main)
  if(NOT TARGET GTest::${library})
    add_library(GTest::${library} ALIAS ${library})
  endif()
endforeach()
include(ModuleTest)
add_subdirectory(test/geometry)
