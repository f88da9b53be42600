# SPDX-License-Identifier: Apache-2.0
# pointtree_use_fmt(<target>): links spdlog and makes the target see the fmt that spdlog was built with.
# LibTorch's wheel has another version of fmt among its headers, which must not come first.
find_package(fmt REQUIRED)
get_target_property(_fmt_include fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
set(POINTTREE_FMT_FOLDER "${PROJECT_BINARY_DIR}/system_fmt")
file(MAKE_DIRECTORY "${POINTTREE_FMT_FOLDER}")
file(CREATE_LINK "${_fmt_include}/fmt" "${POINTTREE_FMT_FOLDER}/fmt" SYMBOLIC)

function(pointtree_use_fmt target)
  target_include_directories(${target} SYSTEM BEFORE PRIVATE "${POINTTREE_FMT_FOLDER}")
  target_link_libraries(${target} PRIVATE spdlog::spdlog)
  # Rooms that only format don't load spdlog: ROS 2's wheels bring another version of it into the same process.
  target_link_options(${target} PRIVATE "LINKER:--as-needed")
endfunction()
