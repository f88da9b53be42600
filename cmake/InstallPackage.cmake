# Installs rooms, program and shared files, and exports pointtree::<room> for find_package(pointtree).
include(CMakePackageConfigHelpers)
get_property(rooms GLOBAL PROPERTY POINTTREE_ROOMS)
install(TARGETS ${rooms} EXPORT pointtreeTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/pointtree DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
set_target_properties(pointtree_cli PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR};${LibTorch_RPATH}")
install(TARGETS pointtree_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# `ros2 run pointtree pointtree` looks for programs here.
install(CODE "
  set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/pointtree\")
  file(MAKE_DIRECTORY \${folder})
  file(CREATE_LINK ../../${CMAKE_INSTALL_BINDIR}/pointtree \${folder}/pointtree SYMBOLIC)")
install(DIRECTORY launch config rviz models DESTINATION ${CMAKE_INSTALL_DATADIR}/pointtree)
install(FILES package.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/pointtree)

set(package_dir ${CMAKE_INSTALL_DATADIR}/pointtree/cmake)
install(EXPORT pointtreeTargets NAMESPACE pointtree:: DESTINATION ${package_dir})
configure_package_config_file(cmake/pointtreeConfig.cmake.in ${PROJECT_BINARY_DIR}/pointtreeConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/pointtreeConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/pointtreeConfig.cmake
  ${PROJECT_BINARY_DIR}/pointtreeConfigVersion.cmake
  cmake/FindLibTorch.cmake
  DESTINATION ${package_dir})
