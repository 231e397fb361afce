# SPDX-License-Identifier: BSD-3-Clause
# What finds an installed startune, find_package and module files, and what brings it to other machines.
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

# `cpack -G TGZ` in the build folder makes an archive that runs wherever it is unpacked.
set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "MPI communication that tunes itself")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
string(TOLOWER "startune-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}" CPACK_PACKAGE_FILE_NAME)
set(CPACK_STRIP_FILES TRUE)
set(CPACK_SOURCE_IGNORE_FILES /[.]git/ ${CMAKE_BINARY_DIR})
include(CPack)
