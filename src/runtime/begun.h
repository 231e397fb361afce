/* SPDX-License-Identifier: BSD-3-Clause
 * What is kept of a communicator for its nonblocking collectives, and what becomes of it at the end. */
#pragma once

#include "runtime/notice.h"
#include "runtime/samples.h"
#include "runtime/state.h"
#include "subject/balance.h"
#include "util/text.h"

/* A call as it came last, and what it is: programs begin the same one again and again. */
enum { STAR_CALLS_KNOWN = 4 };
struct star_known_call {
    struct star_call call;
    struct star_notice notice;
    bool stays, blocks;
};

/* Of a communicator. */
struct star_begun {
    struct star_notices notices; /* the first member. Its board is NULL: not yet, or never */
    int64_t number;              /* of the next call */
    struct star_nameless_key key;
    MPI_Request *telling; /* rank 0's to all others, or what this rank waits to be told; NULL: nothing */
    int tellings;
    bool fits;                                      /* the last call does, on a board */
    bool requests;                                  /* there can be some that end when they are told to */
    struct star_known_call known[STAR_CALLS_KNOWN]; /* by operation */
    struct star_samples samples;
    int resting[STAR_OPERATIONS]; /* of which kind calls rest, where some do; negative: of none */
};

/* NULL: there is no memory. */
struct star_begun *star_begun_new(int size, int rank);
/* Nothing further begins on the communicator. What has begun goes on. */
void star_begun_leave(struct star_communicator *state);
/* Of which of its samples a call is, which BLOCKS or does not. */
int star_begun_kind(const struct star_notice *notice, bool blocks);
/* Adds what calls have saved on this rank. BLOCKS: what they cost beside is in price.h. */
void star_begun_weigh(struct star_balance *balance, const struct star_sampled *sampled, bool blocks);
/* The same of CALLS that another way than native's made: nanoseconds of a call natively, and so. */
void star_begun_compare(struct star_balance *balance, int64_t calls, double natively, double otherwise);
/* What its calls have saved on this rank. */
struct star_balance star_begun_balance(const struct star_communicator *state);
/* What a report says of it: JSON objects, each behind a comma. */
void star_begun_tell(const struct star_communicator *state, struct star_text *text);
