/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/permute.h"
#include "exec/native.h"
#include "exec/own.h"
#include "runtime/agree.h"
#include "runtime/session.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { INTS_OF_EDGE = sizeof(struct star_edge) / sizeof(int) };

bool star_gathering_open(struct star_gathering *gathering, int size)
{
    gathering->counts = calloc((size_t)size, sizeof *gathering->counts);
    gathering->places = calloc((size_t)size, sizeof *gathering->places);
    return gathering->counts != NULL && gathering->places != NULL;
}

void star_gathering_close(struct star_gathering *gathering)
{
    free(gathering->counts);
    free(gathering->places);
    free(gathering->all);
}

/* Each rank's edges behind those of the rank before. */
static bool make_room(struct star_gathering *gathering, int size, size_t most)
{
    size_t ints = 0;
    for (int r = 0; r < size; r++) {
        gathering->places[r] = (int)ints;
        ints += (size_t)gathering->counts[r];
        if (ints > most * INTS_OF_EDGE || ints > INT_MAX)
            return false;
    }
    gathering->total = ints / INTS_OF_EDGE;
    gathering->all = malloc((gathering->total + 1) * sizeof *gathering->all);
    return gathering->all != NULL;
}

bool star_gather_edges(MPI_Comm comm, const struct star_edge *mine, size_t count, size_t most, int64_t *told,
                       struct star_gathering *gathering)
{
    int rank, size, own = (int)count * INTS_OF_EDGE;
    int64_t goes = 0;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    star_own(true);
    bool gathered =
        star_native.Gather(&own, 1, MPI_INT, gathering->counts, 1, MPI_INT, 0, comm) == MPI_SUCCESS;
    bool room = gathered && rank == 0 && make_room(gathering, size, most);
    for (int r = 0; rank == 0 && r < size; r++)
        told[r] = room;
    if (star_agree_share(comm, 0, told, &goes) && goes != 0) {
        star_own(true);
        gathered = star_native.Gatherv(mine, own, MPI_INT, gathering->all, gathering->counts,
                                       gathering->places, MPI_INT, 0, comm) == MPI_SUCCESS;
    }
    star_own(false);
    return gathered && goes != 0;
}

/* Errors in here must not reach the program's handler: what fails on one rank leaves the order as it is. */
bool star_permute(MPI_Comm comm, int rank, MPI_Comm *permuted)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    bool same, able = PMPI_Comm_get_errhandler(comm, &handler) == MPI_SUCCESS;
    *permuted = MPI_COMM_NULL;
    able = PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN) == MPI_SUCCESS && able;
    int error = star_native.Comm_split(comm, rank >= 0 ? 0 : MPI_UNDEFINED, rank, permuted);
    if (error == MPI_SUCCESS && able && *permuted != MPI_COMM_NULL)
        error = PMPI_Comm_set_errhandler(*permuted, handler);
    able = star_agree(comm, able && error == MPI_SUCCESS, 0, &same);
    if (handler != MPI_ERRHANDLER_NULL) {
        PMPI_Comm_set_errhandler(comm, handler);
        PMPI_Errhandler_free(&handler);
    }
    if (!able && *permuted != MPI_COMM_NULL)
        star_native.Comm_free(permuted);
    return able;
}

void star_permute_end(MPI_Comm comm)
{
    bool same;
    if (star_runtime.threads)
        star_agree(comm, true, 0, &same);
}

/* What stands for the weights. */
enum weights { LISTED, UNWEIGHTED, EMPTY, NOTHING };

static enum weights kind_of(const int *weights)
{
    return weights == MPI_UNWEIGHTED      ? UNWEIGHTED
           : weights == MPI_WEIGHTS_EMPTY ? EMPTY
           : weights == NULL              ? NOTHING
                                          : LISTED;
}

/* One way of a process's edges, as it is told of. */
struct way {
    int count, kind;
};

static size_t ints_of(const struct way *ways)
{
    size_t ints = 0;
    for (int i = 0; i < 2; i++)
        ints += (size_t)ways[i].count * (ways[i].kind == LISTED ? 2 : 1);
    return ints;
}

static int *copy(int *to, const int *from, int count)
{
    if (count > 0)
        memcpy(to, from, (size_t)count * sizeof *to);
    return to + count;
}

static void pack(const struct star_adjacent *mine, const struct way *ways, int *to)
{
    to = copy(to, mine->source, ways[0].count);
    if (ways[0].kind == LISTED)
        to = copy(to, mine->source_weight, ways[0].count);
    to = copy(to, mine->destination, ways[1].count);
    if (ways[1].kind == LISTED)
        copy(to, mine->destination_weight, ways[1].count);
}

/* AT: the weights, if they are listed; moves behind them. */
static const int *weights_of(const struct way *way, const int **at)
{
    const int *const words[] = {
        [LISTED] = *at, [UNWEIGHTED] = MPI_UNWEIGHTED, [EMPTY] = MPI_WEIGHTS_EMPTY, [NOTHING] = NULL};
    *at += way->kind == LISTED ? way->count : 0;
    return words[way->kind];
}

static void unpack(const int *at, const struct way *ways, struct star_adjacent *theirs)
{
    *theirs = (struct star_adjacent){.sources = ways[0].count, .destinations = ways[1].count};
    theirs->source = at;
    at += ways[0].count;
    theirs->source_weight = weights_of(&ways[0], &at);
    theirs->destination = at;
    at += ways[1].count;
    theirs->destination_weight = weights_of(&ways[1], &at);
}

/* The process of rank OWN plays what this process was given, and is found by that rank; whoever has what this
 * one plays sends it. */
bool star_permute_adjacent(MPI_Comm permuted, int own, const struct star_adjacent *mine,
                           struct star_adjacent *theirs, int **memory)
{
    enum { WAYS, LISTS };
    const struct way given[2] = {{mine->sources, (int)kind_of(mine->source_weight)},
                                 {mine->destinations, (int)kind_of(mine->destination_weight)}};
    struct way taken[2] = {{0, UNWEIGHTED}, {0, UNWEIGHTED}};
    MPI_Status status;
    bool same;
    star_own(true);
    int error = PMPI_Sendrecv(given, 4, MPI_INT, own, WAYS, taken, 4, MPI_INT, MPI_ANY_SOURCE, WAYS, permuted,
                              &status);
    size_t sent = ints_of(given), received = error ? 0 : ints_of(taken);
    int *lists = malloc((sent + received + 1) * sizeof *lists);
    bool able = !error && lists != NULL && sent <= INT_MAX && received <= INT_MAX;
    star_own(false);
    able = star_agree(permuted, able, 0, &same);
    if (able) {
        pack(mine, given, lists + received);
        star_own(true);
        able = PMPI_Sendrecv(lists + received, (int)sent, MPI_INT, own, LISTS, lists, (int)received, MPI_INT,
                             status.MPI_SOURCE, LISTS, permuted, &status) == MPI_SUCCESS;
        star_own(false);
        unpack(lists, taken, theirs);
    }
    *memory = lists;
    return able;
}
