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
set(STARTUNE_PREFIX "@CMAKE_INSTALL_PREFIX@") # is known when it is installed: `cmake --install --prefix` may say another
configure_file(cmake/modulefile.lua.in ${CMAKE_BINARY_DIR}/modulefiles/${PROJECT_VERSION}.lua @ONLY)
configure_file(cmake/modulefile.tcl.in ${CMAKE_BINARY_DIR}/modulefiles/${PROJECT_VERSION} @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/modulefiles/${PROJECT_VERSION}.lua ${CMAKE_BINARY_DIR}/modulefiles/${PROJECT_VERSION} DESTINATION ${folder})
install(CODE "
    get_filename_component(CMAKE_INSTALL_PREFIX \${CMAKE_INSTALL_PREFIX} ABSOLUTE)
    get_filename_component(folder ${folder} ABSOLUTE BASE_DIR \${CMAKE_INSTALL_PREFIX})
    if(CMAKE_INSTALL_PREFIX MATCHES _CPack_Packages) # nobody knows where an archive will be
        set(CMAKE_INSTALL_PREFIX \"${CMAKE_INSTALL_PREFIX}\")
    endif()
    foreach(end IN ITEMS \"\" .lua)
        set(file \$ENV{DESTDIR}\${folder}/${PROJECT_VERSION}\${end})
        configure_file(\${file} \${file}.new @ONLY)
        file(RENAME \${file}.new \${file})
    endforeach()")

# `cpack -G TGZ` in the build folder makes an archive that runs wherever it is unpacked.
set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "MPI communication that tunes itself")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
string(TOLOWER "startune-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}" CPACK_PACKAGE_FILE_NAME)
set(CPACK_STRIP_FILES TRUE)
set(CPACK_SOURCE_IGNORE_FILES /[.]git/ ${CMAKE_BINARY_DIR})
include(CPack)
