/* SPDX-License-Identifier: BSD-3-Clause
 * Builders that are wrong on purpose: the simulator and the comparison with the computed truth must both
 * catch each of them, on 5 ranks; and neither finds fault with the right ones. */
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "algorithms/prove.h"
#include "plan/build.h"
#include "plan/plan.h"
#include "trial.h"
#include "util/why.h"

#include <stdio.h>

enum { RIGHT };

/* All-to-all: a ring, with one slip. */
enum { NEXT_BLOCK = 1, WRONG_PLACE, NOT_OWN, BEHIND, IN_SENDBUF, SHORT, SWAPPED, UNWRITTEN_TEMP, RING_SLIPS };
static const char *const ring_slips[] = {"has no slip",
                                         "sends the next rank's block",
                                         "puts a block into the wrong place",
                                         "leaves out its own block",
                                         "writes behind the receive buffer",
                                         "receives into the send buffer",
                                         "moves a byte too few",
                                         "swaps two blocks at the end",
                                         "sends a temporary never written"};

static void ring(struct star_builder *b, const struct star_shape *shape)
{
    int size = shape->size, me = shape->rank;
    int64_t n = shape->block, moved = *shape->knob == SHORT ? n - 1 : n;
    if (*shape->knob != NOT_OWN)
        star_build_copy(b, star_at(STAR_RECVBUF, me * n), star_at(STAR_SENDBUF, me * n), n);
    struct star_place temp = star_at(STAR_SENDBUF, 0);
    if (*shape->knob == SWAPPED || *shape->knob == UNWRITTEN_TEMP)
        temp = star_build_temp(b, n);
    for (int i = 1; i < size; i++) {
        int from = (me - i + size) % size, to = (me + i) % size;
        struct star_place in = star_at(STAR_RECVBUF, from * n), out = star_at(STAR_SENDBUF, to * n);
        if (i == 2 && *shape->knob == NEXT_BLOCK)
            out.offset = (to + 1) % size * n;
        if (i == 2 && *shape->knob == WRONG_PLACE)
            in.offset = (from + 1) % size * n;
        if (*shape->knob == BEHIND && from == size - 1)
            in.offset += 1;
        if (*shape->knob == IN_SENDBUF && i == 1)
            in = star_at(STAR_SENDBUF, from * n);
        if (*shape->knob == UNWRITTEN_TEMP && i == size - 1)
            out = temp;
        star_build_round(b);
        star_build_recv(b, from, in, moved);
        star_build_send(b, to, out, moved);
    }
    if (*shape->knob == SWAPPED) {
        star_build_round(b);
        star_build_copy(b, temp, star_at(STAR_RECVBUF, 0), n);
        star_build_copy(b, star_at(STAR_RECVBUF, 0), star_at(STAR_RECVBUF, n), n);
        star_build_copy(b, star_at(STAR_RECVBUF, n), temp, n);
    }
}

/* Broadcast: a chain from the root, with one slip. */
enum { NOT_LAST = 1, FROM_THE_MIDDLE, HALF, CHAIN_SLIPS };
static const char *const chain_slips[] = {"has no slip", "leaves out the last rank",
                                          "starts at another rank than the root",
                                          "moves the first half only"};

static void chain(struct star_builder *b, const struct star_shape *shape)
{
    int size = shape->size, start = *shape->knob == FROM_THE_MIDDLE ? (shape->root + 2) % size : shape->root;
    int me = (shape->rank - start + size) % size, last = *shape->knob == NOT_LAST ? size - 2 : size - 1;
    int64_t moved = *shape->knob == HALF ? shape->block / 2 : shape->block;
    struct star_place vector = star_at(STAR_RECVBUF, 0);
    if (me > 0 && me <= last)
        star_build_recv(b, (shape->rank + size - 1) % size, vector, moved);
    star_build_round(b);
    if (me < last)
        star_build_send(b, (shape->rank + 1) % size, vector, moved);
}

/* Blocks of lengths of their own, to all at once. Those of ranks 0 and 4 are as long in this trial: so that
 * it ends. */
enum { OWN_MISSING = 1, EXCHANGED, MESH_SLIPS };
static const char *const mesh_slips[] = {"has no slip", "leaves out its own block", "exchanges two blocks"};

static void mesh(struct star_builder *b, const struct star_shape *shape)
{
    struct star_place own = star_at(STAR_SENDBUF, 0);
    for (int r = 0; r < shape->size; r++) {
        int place = *shape->knob == EXCHANGED && r % 4 == 0 ? 4 - r : r;
        if (r != shape->rank)
            star_build_recv(b, r, star_at(STAR_RECVBUF, place), 1);
        else if (*shape->knob != OWN_MISSING)
            star_build_copy(b, star_at(STAR_RECVBUF, place), own, 1);
    }
    for (int r = 0; r < shape->size; r++)
        if (r != shape->rank)
            star_build_send(b, r, own, 1);
}

/* Reduce: all vectors to the root, which reduces them from the last to the first, with one slip. */
enum { TWICE = 1, MISSING, TURNED, NOT_ADJACENT, LINEAR_SLIPS };
static const char *const linear_slips[] = {"has no slip", "reduces a rank twice", "leaves one out",
                                           "reduces in the wrong order", "swaps two ranks"};

