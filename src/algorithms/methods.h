/* SPDX-License-Identifier: BSD-3-Clause
 * Lists of methods, as the settings `force` and `methods` give them: separated by spaces. */
#pragma once

#include "algorithms/method.h"

struct star_methods {
    struct star_method *at;
    int count;
};

/* STAR_EINPUT names the bad method, STAR_EMEMORY. */
int star_methods_parse(const char *text, struct star_methods *methods, struct star_why *why);
/* The same, where names alone ("ring,sync=light") are of OPERATION. */
int star_methods_parse_of(enum star_operation operation, const char *text, struct star_methods *methods,
                          struct star_why *why);
/* The same, where an operation may have one method alone. */
int star_methods_parse_forced(const char *text, struct star_methods *methods, struct star_why *why);
void star_methods_free(struct star_methods *methods);
/* The first of OPERATION, or NULL. */
const struct star_method *star_methods_first(const struct star_methods *methods,
                                             enum star_operation operation);

/* What the tuner tries for OPERATION: native, then all of the repository that suit SHAPE and BYTES; or, where
 * ONLY names methods of the operation, those of them that apply, at any number of bytes. IN_RANK_ORDER: those
 * alone that reduce in the order of ranks, and not native, unless there is none. GROUPS numbers their groups.
 * STAR_EMEMORY. */
int star_candidates(const struct star_methods *only, enum star_operation operation,
                    const struct star_shape *shape, int64_t bytes, bool in_rank_order,
                    struct star_methods *candidates, int **groups);
/* The numbers of their groups; NULL when out of memory; the caller frees them. */
int *star_methods_groups(const struct star_methods *methods);
