# SPDX-License-Identifier: Apache-2.0
# What every target of this project shares: language level, warnings, output folders.
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
option(BUILD_SHARED_LIBS "Build the modules as shared libraries" ON)

# Without a build type nothing is optimised, and an unoptimised tree is useless on a robot.
get_property(is_multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(NOT is_multi_config AND NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()

add_library(pointtree_warnings INTERFACE)
target_compile_options(pointtree_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual>)

set(POINTTREE_VENV "$ENV{POINTTREE_VENV}" CACHE PATH "Virtual environment with the packages from PyPI")
if(NOT POINTTREE_VENV)
  set(POINTTREE_VENV "${PROJECT_SOURCE_DIR}/.venv")
endif()

set(POINTTREE_SANITIZE "" CACHE STRING "Sanitizer to build with: address, undefined, thread or address,undefined")
if(POINTTREE_SANITIZE)
  add_compile_options(-fsanitize=${POINTTREE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all -O1 -g1)
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
  add_link_options(-fsanitize=${POINTTREE_SANITIZE})
endif()
option(POINTTREE_COVERAGE "Count executed lines" OFF)
if(POINTTREE_COVERAGE)
  add_compile_options(--coverage -O1)
  add_link_options(--coverage)
endif()
