# SPDX-License-Identifier: Apache-2.0
# pointtree_add_module(<module> SOURCES <file>... [PUBLIC <target>...] [PRIVATE <target>...])
# A module is the library pointtree_<module>, known to everyone as pointtree::<module>. Public headers stand in
# include/pointtree/<module>; other modules of this project may include the rest as "<module>/<header>.hpp".
function(pointtree_add_module module)
  cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  set(target pointtree_${module})
  add_library(${target} ${ARG_SOURCES})
  add_library(pointtree::${module} ALIAS ${target})
  target_include_directories(${target}
    PUBLIC
      $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_compile_features(${target} PUBLIC cxx_std_17)
  target_link_libraries(${target} PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE} $<BUILD_INTERFACE:pointtree_warnings>)
  set_target_properties(${target} PROPERTIES
    EXPORT_NAME ${module}
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}
    INSTALL_RPATH "$ORIGIN")
  set_property(GLOBAL APPEND PROPERTY POINTTREE_MODULES ${target})
endfunction()
