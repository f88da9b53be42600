# Decides where ROS 2 comes from and sets
#   POINTTREE_ROS_SOURCE    wheels, or empty where there is none or POINTTREE_ROS is OFF
#   POINTTREE_ROS_MESSAGES  what those link who fill and read messages
#   POINTTREE_ROS_RCL       what those link who send and receive them
#   POINTTREE_ROS_LIBRARIES the messages' own libraries, to be installed
set(POINTTREE_ROS_SOURCE "")
if(POINTTREE_ROS STREQUAL "OFF")
  return()
endif()
find_package(RosBase QUIET)
if(RosBase_FOUND)
  set(POINTTREE_ROS_SOURCE wheels)
  include(WheelMessages)
  set(POINTTREE_ROS_MESSAGES $<BUILD_INTERFACE:pointtree_message_headers>)
  set(POINTTREE_ROS_RCL pointtree_messages)
  set(POINTTREE_ROS_LIBRARIES ${message_libraries})
elseif(POINTTREE_ROS STREQUAL "ON")
  message(FATAL_ERROR "POINTTREE_ROS is ON, but ROS 2's base is not in ${POINTTREE_VENV}; ./tools/setup installs it")
else()
  message(STATUS "No ROS 2 in ${POINTTREE_VENV}: the nodes are not built")
endif()
