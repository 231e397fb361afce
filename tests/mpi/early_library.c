/* SPDX-License-Identifier: BSD-3-Clause
 * A library whose constructor calls MPI_Init, and whose destructor calls MPI_Finalize: the first runs before
 * constructors of what is preloaded. */
#include "early_library.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int failures;

static void use(int times)
{
    int rank, size, sum;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < times; i++) {
        int mine = rank + i;
        MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        failures += sum != size * (size - 1) / 2 + size * i;
    }
}

__attribute__((constructor)) static void begin(void)
{
    MPI_Init(NULL, NULL);
    use(100);
}

__attribute__((destructor)) static void end(void)
{
    use(2);
    MPI_Finalize();
    if (failures) {
        fprintf(stderr, "%d wrong results\n", failures);
        _Exit(1);
    }
}

int early_failures(void)
{
    return failures;
}
