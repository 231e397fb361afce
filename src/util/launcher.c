/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/launcher.h"

#include <stddef.h>
#include <stdlib.h>

const char *star_launched_rank(void)
{
    static const char *const variables[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"};
    const char *rank = NULL;
    for (size_t i = 0; rank == NULL && i < sizeof variables / sizeof *variables; i++)
        rank = getenv(variables[i]);
    return rank;
}
