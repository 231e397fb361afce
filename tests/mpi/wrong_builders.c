/* SPDX-License-Identifier: BSD-3-Clause
 * Builders that are wrong on purpose: the simulator and the comparison with native must both catch each of
 * them, on 5 ranks; and neither finds fault with the right one. */
#include "trial.h"

#include <stdio.h>
#include <stdlib.h>

enum slip {
    RIGHT,
    NEXT_BLOCK,
    WRONG_PLACE,
    NOT_OWN,
    BEHIND,
    IN_SENDBUF,
    SHORT,
    SWAPPED,
    UNWRITTEN_TEMP,
    SLIPS
};
static const char *const slips[] = {"none",
                                    "sends the next rank's block",
                                    "puts a block into the wrong place",
                                    "leaves out its own block",
                                    "writes behind the receive buffer",
                                    "receives into the send buffer",
                                    "moves a byte too few",
                                    "swaps two blocks at the end",
                                    "sends a temporary never written"};

/* Ring, with one slip. */
static void build(struct star_builder *b, const struct star_shape *shape, const int64_t *knob)
{
    int size = shape->size, me = shape->rank;
    int64_t n = shape->block, moved = *knob == SHORT ? n - 1 : n;
    if (*knob != NOT_OWN)
        star_build_copy(b, star_at(STAR_RECVBUF, me * n), star_at(STAR_SENDBUF, me * n), n);
    struct star_place temp = star_build_temp(b, n);
    for (int i = 1; i < size; i++) {
        int from = (me - i + size) % size, to = (me + i) % size;
        struct star_place in = star_at(STAR_RECVBUF, from * n), out = star_at(STAR_SENDBUF, to * n);
        if (i == 2 && *knob == NEXT_BLOCK)
            out.offset = (to + 1) % size * n;
        if (i == 2 && *knob == WRONG_PLACE)
            in.offset = (from + 1) % size * n;
        if (*knob == BEHIND && from == size - 1)
            in.offset += 1;
        if (*knob == IN_SENDBUF && i == 1)
            in = star_at(STAR_SENDBUF, from * n);
        if (*knob == UNWRITTEN_TEMP && i == size - 1)
            out = temp;
        star_build_round(b);
        star_build_recv(b, from, in, moved);
        star_build_send(b, to, out, moved);
    }
    if (*knob == SWAPPED) {
        star_build_round(b);
        star_build_copy(b, temp, star_at(STAR_RECVBUF, 0), n);
        star_build_copy(b, star_at(STAR_RECVBUF, 0), star_at(STAR_RECVBUF, n), n);
        star_build_copy(b, star_at(STAR_RECVBUF, n), temp, n);
    }
}

static const struct star_algorithm slipping = {.operation = STAR_ALLTOALL,
                                               .name = "slipping",
                                               .optimises = "nothing",
                                               .knobs = {{.name = "slip", .most = SLIPS}},
                                               .build = build};

/* How many of the ranks see that the method's result is wrong. */
static int seen_by_comparison(struct ground *ground, const struct star_method *method, bool in_place)
{
    const struct trial trial = {.name = "bytes",
                                .send = {layout_byte, layout_byte},
                                .recv = {layout_byte, layout_byte},
                                .bytes = 24,
                                .in_place = in_place};
    struct scene scene;
    int seen = 0, all;
    scene_open(&scene, &trial, ground);
    seen += scene_run(&scene, method, method->knob[0] == RIGHT) != 0;
    scene_close(&scene);
    PMPI_Allreduce(&seen, &all, 1, MPI_INT, MPI_SUM, ground->comm);
    return all;
}

int main(int argc, char **argv)
{
    struct ground ground;
    int failures = 0;
    MPI_Init(&argc, &argv);
    star_settings_preset(&star_runtime.settings);
    ground_open(&ground, MPI_COMM_WORLD);
    for (int slip = RIGHT; slip < SLIPS; slip++) {
        struct star_method method = {.algorithm = &slipping, .knob = {slip}};
        struct star_why why = {""};
        bool proven = star_method_prove(&method, ground.state.size, 24, NULL, &why) == 0;
        int seen = seen_by_comparison(&ground, &method, false);
        bool good = slip == RIGHT ? proven && seen == 0 : !proven && seen > 0;
        failures += !good;
        if (ground.state.rank == 0)
            printf("%s: a ring that %s (%d): simulator: %s; comparison: %d ranks see it\n",
                   good ? "ok" : "FAILED", slip == RIGHT ? "has no slip" : slips[slip], slip,
                   proven ? "nothing found" : why.text, seen);
    }
    ground_close(&ground);
    PMPI_Finalize();
    return failures != 0;
}
