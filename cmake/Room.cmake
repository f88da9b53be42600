# pointtree_add_room(<room> SOURCES <file>... [PUBLIC <target>...] [PRIVATE <target>...])
# A room is the library pointtree_<room>, known to everyone as pointtree::<room>.
function(pointtree_add_room room)
  cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  set(target pointtree_${room})
  add_library(${target} ${ARG_SOURCES})
  add_library(pointtree::${room} ALIAS ${target})
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_compile_features(${target} PUBLIC cxx_std_17)
  target_link_libraries(${target} PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE} $<BUILD_INTERFACE:pointtree_warnings>)
  set_target_properties(${target} PROPERTIES
    EXPORT_NAME ${room}
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}
    INSTALL_RPATH "$ORIGIN;${LibTorch_RPATH}")
  set_property(GLOBAL APPEND PROPERTY POINTTREE_ROOMS ${target})
endfunction()
