# SPDX-License-Identifier: BSD-3-Clause
# What makes a mistake in startune's binaries harder to use for an attack, where the compiler and the linker know it:
# guarded stacks, checked copies, jumps to beginnings of functions alone, tables of addresses that are read-only from the
# start on, no executable stack, commands at random addresses. STARTUNE_HARDENING lists what is on, for the tests.
# Sanitizers find more, and are in the way of some of it: with them it is left out.
include(CheckCCompilerFlag)
include(CheckLinkerFlag)
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)
set(STARTUNE_HARDENING "")

function(startune_harden_compiling name flag)
    check_c_compiler_flag(${flag} STARTUNE_HAS_${name})
    if(STARTUNE_HAS_${name})
        target_compile_options(startune-flags INTERFACE ${flag})
        set(STARTUNE_HARDENING ${STARTUNE_HARDENING} ${name} PARENT_SCOPE)
    endif()
endfunction()

function(startune_harden_linking name flag)
    check_linker_flag(C "LINKER:${flag}" STARTUNE_HAS_${name})
    if(STARTUNE_HAS_${name})
        target_link_options(startune-flags INTERFACE "LINKER:${flag}")
        set(STARTUNE_HARDENING ${STARTUNE_HARDENING} ${name} PARENT_SCOPE)
    endif()
endfunction()

if(NOT "${CMAKE_C_FLAGS} ${CMAKE_EXE_LINKER_FLAGS}" MATCHES "-fsanitize")
    startune_harden_compiling(STACK -fstack-protector-strong)
    if(STARTUNE_HAS_STACK)
        # Where a program's calls come in, nothing is on the stack that could run over, and each call would pay for a guard.
        set_source_files_properties(src/interpose/mpi.c src/interpose/api.c PROPERTIES COMPILE_OPTIONS -fno-stack-protector)
    endif()
    startune_harden_compiling(CLASH -fstack-clash-protection)
    startune_harden_compiling(BRANCH -fcf-protection)
    startune_harden_linking(RELRO -z,relro)
    startune_harden_linking(NOW -z,now)
    startune_harden_linking(NOEXECSTACK -z,noexecstack)
    if(CMAKE_C_LINK_PIE_SUPPORTED)
        list(APPEND STARTUNE_HARDENING PIE)
    endif()
    # glibc's checks need an optimizing compiler; who builds may have asked for another level.
    set(optimizes $<OR:$<CONFIG:Release>,$<CONFIG:RelWithDebInfo>,$<CONFIG:MinSizeRel>>)
    if(NOT "$ENV{CPPFLAGS} ${CMAKE_C_FLAGS}" MATCHES "_FORTIFY_SOURCE")
        target_compile_options(startune-flags INTERFACE $<${optimizes}:-U_FORTIFY_SOURCE> $<${optimizes}:-D_FORTIFY_SOURCE=2>)
        if(CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo|MinSizeRel)$")
            list(APPEND STARTUNE_HARDENING FORTIFY)
        endif()
    endif()
endif()
string(JOIN " " STARTUNE_HARDENING ${STARTUNE_HARDENING})
message(STATUS "Hardening: ${STARTUNE_HARDENING}")
