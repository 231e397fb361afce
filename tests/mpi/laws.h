/* SPDX-License-Identifier: BSD-3-Clause
 * What the laws share: laws.c runs them, and has a file for each subject beside it. */
#pragma once

#include "algorithms/methods.h"
#include "plan/build.h"
#include "runtime/state.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

extern int failures, rank, size;

struct law {
    const char *name; /* NULL: the last */
    void (*test)(void);
};
/* Ranks decide together; native goes first; tuning begins when it pays; messages are apart from the
 * program's; what idle runners keep; contexts are found. */
extern const struct law together_laws[], native_laws[], beginning_laws[], message_laws[], runner_laws[],
    context_laws[];

struct star_communicator *state_of(MPI_Comm comm);
struct star_context *only_context(struct star_communicator *state);
/* Many agreements in few calls. */
void quick_settings(void);
/* To be freed with star_methods_free. */
struct star_methods list_of(const struct star_method *methods, int count);
/* An all-to-all of blocks without any order: what methods of these tests do at last. */
void exchange_all(struct star_builder *b, const struct star_shape *shape);

enum { RANKS_MOST = 16, INTS_MOST = 64 };
/* The int I that FROM sends to TO. */
int number(int from, int to, int i, int round);
/* A call of INTS ints a pair, checked. The datatypes are each rank's own: odd ranks send blocks with gaps,
 * the others receive them. */
void exchange(MPI_Comm comm, int ints, int round);
bool is_equal_everywhere(uint64_t value);
