/* SPDX-License-Identifier: BSD-3-Clause
 * What users may expect of an MPI library: that no routine is slower than what others of its routines do
 * together (the mock-ups of the repository), nor faster for more bytes. (Träff, Gropp and Thakur:
 * Self-consistent MPI performance guidelines.) */
#pragma once

#include "map/map.h"

/* Native is slower by this share at least, and by the rank-sum test for certain. */
#define STAR_VIOLATION_SHARE 0.05

struct star_violation {
    enum star_operation operation;
    int ranks;
    int64_t bytes;                  /* at which native is slower than it should be */
    double native;                  /* median seconds */
    const struct star_method *than; /* the mock-up that does the same faster; NULL: more bytes are faster: */
    int64_t than_bytes;             /* so many */
    double seconds;                 /* the median of what is faster */
};

/* Calls VISIT for each violation in OPERATION until it returns non-zero, which is returned. */
int star_violations(const struct star_map *map, enum star_operation operation,
                    int (*visit)(const struct star_violation *violation, void *context), void *context);
