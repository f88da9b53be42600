# SPDX-License-Identifier: Apache-2.0
# Builds the messages in msg/ with a sourced ROS 2's generators, and finds what the nodes need of it; sets also
#   POINTTREE_ROS_PACKAGES  what those need who link the nodes

# Humble's generators ask for Python by an older name, and would take any that the path has.
if(Python3_EXECUTABLE AND NOT DEFINED PYTHON_EXECUTABLE)
  set(PYTHON_EXECUTABLE ${Python3_EXECUTABLE})
endif()

set(POINTTREE_ROS_PACKAGES std_msgs geometry_msgs sensor_msgs visualization_msgs diagnostic_msgs std_srvs rcl_interfaces
  rosgraph_msgs rcl rclcpp rclcpp_components)
foreach(package rosidl_default_generators ${POINTTREE_ROS_PACKAGES})
  find_package(${package} REQUIRED)
endforeach()
# Used where found.
foreach(package vision_msgs autoware_perception_msgs tf2_ros rosbag2_cpp rosbag2_compression)
  find_package(${package} QUIET)
  if(NOT ${package}_FOUND)
    message(STATUS "ROS 2 without ${package}")
  endif()
endforeach()
foreach(package vision_msgs autoware_perception_msgs)
  if(${package}_FOUND)
    list(APPEND POINTTREE_ROS_PACKAGES ${package})
  endif()
endforeach()

rosidl_generate_interfaces(${PROJECT_NAME} msg/LabeledObject.msg msg/LabeledObjectArray.msg
  DEPENDENCIES std_msgs geometry_msgs)
rosidl_get_typesupport_target(own_messages ${PROJECT_NAME} rosidl_typesupport_cpp)
set(POINTTREE_ROS_MESSAGES ${own_messages} ${sensor_msgs_TARGETS} ${visualization_msgs_TARGETS} ${diagnostic_msgs_TARGETS}
  ${std_srvs_TARGETS} ${rcl_interfaces_TARGETS} ${vision_msgs_TARGETS} ${autoware_perception_msgs_TARGETS} rmw::rmw)
set(POINTTREE_ROS_RCL rcl::rcl ${rosgraph_msgs_TARGETS})
