/* SPDX-License-Identifier: BSD-3-Clause
 * What the programs in the manner of ADCL's tests have around them. */
#ifndef TESTS_ADCL_PROGRAM_H
#define TESTS_ADCL_PROGRAM_H

#include "ADCL.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank, size, errors;

static void check(int good, const char *what)
{
    if (!good && errors++ < 10)
        printf("rank %d: %s\n", rank, what);
}

/* Ended by a NULL name. */
struct program {
    const char *name;
    void (*run)(void);
};

/* Runs the one that the first word names; rank 0 says "right: NAME". The exit status. */
static int run_program(int argc, char **argv, const struct program *program)
{
    int all, found = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    ADCL_Init();
    for (; argc > 1 && program->name != NULL; program++)
        if (strcmp(argv[1], program->name) == 0) {
            program->run();
            found = 1;
        }
    ADCL_Finalize();
    MPI_Allreduce(&errors, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0 && found && all == 0)
        printf("right: %s\n", argv[1]);
    MPI_Finalize();
    return !found || all > 0;
}

#endif
