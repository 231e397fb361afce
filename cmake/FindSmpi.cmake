# SPDX-License-Identifier: BSD-3-Clause
# Finds SimGrid's SMPI, an MPI whose ranks and network are simulated, as the imported target mpi::smpi, and sets
# STARTUNE_SMPI. STARTUNE_SMPICC and STARTUNE_SMPIRUN name its compiler wrapper and its launcher where they are not found.
set(STARTUNE_SIMGRID auto CACHE STRING "build for SimGrid's SMPI too, for tests on simulated networks: auto, on or off")
set_property(CACHE STARTUNE_SIMGRID PROPERTY STRINGS auto on off)
set(STARTUNE_SMPI FALSE)
if(STARTUNE_SIMGRID STREQUAL "auto" OR STARTUNE_SIMGRID)
    find_program(STARTUNE_SMPICC NAMES smpicc)
    find_program(STARTUNE_SMPIRUN NAMES smpirun)
    if(STARTUNE_SMPICC AND STARTUNE_SMPIRUN)
        startune_import_mpi(smpi ${STARTUNE_SMPICC})
        set(STARTUNE_SMPI TRUE)
    elseif(NOT STARTUNE_SIMGRID STREQUAL "auto")
        message(FATAL_ERROR "SimGrid's smpicc and smpirun not found: install them (Debian: libsimgrid-dev), "
                            "or set STARTUNE_SMPICC and STARTUNE_SMPIRUN")
    endif()
endif()
