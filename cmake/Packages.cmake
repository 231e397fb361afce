# SPDX-License-Identifier: BSD-3-Clause
# What finds an installed startune: find_package and module files.
include(CMakePackageConfigHelpers)
set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/startune)
configure_package_config_file(cmake/startuneConfig.cmake.in ${CMAKE_BINARY_DIR}/startuneConfig.cmake INSTALL_DESTINATION ${folder})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/startuneConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(EXPORT startuneTargets NAMESPACE startune:: DESTINATION ${folder})
install(FILES ${CMAKE_BINARY_DIR}/startuneConfig.cmake ${CMAKE_BINARY_DIR}/startuneConfigVersion.cmake DESTINATION ${folder})

# Module files: `module use PREFIX/share/startune/modulefiles`, `module load startune`. Lmod takes the .lua.
set(folder ${CMAKE_INSTALL_DATADIR}/startune/modulefiles/startune)
configure_file(cmake/modulefile.lua.in ${CMAKE_BINARY_DIR}/modulefiles/${PROJECT_VERSION}.lua @ONLY)
configure_file(cmake/modulefile.tcl.in ${CMAKE_BINARY_DIR}/modulefiles/${PROJECT_VERSION} @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/modulefiles/${PROJECT_VERSION}.lua ${CMAKE_BINARY_DIR}/modulefiles/${PROJECT_VERSION} DESTINATION ${folder})
