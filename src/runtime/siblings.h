/* SPDX-License-Identifier: BSD-3-Clause
 * A communicator's contexts, by what they are for. */
#pragma once

#include "runtime/state.h"

/* A communicator's contexts by what they are for, with what stands for some; NULL: there is none. */
struct star_context *star_contexts_find(struct star_contexts *contexts, enum star_operation operation,
                                        const struct star_facts *facts, uint64_t site);
/* That of the size nearest to that of FACTS, by the quotient; of two as near, the smaller. */
struct star_context *star_contexts_nearest(const struct star_contexts *contexts,
                                           enum star_operation operation, const struct star_facts *facts,
                                           uint64_t site);
/* How many there are of an operation at a site, with what stands for some. */
int64_t star_contexts_count(const struct star_contexts *contexts, enum star_operation operation,
                            uint64_t site);
/* So that one more can be added, which then cannot fail. False: out of memory. */
bool star_contexts_make_room(struct star_contexts *contexts, enum star_operation operation, uint64_t site);
void star_contexts_add(struct star_contexts *contexts, struct star_context *context);
/* It is no more one of them. */
void star_contexts_drop(struct star_contexts *contexts, struct star_context *context);
/* Frees all but the contexts themselves. */
void star_contexts_forget(struct star_contexts *contexts);
