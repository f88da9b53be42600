# SPDX-License-Identifier: Apache-2.0
# Finds ROS 2's base (rcl, messages, Fast DDS) among the wheels from PyPI in POINTTREE_VENV and defines
#   RosBase::messages  headers of the message packages and of what they need
#   RosBase::rcl       the C client library with the type support of those messages
#   RosBase_PYTHON     the interpreter that has the generators
#   RosBase_RPATH      folders with the libraries, for programs to find them
# The wheels' own CMake files carry paths of the machine that built them, so only headers and libraries are used here.
set(RosBase_PREFIX "${POINTTREE_VENV}")
set(RosBase_PYTHON "${RosBase_PREFIX}/bin/python")
find_path(RosBase_INCLUDE_DIR rcl/rcl.h PATHS "${RosBase_PREFIX}/include/rcl" NO_DEFAULT_PATH)
find_library(RosBase_RCL_LIBRARY rcl PATHS "${RosBase_PREFIX}/lib" NO_DEFAULT_PATH)
if(EXISTS "${RosBase_PYTHON}" AND NOT Python3_EXECUTABLE)
  set(Python3_EXECUTABLE "${RosBase_PYTHON}")
endif()
find_package(Python3 QUIET COMPONENTS Interpreter Development NumPy)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(RosBase
  REQUIRED_VARS RosBase_RCL_LIBRARY RosBase_INCLUDE_DIR Python3_Development_FOUND
  REASON_FAILURE_MESSAGE "its wheels are not in ${RosBase_PREFIX}, where ./tools/setup puts them")

if(RosBase_FOUND AND NOT TARGET RosBase::rcl)
  set(_messages builtin_interfaces std_msgs geometry_msgs sensor_msgs visualization_msgs diagnostic_msgs std_srvs
    rcl_interfaces rosgraph_msgs)
  file(GLOB _includes LIST_DIRECTORIES true "${RosBase_PREFIX}/include/*")
  list(FILTER _includes EXCLUDE REGEX "/(python[0-9.]*|fastdds|fastcdr|foonathan_memory)$")
  list(APPEND _includes "${RosBase_PREFIX}/include")
  add_library(RosBase::messages INTERFACE IMPORTED)
  target_include_directories(RosBase::messages SYSTEM INTERFACE ${_includes})

  file(GLOB RosBase_RPATH "${RosBase_PREFIX}/lib/python3*/site-packages/ros_*.libs")
  list(PREPEND RosBase_RPATH "${RosBase_PREFIX}/lib")
  set(_libraries "${RosBase_RCL_LIBRARY}")
  foreach(_library rcutils rcpputils rmw rmw_fastrtps_cpp rcl_yaml_param_parser rosidl_runtime_c fastcdr
      rosidl_typesupport_c rosidl_typesupport_cpp rosidl_typesupport_fastrtps_c rosidl_typesupport_fastrtps_cpp
      rosidl_typesupport_introspection_c rosidl_typesupport_introspection_cpp)
    list(APPEND _libraries "${RosBase_PREFIX}/lib/lib${_library}.so")
  endforeach()
  foreach(_package ${_messages})
    foreach(_kind generator_c typesupport_c typesupport_cpp typesupport_fastrtps_c typesupport_fastrtps_cpp
        typesupport_introspection_c typesupport_introspection_cpp)
      list(APPEND _libraries "${RosBase_PREFIX}/lib/lib${_package}__rosidl_${_kind}.so")
    endforeach()
  endforeach()
  add_library(RosBase::rcl INTERFACE IMPORTED)
  # The messages' libraries refer to Python's without naming it, and load their type support by name: the program's
  # own search path must serve its libraries too, which a RUNPATH does not.
  target_link_libraries(RosBase::rcl INTERFACE RosBase::messages
    -Wl,--no-as-needed ${_libraries} Python3::Python -Wl,--as-needed)
  target_link_options(RosBase::rcl INTERFACE "LINKER:--disable-new-dtags")
  foreach(_folder ${RosBase_RPATH})
    target_link_options(RosBase::rcl INTERFACE "LINKER:-rpath-link,${_folder}")
  endforeach()
endif()
mark_as_advanced(RosBase_INCLUDE_DIR RosBase_RCL_LIBRARY)
