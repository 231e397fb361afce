/* SPDX-License-Identifier: BSD-3-Clause */
#include "dialect/launcher.h"

#include <stdlib.h>
#include <string.h>

static const struct star_launcher launchers[] = {
    /* Open MPI's mpirun */
    {.rank = "OMPI_COMM_WORLD_RANK",
     .here = "OMPI_COMM_WORLD_LOCAL_SIZE",
     .job = "PMIX_NAMESPACE",
     .programs = "OMPI_NUM_APP_CTX",
     .command = "OMPI_COMMAND",
     .words = "OMPI_ARGV",
     .signs = {"OMPI_COMM_WORLD_SIZE"},
     .mpi = &star_open_mpi},
    /* MPICH's Hydra */
    {.rank = "PMI_RANK",
     .here = "MPI_LOCALNRANKS",
     .proxy = "hydra_pmi_proxy",
     .signs = {"PMI_RANK", "HYDI_CONTROL_FD"},
     .mpi = &star_mpich},
    /* PRRTE, and others that speak PMIx */
    {.rank = "PMIX_RANK", .job = "PMIX_NAMESPACE", .signs = {"PMIX_RANK"}, .mpi = &star_open_mpi},
    /* Slurm's srun */
    {.rank = "SLURM_PROCID"},
};

const struct star_launcher *star_launcher_at(size_t n)
{
    return n < sizeof launchers / sizeof *launchers ? &launchers[n] : NULL;
}

static const char *value_of(const char *variable)
{
    return variable ? getenv(variable) : NULL;
}

const char *star_launched_rank(void)
{
    const struct star_launcher *launcher;
    const char *rank = NULL;
    for (size_t i = 0; rank == NULL && (launcher = star_launcher_at(i)) != NULL; i++)
        rank = value_of(launcher->rank);
    return rank;
}

int star_launched_here(void)
{
    const struct star_launcher *launcher;
    const char *ranks = NULL;
    for (size_t i = 0; ranks == NULL && (launcher = star_launcher_at(i)) != NULL; i++)
        ranks = value_of(launcher->here);
    return ranks ? atoi(ranks) : 0;
}

/* Is LINE the words of ARGV, with blanks between them? */
static bool is_line_of(const char *line, char *const *argv)
{
    for (; *argv != NULL; argv++) {
        size_t length = strlen(*argv);
        if (strncmp(line, *argv, length) != 0 || line[length] != (argv[1] != NULL ? ' ' : 0))
            return false;
        line += length + (argv[1] != NULL);
    }
    return *line == 0;
}

const char *star_launched_alike(char *const *argv)
{
    const struct star_launcher *launcher;
    for (size_t i = 0; (launcher = star_launcher_at(i)) != NULL; i++) {
        const char *job = value_of(launcher->job), *programs = value_of(launcher->programs),
                   *command = value_of(launcher->command), *words = value_of(launcher->words);
        if (job != NULL && programs != NULL && command != NULL && words != NULL)
            return strcmp(programs, "1") == 0 && strcmp(basename(command), basename(argv[0])) == 0 &&
                           is_line_of(words, argv + 1)
                       ? job
                       : NULL;
    }
    return NULL;
}

bool star_launched_in(const char *job)
{
    const struct star_launcher *launcher;
    for (size_t i = 0; job != NULL && (launcher = star_launcher_at(i)) != NULL; i++) {
        const char *own = value_of(launcher->job);
        if (own != NULL && strcmp(own, job) == 0)
            return true;
    }
    return false;
}

const struct star_dialect *star_launched_mpi(void)
{
    const struct star_launcher *launcher;
    for (size_t i = 0; (launcher = star_launcher_at(i)) != NULL; i++)
        for (const char *const *sign = launcher->signs; *sign != NULL; sign++)
            if (getenv(*sign) != NULL)
                return launcher->mpi;
    return NULL;
}
