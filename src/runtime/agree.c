/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/agree.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool star_agree(MPI_Comm comm, bool ok, uint64_t sites, bool *same)
{
    /* The minimum of x and of ~x: equal on all ranks where the one is the complement of the other. */
    uint64_t mine[3] = {ok, sites, ~sites}, all[3];
    if (PMPI_Allreduce(mine, all, 3, MPI_UINT64_T, MPI_MIN, comm) != MPI_SUCCESS) {
        *same = true;
        return false;
    }
    *same = all[1] == ~all[2];
    return all[0] != 0;
}

void star_agree_tuner(MPI_Comm comm, int rank, int size, struct star_tuner *tuner,
                      struct star_decision *decision)
{
    size_t sums = star_tuner_sums(tuner), maxima = star_tuner_maxima(tuner);
    double *mine = star_tuner_scratch(tuner), *all = mine + sums + maxima;
    memset(decision, 0, sizeof *decision); /* a decision that is none */
    star_tuner_figures(tuner, mine, mine + sums);
    int error = PMPI_Reduce(mine, all, (int)sums, MPI_DOUBLE, MPI_SUM, 0, comm);
    if (!error)
        error = PMPI_Reduce(mine + sums, all + sums, (int)maxima, MPI_DOUBLE, MPI_MAX, 0, comm);
    if (!error && rank == 0)
        star_tuner_decide(tuner, all, all + sums, size, decision);
    if (!error)
        error = PMPI_Bcast(decision, (int)sizeof *decision, MPI_BYTE, 0, comm);
    if (!error)
        star_tuner_apply(tuner, decision);
}

int star_agree_settings(struct star_settings *settings, bool *usable)
{
    struct star_settings own = *settings;
    int own_usable = *usable, differs = 0, differing = 0;
    if (PMPI_Bcast(settings, (int)sizeof *settings, MPI_BYTE, 0, MPI_COMM_WORLD) ||
        PMPI_Bcast(&own_usable, 1, MPI_INT, 0, MPI_COMM_WORLD)) {
        *usable = false;
        return 0;
    }
    differs = memcmp(&own, settings, sizeof own) != 0;
    if (PMPI_Reduce(&differs, &differing, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD))
        own_usable = false;
    *usable = own_usable;
    return differing;
}

void star_agree_gather(struct star_text *text)
{
    int rank, size, length = text->failed || text->length > INT_MAX ? 0 : (int)text->length;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    int *lengths = NULL, *places = NULL;
    char *all = NULL;
    int64_t total = 0;
    if (rank == 0) {
        lengths = calloc((size_t)size, sizeof *lengths);
        places = calloc((size_t)size, sizeof *places);
    }
    int fits = rank != 0 || (lengths && places);
    PMPI_Bcast(&fits, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (fits)
        PMPI_Gather(&length, 1, MPI_INT, lengths, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (fits && rank == 0) {
        for (int i = 0; i < size; i++) {
            places[i] = (int)total;
            total += lengths[i];
            if (total > INT_MAX) /* what does not fit is left out */
                total -= lengths[i], lengths[i] = 0;
        }
        all = malloc((size_t)total + 1);
        fits = all != NULL;
    }
    PMPI_Bcast(&fits, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (fits) {
        /* A rank whose text is left out must send nothing. */
        PMPI_Scatter(lengths, 1, MPI_INT, &length, 1, MPI_INT, 0, MPI_COMM_WORLD);
        PMPI_Gatherv(text->bytes, length, MPI_CHAR, all, lengths, places, MPI_CHAR, 0, MPI_COMM_WORLD);
    }
    if (rank == 0) {
        star_text_free(text);
        if (fits)
            star_text_append(text, all, (size_t)total);
    }
    free(lengths);
    free(places);
    free(all);
}

/* Errors in here must not reach the program's handler: what fails on one rank leaves the communicator native
 * on all. */
int star_agree_private(MPI_Comm comm, bool ok, uint64_t sites, bool *agreed, bool *same, MPI_Comm *made)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Group group = MPI_GROUP_NULL;
    bool same_still;
    *made = MPI_COMM_NULL;
    ok = PMPI_Comm_get_errhandler(comm, &handler) == MPI_SUCCESS && ok;
    ok = PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN) == MPI_SUCCESS && ok;
    ok = PMPI_Comm_group(comm, &group) == MPI_SUCCESS && ok;
    *agreed = star_agree(comm, ok, sites, same);
    if (*agreed) {
        int error = PMPI_Comm_create(comm, group, made);
        if (!error && *made != MPI_COMM_NULL)
            error = PMPI_Comm_set_errhandler(*made, MPI_ERRORS_RETURN);
        ok = star_agree(comm, !error && *made != MPI_COMM_NULL, 0, &same_still);
        if (!ok && *made != MPI_COMM_NULL)
            PMPI_Comm_free(made);
    }
    if (group != MPI_GROUP_NULL)
        PMPI_Group_free(&group);
    if (handler != MPI_ERRHANDLER_NULL) {
        PMPI_Comm_set_errhandler(comm, handler);
        PMPI_Errhandler_free(&handler);
    }
    return *made == MPI_COMM_NULL ? MPI_ERR_COMM : MPI_SUCCESS;
}
