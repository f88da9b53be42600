# SPDX-License-Identifier: Apache-2.0
# Decides where ROS 2 comes from, after POINTTREE_ROS:
#   AUTO    a sourced ROS 2 with rclcpp; where there is none, its base in the virtual environment; where neither, nothing
#   AMENT   the sourced one, WHEELS the one in the virtual environment, or an error
#   OFF     nothing
# and sets
#   POINTTREE_ROS_SOURCE    ament, wheels or empty
#   POINTTREE_ROS_MESSAGES  what those link who fill and read messages
#   POINTTREE_ROS_RCL       what those link who send and receive them
#   POINTTREE_ROS_LIBRARIES the messages' own libraries, where this project has to install them
set(POINTTREE_ROS_SOURCE "")
if(POINTTREE_ROS STREQUAL "OFF")
  return()
endif()
if(POINTTREE_ROS MATCHES "^(AUTO|AMENT)$")
  find_package(ament_cmake QUIET)
  find_package(rclcpp QUIET)
  if(ament_cmake_FOUND AND rclcpp_FOUND AND rclcpp_VERSION VERSION_GREATER_EQUAL 16)
    set(POINTTREE_ROS_SOURCE ament)
    include(AmentMessages)
  elseif(POINTTREE_ROS STREQUAL "AMENT")
    message(FATAL_ERROR "POINTTREE_ROS is AMENT, but no ROS 2 with rclcpp 16 or newer (Humble, Jazzy, ...) is sourced")
  endif()
endif()
if(NOT POINTTREE_ROS_SOURCE)
  find_package(RosBase QUIET)
  if(RosBase_FOUND)
    set(POINTTREE_ROS_SOURCE wheels)
    include(WheelMessages)
    set(POINTTREE_ROS_MESSAGES $<BUILD_INTERFACE:pointtree_message_headers>)
    set(POINTTREE_ROS_RCL pointtree_messages)
    set(POINTTREE_ROS_LIBRARIES ${message_libraries})
  elseif(POINTTREE_ROS STREQUAL "WHEELS")
    message(FATAL_ERROR "POINTTREE_ROS is WHEELS, but ROS 2's base is not in ${POINTTREE_VENV}; ./tools/setup installs it")
  else()
    message(STATUS "No ROS 2 sourced, and none in ${POINTTREE_VENV}: the nodes are not built")
  endif()
endif()
