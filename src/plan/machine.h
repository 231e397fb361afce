/* SPDX-License-Identifier: BSD-3-Clause
 * The machines that plans run on when they are simulated, one for each rank: what its buffers hold, byte by
 * byte, who owns each byte, and what a step may therefore read and write. */
#pragma once

#include "plan/expression.h"
#include "plan/simulate.h"
#include "util/scratch.h"

struct star_memory {
    star_symbol *bytes;
    uint16_t *readers; /* outstanding sends that own the byte */
    uint8_t *writer;   /* an outstanding receive owns the byte */
    int64_t length;
    bool borrowed; /* part of another buffer */
};

enum star_slot_state { STAR_SLOT_UNUSED, STAR_SLOT_POSTED, STAR_SLOT_MATCHED, STAR_SLOT_WAITED };

struct star_slot {
    const struct star_step *step;
    enum star_slot_state state;
    int32_t next;   /* in its queue; -1 at the end */
    uint64_t *told; /* of a barrier: who had come, as far as the sender knew */
};

struct star_machine {
    const struct star_plan *plan;
    struct star_memory memory[STAR_BUFFERS];
    struct star_slot *slots;
    int32_t at;
    bool covers;         /* the result may lie upon any of the input: in place, and in units */
    int entered, passed; /* barriers */
    uint64_t *come;      /* of a barrier: who has come, as far as this rank knows, … */
    uint64_t *posted;    /* … and as it knew at each of its posts */
    int32_t posts;       /* its count in shared memory */
    struct {
        int64_t from, end;
    } shown[STAR_BUFFERS]; /* what others may read of each buffer */
};

struct star_queue {
    int32_t first, last;
};

struct star_world {
    int size;
    const struct star_shape *shape;
    const struct star_expectation *expected;
    struct star_machine *ranks;
    struct star_queue *queues; /* unmatched: [kind][channel][source][destination] */
    struct star_expressions expressions;
    struct star_scratch scratch; /* of all but these */
    struct star_simulation result;
    struct star_why *why;
};

/* False when out of memory; to be freed all the same. */
bool star_world_make(struct star_world *world, const struct star_plan *const *plans, bool in_place);
void star_world_free(struct star_world *world);

/* STAR_EWRONG: what is wrong with the step. */
int star_machine_wrong(struct star_world *world, const struct star_machine *rank,
                       const struct star_step *step, const char *what);
/* 0, or STAR_EWRONG: may the step touch LENGTH bytes at OFFSET? VERB is what it does there. */
int star_machine_check_bounds(struct star_world *world, const struct star_machine *rank,
                              const struct star_step *step, const char *verb, int buffer, int64_t offset,
                              int64_t length);
int star_machine_check_read(struct star_world *world, struct star_machine *rank, const struct star_step *step,
                            int buffer, int64_t offset, int64_t length);
int star_machine_check_write(struct star_world *world, struct star_machine *rank,
                             const struct star_step *step, int buffer, int64_t offset, int64_t length);
/* In units: do blocks of the length of VALUES have room there? */
int star_machine_check_units(struct star_world *world, const struct star_machine *rank,
                             const struct star_step *step, int buffer, int64_t offset,
                             const star_symbol *values, int64_t count);
/* Does what the step reads at FROM overlap what it writes at TO_OFFSET? */
bool star_machine_overlap(const struct star_machine *rank, const struct star_step *step,
                          const star_symbol *from, int64_t to_offset);
/* Whose buffer a step reads: the step is sound. */
const struct star_machine *star_machine_read_by(const struct star_world *world,
                                                const struct star_machine *rank,
                                                const struct star_step *step);
/* After a write. In units, where the result lies upon the input: what is left of that, nobody knows. */
void star_machine_cover(struct star_machine *rank, int buffer, int64_t offset, int64_t length);
/* BY 1: a request owns the bytes of its step; −1: no longer. */
void star_machine_own(struct star_machine *rank, const struct star_step *step, int by);
