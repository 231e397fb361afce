/* SPDX-License-Identifier: BSD-3-Clause
 * The MPI functions that startune takes over: straight into the runtime, or straight to the MPI library.
 *
 * Each is defined under both of its names. A program in C calls MPI_X; Fortran bindings call MPI_X or PMPI_X,
 * each MPI library its own way, with handles and sentinels that are C's already; and a profiling tool that
 * stands in front of startune calls PMPI_X. Whichever it is, it comes here once: startune itself, and what
 * the MPI library calls inside, go to the library (plan/native.h). */
#include "interpose/serve.h"
#include "patterns/forced.h"

#define STAR_BOTH_NAMES(name)                                                                                \
    STAR_EXPORT __typeof__(PMPI_##name) MPI_##name __attribute__((alias("PMPI_" #name)));

#define STAR_FUNCTION(name, parameters, arguments, which, ...)                                               \
    STAR_EXPORT int PMPI_##name parameters STAR_SERVE(star_active, !star_is_internal(caller), name,          \
                                                      arguments, which, __VA_ARGS__) STAR_BOTH_NAMES(name)
#include "plan/functions.def"
#undef STAR_FUNCTION

STAR_EXPORT int PMPI_Init(int *argc, char ***argv)
{
    star_prepare();
    int error = star_native.Init(argc, argv);
    if (error == MPI_SUCCESS)
        star_start(star_forced_split);
    return error;
}
STAR_BOTH_NAMES(Init)

STAR_EXPORT int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    star_prepare();
    int error = star_native.Init_thread(argc, argv, required, provided);
    if (error == MPI_SUCCESS)
        star_start(star_forced_split);
    return error;
}
STAR_BOTH_NAMES(Init_thread)

STAR_EXPORT int PMPI_Finalize(void)
{
    star_finish();
    return star_native.Finalize();
}
STAR_BOTH_NAMES(Finalize)

STAR_EXPORT int PMPI_Pcontrol(const int level, ...)
{
    star_pause(level == 0);
    return star_native.Pcontrol(level);
}
STAR_BOTH_NAMES(Pcontrol)
