# SPDX-License-Identifier: Apache-2.0
# Installs modules, program and shared files, and exports pointtree::<module> for find_package(pointtree).
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_DATADIR}/pointtree/cmake)
configure_file(cmake/pointtree-extras.cmake.in ${PROJECT_BINARY_DIR}/pointtree-extras.cmake @ONLY)

# Where the modules come from an installation, all of this is there already.
if(NOT POINTTREE_MODULES_FROM)
  get_property(modules GLOBAL PROPERTY POINTTREE_MODULES)
  list(REMOVE_ITEM modules pointtree_ros)
  install(TARGETS ${modules} EXPORT pointtreeTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT pointtreeTargets NAMESPACE pointtree:: DESTINATION ${package_dir})
  install(DIRECTORY include/pointtree DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  set_target_properties(pointtree_cli PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR};${LibTorch_RPATH}")
  install(TARGETS pointtree_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  # `ros2 run pointtree pointtree` looks for programs here.
  install(CODE "
    set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/pointtree\")
    file(MAKE_DIRECTORY \${folder})
    file(CREATE_LINK ../../${CMAKE_INSTALL_BINDIR}/pointtree \${folder}/pointtree SYMBOLIC)")
  install(DIRECTORY launch config rviz models DESTINATION ${CMAKE_INSTALL_DATADIR}/pointtree)
  install(FILES cmake/FindLibTorch.cmake DESTINATION ${package_dir})
endif()

# The part with ROS is a component of its own, so that an installation can get it from another build.
if(TARGET pointtree_ros)
  set(targets pointtree_ros)
  if(TARGET pointtree_component)
    list(APPEND targets pointtree_component)
  endif()
  install(TARGETS ${targets} EXPORT pointtreeRosTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ros
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ros)
  install(EXPORT pointtreeRosTargets NAMESPACE pointtree:: DESTINATION ${package_dir} COMPONENT ros)
endif()

if(POINTTREE_ROS_SOURCE STREQUAL "ament")
  rclcpp_components_register_nodes(pointtree_component "pointtree::PointTreeNode")
  ament_export_dependencies(rosidl_default_runtime ${POINTTREE_ROS_PACKAGES})
  ament_package(CONFIG_EXTRAS_POST ${PROJECT_BINARY_DIR}/pointtree-extras.cmake)
else()
  configure_package_config_file(cmake/pointtreeConfig.cmake.in ${PROJECT_BINARY_DIR}/pointtreeConfig.cmake
    INSTALL_DESTINATION ${package_dir})
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/pointtreeConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
  install(FILES
    ${PROJECT_BINARY_DIR}/pointtreeConfig.cmake
    ${PROJECT_BINARY_DIR}/pointtreeConfigVersion.cmake
    ${PROJECT_BINARY_DIR}/pointtree-extras.cmake
    DESTINATION ${package_dir})
  install(FILES package.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/pointtree)
endif()
