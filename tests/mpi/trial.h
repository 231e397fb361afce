/* SPDX-License-Identifier: BSD-3-Clause
 * One alltoall of one kind, run with any method, and compared byte by byte with what must be in memory
 * afterwards: the data, the gaps, and what lies in front of and behind the buffers. */
#ifndef TESTS_TRIAL_H
#define TESTS_TRIAL_H

#include "layouts.h"
#include "runtime/runtime.h"

struct trial {
    const char *name;
    layout_maker *send[2], *recv[2]; /* of even and odd ranks */
    int64_t bytes;                   /* of each block, by the signature */
    bool in_place, absolute;         /* MPI_IN_PLACE, MPI_BOTTOM */
};

/* A communicator to run trials on. */
struct ground {
    MPI_Comm comm;
    struct star_communicator state;
};
void ground_open(struct ground *ground, MPI_Comm comm);
void ground_close(struct ground *ground);

struct buffer {
    char *region, *start; /* what the program gives to MPI lies at START, amid guard bytes */
    char *before, *after; /* the whole region as it must be before and after */
    int64_t length;
};

struct scene {
    const struct trial *trial;
    struct ground *ground;
    struct layout send, recv;
    struct buffer sent, received;
};
void scene_open(struct scene *scene, const struct trial *trial, struct ground *ground);
void scene_close(struct scene *scene);

/* Runs the trial, with a method or natively; 0, or what is wrong, printed to standard error where LOUD.
 * Collective. */
enum { SCENE_WRONG = 1, SCENE_FAILED }; /* wrong memory; an MPI error on this rank */
int scene_run(struct scene *scene, const struct star_method *method, bool loud);
int scene_run_native(struct scene *scene, bool loud);

#endif
