# SPDX-License-Identifier: Apache-2.0
# Builds the messages in msg/ with the generators of ROS 2's wheels:
#   pointtree_message_headers  the structs, for those who only fill and read them
#   pointtree_messages         also type support, for those who send and receive them
#   pointtree_messages_python  the Python module `pointtree.msg` in <build>/ros_messages/python
# Libraries have the names that ROS 2 loads them by: libpointtree__rosidl_<kind>.so.
set(generated "${PROJECT_BINARY_DIR}/ros_messages")
file(GLOB messages CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/msg/*.msg")
set(kinds generator_c typesupport_c typesupport_cpp typesupport_fastrtps_c typesupport_fastrtps_cpp
  typesupport_introspection_c typesupport_introspection_cpp)
foreach(message ${messages})
  get_filename_component(name "${message}" NAME_WE)
  string(REGEX REPLACE "([a-z0-9])([A-Z])" "\\1_\\2" name "${name}")
  string(TOLOWER "${name}" name)
  list(APPEND headers "${generated}/generator_cpp/pointtree/msg/${name}.hpp")
  foreach(file functions description type_support)
    list(APPEND generator_c_sources "${generated}/generator_c/pointtree/msg/detail/${name}__${file}.c")
  endforeach()
  foreach(file
      typesupport_c/pointtree/msg/${name}__type_support.cpp
      typesupport_cpp/pointtree/msg/${name}__type_support.cpp
      typesupport_fastrtps_c/pointtree/msg/detail/${name}__type_support_c.cpp
      typesupport_fastrtps_cpp/pointtree/msg/detail/dds_fastrtps/${name}__type_support.cpp
      typesupport_introspection_c/pointtree/msg/detail/${name}__type_support.c
      typesupport_introspection_cpp/pointtree/msg/detail/${name}__type_support.cpp)
    string(REGEX MATCH "^[^/]+" kind "${file}")
    list(APPEND ${kind}_sources "${generated}/${file}")
  endforeach()
  list(APPEND python_sources "${generated}/python/pointtree/msg/_${name}_s.c")
endforeach()
list(APPEND python_sources "${generated}/python/pointtree/_pointtree_s.ep.rosidl_typesupport_c.c")

foreach(kind ${kinds})
  list(APPEND outputs ${${kind}_sources})
endforeach()
add_custom_command(
  OUTPUT ${headers} ${outputs} ${python_sources}
  COMMAND ${CMAKE_COMMAND} -E env "AMENT_PREFIX_PATH=${RosBase_PREFIX}" "PYTHONDONTWRITEBYTECODE=1"
    "${RosBase_PYTHON}" "${PROJECT_SOURCE_DIR}/cmake/generate_messages.py"
    pointtree "${PROJECT_SOURCE_DIR}" "${generated}" "${RosBase_PREFIX}"
  DEPENDS ${messages} "${PROJECT_SOURCE_DIR}/cmake/generate_messages.py"
  COMMENT "Generating the ROS 2 messages"
  VERBATIM)
add_custom_target(pointtree_message_sources DEPENDS ${headers} ${outputs} ${python_sources})

add_library(pointtree_message_headers INTERFACE)
add_dependencies(pointtree_message_headers pointtree_message_sources)
foreach(folder generator_c generator_cpp typesupport_fastrtps_c typesupport_fastrtps_cpp typesupport_introspection_c
    typesupport_introspection_cpp)
  target_include_directories(pointtree_message_headers SYSTEM INTERFACE "${generated}/${folder}")
endforeach()
target_link_libraries(pointtree_message_headers INTERFACE RosBase::messages)

set(message_libraries)
foreach(kind ${kinds})
  set(library pointtree__rosidl_${kind})
  add_library(${library} SHARED ${${kind}_sources})
  target_link_libraries(${library} PUBLIC pointtree_message_headers RosBase::rcl ${message_libraries})
  set_target_properties(${library} PROPERTIES BUILD_RPATH "${RosBase_RPATH}" INSTALL_RPATH "$ORIGIN;${RosBase_RPATH}")
  list(APPEND message_libraries ${library})
endforeach()
add_library(pointtree_messages INTERFACE)
target_link_libraries(pointtree_messages INTERFACE ${message_libraries})

add_library(pointtree_messages_python MODULE ${python_sources})
add_dependencies(pointtree_messages_python pointtree_message_sources)
target_link_libraries(pointtree_messages_python PRIVATE ${message_libraries} Python3::Module Python3::NumPy
  "${RosBase_PREFIX}/lib/libstd_msgs__rosidl_generator_py.so"
  "${RosBase_PREFIX}/lib/libgeometry_msgs__rosidl_generator_py.so")
set_target_properties(pointtree_messages_python PROPERTIES
  PREFIX "" SUFFIX ".${Python3_SOABI}.so" OUTPUT_NAME pointtree_s__rosidl_typesupport_c
  LIBRARY_OUTPUT_DIRECTORY "${generated}/python/pointtree"
  BUILD_RPATH "${PROJECT_BINARY_DIR}/lib;${RosBase_RPATH}")
