/* SPDX-License-Identifier: BSD-3-Clause
 * The temporary of a run, and memory that grows. */
#pragma once

#include "exec/side.h"

/* Memory that grows when a call needs more. Only what is touched of it takes any: where elements have huge
 * gaps, next to nothing. */
struct star_room {
    char *at;
    size_t bytes;
};
/* What it held is lost. */
int star_room_grow(struct star_room *room, size_t needed);
void star_room_free(struct star_room *room);

/* How elements lie in memory of ours: in so many BYTES, the first one so many BEFORE it. */
struct star_plot {
    int64_t bytes, before;
};
/* Lays out COUNT elements like those of ELEMENTS. That they do not overlap is known of VECTOR elements in a
 * row, so many lie as an array; or, with BLOCKS, of those of each block. */
int star_elements_lay(struct star_side *elements, int64_t count, int64_t vector, int64_t blocks,
                      struct star_plot *plot);
/* They lie in MEMORY. */
void star_elements_put(struct star_side *elements, const struct star_plot *plot, void *memory);

/* Lays COUNT of them out in ROOM, as star_elements_lay does without blocks, or, where that would take too
 * much memory, as closely as can be. */
int star_elements_make(struct star_side *elements, int64_t count, int64_t vector, struct star_room *room);

struct star_run;
/* The side of a run's temporary: packed bytes, or, of reductions, elements of the program's datatype. */
int star_temporary_make(struct star_run *run);