static void linear(struct star_builder *b, const struct star_shape *shape)
{
    int64_t n = shape->block;
    int last = shape->size - 1;
    struct star_place vector = star_at(STAR_RECVBUF, 0);
    if (shape->rank != shape->root) {
        star_build_send(b, shape->root, star_at(STAR_SENDBUF, 0), n);
        return;
    }
    struct star_place all = star_build_temp(b, shape->size * n);
    star_build_copy(b, star_plus(all, shape->rank * n), star_at(STAR_SENDBUF, 0), n);
    for (int r = 0; r < shape->size; r++)
        if (r != shape->rank)
            star_build_recv(b, r, star_plus(all, r * n), n);
    star_build_round(b);
    star_build_copy(b, vector, star_plus(all, (*shape->knob == TURNED ? 0 : last) * n), n);
    for (int i = 1; i <= last; i++) {
        int from = *shape->knob == TURNED ? i : last - i;
        if (*shape->knob == MISSING && i == last)
            break;
        if (*shape->knob == TWICE && i == last)
            from = 1;
        if (*shape->knob == NOT_ADJACENT && (from == 1 || from == 2))
            from = 3 - from;
        star_build_reduce(b, vector, star_plus(all, from * n), n);
    }
}

#define WRONG(which, builder, slips, row)                                                                    \
    static const struct star_algorithm row = {.operation = which,                                            \
                                              .name = #builder,                                              \
                                              .optimises = "nothing",                                        \
                                              .in_order = true,                                              \
                                              .order = STAR_ORDER_NONE,                                      \
                                              .knobs = {{.name = "slip", .most = slips}},                    \
                                              .build = builder};
WRONG(STAR_ALLTOALL, ring, RING_SLIPS, ring_of_blocks)
WRONG(STAR_ALLGATHERV, mesh, MESH_SLIPS, mesh_of_units)
WRONG(STAR_BCAST, chain, CHAIN_SLIPS, chain_from_root)
WRONG(STAR_REDUCE, linear, LINEAR_SLIPS, linear_to_root)

static int failures;

/* How many of the ranks see that the method's result is wrong. */
static int seen_by_comparison(const struct trial *trial, struct ground *ground,
                              const struct star_method *method)
{
    struct scene scene;
    int seen, all;
    scene_open(&scene, trial, ground);
    seen = scene_run(&scene, method, method->knob[0] == RIGHT) != SCENE_RIGHT;
    scene_close(&scene);
    PMPI_Allreduce(&seen, &all, 1, MPI_INT, MPI_SUM, ground->comm);
    return all;
}

static void try_slip(const struct trial *trial, struct ground *ground, const struct star_algorithm *algorithm,
                     int slip, const char *what)
{
    struct star_method method = {.algorithm = algorithm, .knob = {slip}};
    struct star_why why = {""};
    struct star_shape shape = star_shape_of(ground->state.size, trial_bytes(trial));
    shape.root = trial->root;
    if (trial->reduction) {
        shape.granule = reduction_size(trial->reduction);
        shape.commutative = trial->reduction->commutative;
    }
    bool proven = star_method_prove(&method, &shape, false, NULL, &why) == 0;
    int seen = seen_by_comparison(trial, ground, &method);
    bool good = slip == RIGHT ? proven && seen == 0 : !proven && seen > 0;
    failures += !good;
    if (ground->state.rank == 0)
        printf("%s: %s: a %s that %s: simulator: %s; comparison: %d ranks see it\n", good ? "ok" : "FAILED",
               star_operations[trial->operation].name, algorithm->name, what,
               proven ? "nothing found" : why.text, seen);
}

int main(int argc, char **argv)
{
    struct ground ground;
    trial_start(&argc, &argv);
    ground_open(&ground, MPI_COMM_WORLD);
    const struct kind *bytes = kind_named("bytes");
    const struct trial exchange = {.operation = STAR_ALLTOALL, .kind = bytes, .units = 24};
    const struct trial uneven = {.operation = STAR_ALLGATHERV, .kind = bytes, .units = 24};
    const struct trial broadcast = {.operation = STAR_BCAST, .kind = bytes, .units = 24, .root = 1};
    struct trial reduce = {.operation = STAR_REDUCE, .units = 3, .root = 2};
    for (int slip = RIGHT; slip < RING_SLIPS; slip++)
        try_slip(&exchange, &ground, &ring_of_blocks, slip, ring_slips[slip]);
    for (int slip = RIGHT; slip < MESH_SLIPS; slip++)
        try_slip(&uneven, &ground, &mesh_of_units, slip, mesh_slips[slip]);
    for (int slip = RIGHT; slip < CHAIN_SLIPS; slip++)
        try_slip(&broadcast, &ground, &chain_from_root, slip, chain_slips[slip]);
    reduce.reduction = reduction_named("matrices");
    for (int slip = RIGHT; slip < LINEAR_SLIPS; slip++)
        try_slip(&reduce, &ground, &linear_to_root, slip, linear_slips[slip]);
    /* What is wrong whatever the operator. */
    reduce.reduction = reduction_named("sum");
    for (int slip = RIGHT; slip <= MISSING; slip++)
        try_slip(&reduce, &ground, &linear_to_root, slip, linear_slips[slip]);
    ground_close(&ground);
    trial_end();
    return failures != 0;
}
