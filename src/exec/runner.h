/* SPDX-License-Identifier: BSD-3-Clause
 * Runners: plans with all that they need to run. */
#pragma once

#include "exec/temporary.h"

/* Where a step's message lies for datatypes of a given layout: from the buffer's base, in elements or, where
 * it ends inside of one, in packed bytes. */
struct star_spot {
    int64_t from_base, count;
    bool packed;
    bool parted; /* it lies in several pieces */
};

/* What spots depend on. */
struct star_layout {
    int64_t size[STAR_BUFFERS], extent[STAR_BUFFERS], gap[STAR_BUFFERS], cell[STAR_BUFFERS];
    bool dense[STAR_BUFFERS];
};

/* A plan with all that it needs to run, so that running allocates nothing; but for temporaries of types whose
 * elements have gaps, and for staging blocks of different lengths, which grow when a call needs more. */
struct star_runner {
    struct star_plan *plan; /* owned */
    char *temp;
    MPI_Request *requests;
    MPI_Status *statuses;
    struct star_spot *spots; /* of each step, for LAYOUT: the last call's */
    struct star_layout layout;
    bool uses[STAR_BUFFERS];
    bool plain;          /* it hands over by shared memory alone */
    bool waits_for_each; /* as the MPI library's dialect has it */
    int64_t recv_bytes;  /* of the receive buffer that the plan fills, from its start */
    char *staged;        /* as many, where messages cannot be received in the program's datatype */
    char *cut;           /* the send buffer packed, CUT_BYTES, where messages are cut inside of elements */
    int64_t cut_bytes;
    int64_t *starts;        /* in units: where each block of a page or a staged buffer begins, in elements */
    struct star_room parts; /* of what becomes one message of a type of ours */
    struct star_room lent;  /* elements with gaps that come packed from shared memory */
    struct star_room shown[STAR_SHARED];  /* what others read of a buffer with gaps, packed */
    struct star_room got;                 /* what this rank reads for one */
    struct star_room grown, grown_staged; /* temporary and staged buffer of a size that only the call tells */
    size_t bytes;                         /* of all that does not grow */
};

/* Bytes of the receive buffer that the plan fills, or that it touches at all, from its start. */
int64_t star_receive_bytes(const struct star_plan *plan, bool filled);
/* Bytes of the send buffer that messages of the plan are cut from, from its start: what `cut` has. */
int64_t star_cut_bytes(const struct star_plan *plan);
/* Takes the plan, also when it fails: NULL when out of memory. */
struct star_runner *star_runner_new(struct star_plan *plan);
void star_runner_free(struct star_runner *runner);
size_t star_runner_bytes(const struct star_runner *runner);
/* Gives back what has grown with calls. */
void star_runner_rest(struct star_runner *runner);
