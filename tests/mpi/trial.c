/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "scene.h"

#include <stdio.h>
#include <string.h>

static const enum family families[STAR_OPERATIONS] = {
    [STAR_ALLTOALL] = EXCHANGE,
    [STAR_ALLTOALLV] = EXCHANGE,
    [STAR_ALLTOALLW] = EXCHANGE,
    [STAR_ALLGATHER] = GATHER,
    [STAR_ALLGATHERV] = GATHER,
    [STAR_GATHER] = GATHER,
    [STAR_GATHERV] = GATHER,
    [STAR_SCATTER] = SCATTER,
    [STAR_SCATTERV] = SCATTER,
    [STAR_BCAST] = BCAST,
    [STAR_ALLREDUCE] = VECTOR,
    [STAR_REDUCE] = VECTOR,
    [STAR_SCAN] = VECTOR,
    [STAR_EXSCAN] = VECTOR,
    [STAR_REDUCE_SCATTER] = PORTIONS,
    [STAR_REDUCE_SCATTER_BLOCK] = PORTIONS,
    [STAR_BARRIER] = BARRIER,
};

bool trial_is(const struct trial *trial, enum family family)
{
    return families[trial->operation] == family;
}

bool trial_is_reduction(const struct trial *trial)
{
    return trial_is(trial, VECTOR) || trial_is(trial, PORTIONS);
}

bool trial_has_counts(const struct trial *trial)
{
    return star_operations[trial->operation].units;
}

bool trial_is_rooted(const struct trial *trial)
{
    return star_operations[trial->operation].rooted;
}

bool trial_is_root(const struct trial *trial, int rank)
{
    return !trial_is_rooted(trial) || rank == trial->root;
}

bool trial_says_in_place(const struct trial *trial, int rank)
{
    return trial->in_place == IN_PLACE_SOMEWHERE ? rank % 3 == 1
                                                 : trial->in_place == IN_PLACE && trial_is_root(trial, rank);
}

bool trial_is_overlapping(const struct trial *trial)
{
    return trial->kind && strcmp(trial->kind->name, "overlapping") == 0;
}

bool trial_may_differ_in_place(const struct trial *trial)
{
    return trial->operation == STAR_REDUCE_SCATTER || trial->operation == STAR_SCAN ||
           trial->operation == STAR_EXSCAN;
}

bool trial_is_legal(const struct trial *trial, int size)
{
    enum star_operation operation = trial->operation;
    bool barrier = operation == STAR_BARRIER;
    if (trial->root < 0 || trial->root >= size || (!trial_is_rooted(trial) && trial->root > 0) ||
        trial->environment < 0 || trial->environment >= TRIAL_ENVIRONMENTS)
        return false;
    if (trial_is_reduction(trial) ? !trial->reduction || trial->kind
                                  : trial->reduction || !trial->kind != barrier)
        return false;
    if (barrier && (trial->in_place || trial->absolute || trial->large || trial->units))
        return false;
    if ((trial_is(trial, BCAST) || trial->operation == STAR_ALLTOALLW) && trial->in_place)
        return false; /* both MPI libraries have faults in alltoallw in place, which stays theirs */
    if (trial->in_place == IN_PLACE_SOMEWHERE && !trial_may_differ_in_place(trial))
        return false;
    if (trial->absolute && trial_is_reduction(trial))
        return false;
    if (!trial_has_counts(trial) && trial->counts > 0)
        return false;
#if MPI_VERSION < 4
    if (trial->large)
        return false;
#endif
    return !(trial_is_overlapping(trial) && trial_is(trial, SCATTER)); /* a scatter reads no location twice */
}

int64_t trial_bytes(const struct trial *trial)
{
    if (trial->reduction)
        return trial->units * reduction_size(trial->reduction);
    return trial->kind ? trial->units * trial->kind->unit : 0;
}

/* How many times the unit the block is long that FROM has for TO. */
static int64_t weight(const struct trial *trial, int from, int to)
{
    int low = from < to ? from : to, high = from < to ? to : from;
    if (!trial_has_counts(trial))
        return 1;
    if (trial->in_place && trial_is(trial, EXCHANGE))
        from = low, to = high; /* as long both ways */
    if (trial->counts == 0)
        return (from + 2 * to + 1) % 4;
    if (trial->counts % 5 == 4) /* one has nearly all */
        return (from + to) % 7 == trial->counts % 7 ? 9 : from == to;
    return (int64_t)(mix(mix((uint64_t)trial->counts, from), to) % 4);
}

int64_t trial_block_bytes(const struct trial *trial, int from, int to)
{
    return trial_bytes(trial) * weight(trial, from, to);
}

int64_t trial_bytes_before(const struct trial *trial, int rank)
{
    int64_t bytes = 0;
    for (int k = 0; k < rank; k++)
        bytes += trial_block_bytes(trial, k, 0);
    return bytes;
}

int64_t trial_vector_bytes(const struct trial *trial, int size)
{
    return trial_is(trial, PORTIONS) ? trial_bytes_before(trial, size) : trial_bytes(trial);
}

/* As text. */

const char *trial_format(const struct trial *trial, const char *method, int size, char *text)
{
    const char *types = trial->kind ? trial->kind->name : "none";
    const char *reduction = trial->reduction ? trial->reduction->name : "none";
    snprintf(text, TRIAL_TEXT,
             "%s ranks=%d types=%s operator=%s units=%lld root=%d in-place=%d counts=%d placement=%d "
             "bottom=%d large=%d environment=%d",
             method, size, types, reduction, (long long)trial->units, trial->root, (int)trial->in_place,
             trial->counts, trial->placement, trial->absolute, trial->large, trial->environment);
    return text;
}

int trial_parse(const char *text, struct trial *trial, struct star_method *method, int *size)
{
    char name[STAR_METHOD_TEXT], types[32], reduction[32];
    long long units;
    int in_place, absolute, large;
    *trial = (struct trial){.units = 0};
    if (sscanf(
            text,
            "%127s ranks=%d types=%31s operator=%31s units=%lld root=%d in-place=%d counts=%d placement=%d "
            "bottom=%d large=%d environment=%d",
            name, size, types, reduction, &units, &trial->root, &in_place, &trial->counts, &trial->placement,
            &absolute, &large, &trial->environment) != 12 ||
        star_method_parse(name, method, NULL) != 0)
        return -1;
    trial->operation = method->algorithm->operation;
    trial->kind = kind_named(types);
    trial->reduction = reduction_named(reduction);
    trial->units = units;
    trial->in_place = in_place;
    trial->absolute = absolute;
    trial->large = large;
    return trial_is_legal(trial, *size) ? 0 : -1;
}
