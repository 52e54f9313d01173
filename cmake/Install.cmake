# cmake --install: the program, its plugins, the headers, and a CMake package with which a plugin is
# built out of tree (needs none of the host's libraries).
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/fenchel)
set(doc_dir ${CMAKE_INSTALL_DOCDIR})

install(TARGETS fenchel RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS ${plugin_targets} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/fenchel/plugins)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/framework/include/fenchel
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

install(TARGETS fenchel_sdk EXPORT fenchelTargets)
install(EXPORT fenchelTargets NAMESPACE fenchel:: DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/fenchelConfig.cmake.in
  ${PROJECT_BINARY_DIR}/fenchelConfig.cmake
  INSTALL_DESTINATION ${package_dir}
  PATH_VARS CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/fenchelConfigVersion.cmake
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES
  ${PROJECT_BINARY_DIR}/fenchelConfig.cmake
  ${PROJECT_BINARY_DIR}/fenchelConfigVersion.cmake
  ${CMAKE_CURRENT_LIST_DIR}/FenchelPlugin.cmake
  ${CMAKE_CURRENT_LIST_DIR}/plugin_exports.map
  DESTINATION ${package_dir})

foreach(page README.md CONTRIBUTING.md CHANGELOG.md LICENSE)
  install(FILES ${PROJECT_SOURCE_DIR}/${page} DESTINATION ${doc_dir} OPTIONAL)
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${doc_dir} FILES_MATCHING PATTERN "*.md")
