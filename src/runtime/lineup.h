/* SPDX-License-Identifier: BSD-3-Clause
 * Which methods may run a nonblocking call in the background, and which of them are looked at first. */
#pragma once

#include "runtime/state.h"

/* Those that can, native first: the same list on all ranks, of the one that is forced, if one is.
 * STAR_EMEMORY and its like: this rank knows none. */
int star_lineup_find(const struct star_communicator *state, enum star_operation operation,
                     const struct star_facts *facts, struct star_methods *found);
/* A call takes so many SECONDS natively, at most; and finding out may take PATIENCE. */
struct star_lineup_terms {
    double seconds, patience;
    int count;
};
/* ORDER becomes the numbers of those to look at, COUNT at most, native's first, and no algorithm twice: what
 * the cost model finds fastest on one of the networks that it may be on. Returns how many there are. */
int star_lineup_order(const struct star_communicator *state, enum star_operation operation,
                      const struct star_facts *facts, const struct star_methods *found,
                      const struct star_lineup_terms *terms, int64_t *order);
