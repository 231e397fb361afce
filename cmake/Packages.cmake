# SPDX-License-Identifier: BSD-3-Clause
# What finds an installed startune: find_package.
include(CMakePackageConfigHelpers)
set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/startune)
configure_package_config_file(cmake/startuneConfig.cmake.in ${CMAKE_BINARY_DIR}/startuneConfig.cmake INSTALL_DESTINATION ${folder})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/startuneConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(EXPORT startuneTargets NAMESPACE startune:: DESTINATION ${folder})
install(FILES ${CMAKE_BINARY_DIR}/startuneConfig.cmake ${CMAKE_BINARY_DIR}/startuneConfigVersion.cmake DESTINATION ${folder})
