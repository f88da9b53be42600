# SPDX-License-Identifier: Apache-2.0
# Tests on a whole ROS 2. They use the package as it is installed, so `colcon build` comes before `colcon test`.
find_package(rmw_cyclonedds_cpp QUIET)
find_package(launch_testing_ament_cmake QUIET)

set(folder ${CMAKE_CURRENT_LIST_DIR})
set(prefix ${CMAKE_INSTALL_PREFIX})
set(program ${prefix}/${CMAKE_INSTALL_BINDIR}/pointtree)
# What sourcing the installation would add to the environment at hand.
set(environment
  "AMENT_PREFIX_PATH=${prefix}:$ENV{AMENT_PREFIX_PATH}"
  "LD_LIBRARY_PATH=${prefix}/lib:${prefix}/${CMAKE_INSTALL_LIBDIR}:$ENV{LD_LIBRARY_PATH}"
  "PYTHONPATH=${prefix}/${PYTHON_INSTALL_DIR}:$ENV{PYTHONPATH}"
  "CYCLONEDDS_URI=file://${CMAKE_CURRENT_SOURCE_DIR}/cyclonedds_loopback.xml"
  "FASTDDS_DEFAULT_PROFILES_FILE=${CMAKE_CURRENT_SOURCE_DIR}/fastdds_loopback.xml"
  "ROS_LOG_DIR=${PROJECT_BINARY_DIR}/ros_log"
  "POINTTREE_PROGRAM=${program}")
if(rmw_cyclonedds_cpp_FOUND)
  list(APPEND environment "RMW_IMPLEMENTATION=rmw_cyclonedds_cpp")
endif()

# pointtree_add_ros_pytest(<name> <first domain> <file.py>... [variables])
function(pointtree_add_ros_pytest name domain)
  cmake_parse_arguments(ARG "" "" "VARIABLES" ${ARGN})
  pointtree_add_pytest(${name} ${ARG_UNPARSED_ARGUMENTS} TIMEOUT 900 PYTHON ${Python3_EXECUTABLE})
  set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT ${environment} "POINTTREE_FIRST_DOMAIN=${domain}" ${ARG_VARIABLES})
endfunction()

# What the standalone node must pass too; where that is built from PyPI's ROS 2, there are the same tests.
pointtree_add_ros_pytest(ros_component_node 20 node_test.py VARIABLES "POINTTREE_NODE=${prefix}/lib/pointtree/pointtree_node")
pointtree_add_ros_pytest(ros_program 60 program_test.py component/package_test.py)
pointtree_add_ros_pytest(ros_container 70 component/container_test.py)
pointtree_add_ros_pytest(ros_bag_play 80 component/bag_play_test.py component/evaluate_test.py)
pointtree_add_ros_pytest(ros_soak 85 component/soak_test.py)
pointtree_add_ros_pytest(ros_launch_faults 1 component/launch_faults_test.py component/rviz_test.py VARIABLES "POINTTREE_NODE=${prefix}/lib/pointtree/pointtree_node")

pointtree_add_test(ros_composition
  SOURCES ${folder}/composition_test.cpp
  LINK pointtree::component)
if(tf2_ros_FOUND)
  target_sources(test_ros_composition PRIVATE ${folder}/transforms_test.cpp)
  target_link_libraries(test_ros_composition PRIVATE tf2_ros::tf2_ros)
endif()
set_tests_properties(ros_composition PROPERTIES ENVIRONMENT
  "${environment};ROS_DOMAIN_ID=90;POINTTREE_BUILD=${PROJECT_BINARY_DIR}")

if(launch_testing_ament_cmake_FOUND)
  set(domain 91)
  foreach(test launch_file launch_defaults launch_into_container launch_large_clouds)
    add_launch_test(${folder}/${test}_launch_test.py TARGET ros_${test} TIMEOUT 180
      ENV ${environment} "ROS_DOMAIN_ID=${domain}" "POINTTREE_BUILD=${PROJECT_BINARY_DIR}"
        "PYTHONPATH=${CMAKE_CURRENT_SOURCE_DIR}:${folder}:${prefix}/${PYTHON_INSTALL_DIR}:$ENV{PYTHONPATH}")
    math(EXPR domain "${domain} + 1")
  endforeach()
endif()

if(TARGET pointtree_rosbag2)
  pointtree_add_test(ros_bag_readers SOURCES ${folder}/bag_readers_test.cpp
    LINK pointtree::io rosbag2_cpp::rosbag2_cpp rosbag2_compression::rosbag2_compression)
  set_tests_properties(ros_bag_readers PROPERTIES ENVIRONMENT "${environment}")
endif()
