/* SPDX-License-Identifier: BSD-3-Clause
 * For tests only, preloaded: from MPI_Init on the program has the floating-point environment that FPENV says,
 * in environment.h's words. It must still have it in MPI_Finalize. */
#include "environment.h"

#include <dlfcn.h>
#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

typedef int init(int *argc, char ***argv);
typedef int init_thread(int *argc, char ***argv, int required, int *provided);
typedef int finalize(void);
EXPORT init MPI_Init, PMPI_Init;
EXPORT init_thread MPI_Init_thread, PMPI_Init_thread;
EXPORT finalize MPI_Finalize, PMPI_Finalize;

static struct environment chosen;

static void *next(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL)
        abort();
    return found;
}

static void choose(void)
{
    const char *words = getenv("FPENV");
    chosen = environment_of(words ? words : "");
    environment_set(&chosen);
}

int PMPI_Init(int *argc, char ***argv)
{
    init *real;
    *(void **)&real = next("PMPI_Init");
    int error = real(argc, argv);
    choose();
    return error;
}

int MPI_Init(int *argc, char ***argv)
{
    return PMPI_Init(argc, argv);
}

int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    init_thread *real;
    *(void **)&real = next("PMPI_Init_thread");
    int error = real(argc, argv, required, provided);
    choose();
    return error;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    return PMPI_Init_thread(argc, argv, required, provided);
}

/* MPICH's own end is inexact. */
static bool is_mpich(void)
{
    return dlopen("libmpich.so.12", RTLD_LAZY | RTLD_NOLOAD) != NULL;
}

int PMPI_Finalize(void)
{
    finalize *real;
    *(void **)&real = next("PMPI_Finalize");
    if (!environment_is(&chosen))
        fprintf(stderr, "FAILED: the floating-point environment has changed\n");
    if (is_mpich())
        fedisableexcept(FE_INEXACT);
    int error = real();
    feenableexcept(chosen.traps);
    return error;
}

int MPI_Finalize(void)
{
    return PMPI_Finalize();
}
