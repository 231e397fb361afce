/* SPDX-License-Identifier: BSD-3-Clause */
#include "place/guess.h"
#include "algorithms/method.h"
#include "plan/plan.h"

#include <stddef.h>

/* The bytes where methods change, and the methods up to there and above: roughly as MPICH and Open MPI have
 * them. Operations that are not here send each block straight to whom it is for, which their callers know. */
static const struct {
    int64_t most;
    const char *brief, *lengthy;
} likely[STAR_OPERATIONS] = {
    [STAR_ALLTOALL] = {256, "alltoall:bruck", "alltoall:simple"},
    [STAR_ALLGATHER] = {4096, "allgather:bruck", "allgather:ring"},
    [STAR_ALLGATHERV] = {4096, "allgather:bruck", "allgather:ring"},
    [STAR_ALLREDUCE] = {8192, "allreduce:rdb", "allreduce:ring"},
    [STAR_BCAST] = {16384, "bcast:binomial", "bcast:scatter_ring_allgather"},
    [STAR_REDUCE] = {0, NULL, "reduce:binomial"},
    [STAR_REDUCE_SCATTER_BLOCK] = {65536, "reduce_scatter_block:halving", "reduce_scatter_block:pairwise"},
    [STAR_REDUCE_SCATTER] = {65536, "reduce_scatter_block:halving", "reduce_scatter_block:pairwise"},
    [STAR_GATHER] = {6144, "gather:knomial", "gather:linear"},
    [STAR_SCATTER] = {6144, "scatter:knomial", "scatter:linear"},
    [STAR_SCAN] = {0, NULL, "scan:recursive_doubling"},
    [STAR_EXSCAN] = {0, NULL, "exscan:recursive_doubling"},
    [STAR_BARRIER] = {0, NULL, "barrier:dissemination"},
};

static int plan_of(const char *method, const struct star_shape *shape, struct star_plan **plan)
{
    struct star_method parsed;
    *plan = NULL;
    int error = star_method_parse(method, &parsed, NULL);
    return error ? error : star_method_plan(&parsed, shape, INT64_MAX, plan, NULL);
}

int star_guess_sends(const struct star_guess *guess,
                     void (*send)(int peer, int64_t bytes, int64_t messages, void *into), void *into)
{
    struct star_plan *plan = NULL;
    struct star_shape shape = star_shape_of(guess->size, guess->block);
    bool brief = likely[guess->operation].brief != NULL && guess->block <= likely[guess->operation].most;
    if (likely[guess->operation].lengthy == NULL || guess->size < 2 ||
        (guess->block == 0 && guess->operation != STAR_BARRIER))
        return 0;
    shape.rank = guess->rank;
    shape.root = guess->root;
    int error = brief ? plan_of(likely[guess->operation].brief, &shape, &plan) : STAR_ENEEDS;
    if (error == STAR_ENEEDS) /* the brief one may work for some numbers of ranks only */
        error = plan_of(likely[guess->operation].lengthy, &shape, &plan);
    if (error)
        return error == STAR_EMEMORY ? error : 0;
    for (int i = 0; i < plan->count; i++)
        if (plan->steps[i].kind == STAR_STEP_SEND)
            send(plan->steps[i].peer, plan->steps[i].length, 1, into);
    star_plan_free(plan);
    return 0;
}
