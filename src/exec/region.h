/* SPDX-License-Identifier: BSD-3-Clause
 * Regions: where a step's bytes or blocks lie in the buffers of a call, as MPI takes a place. */
#pragma once

#include "exec/run.h"

#include <limits.h>
#include <stdint.h>

/* COUNT elements of TYPE. */
struct star_region {
    void *at;
    MPI_Datatype type;
    int64_t count, extent;
    bool made; /* the type is ours to free */
};

/* All return an MPI error code, raised nowhere. SIDES are those of a call, one for each buffer. */

/* Where LENGTH packed bytes at OFFSET lie. MPI_ERR_INTERN: they end inside of an element that has gaps. */
int star_region_locate(const struct star_side *side, int64_t offset, int64_t length, struct star_spot *spot);
/* Those of a spot that is parted, as one element of a type of ours. */
int star_region_of_parts(struct star_runner *runner, const struct star_side *side, int64_t offset,
                         int64_t length, struct star_region *region);
/* Finds the spots of all messages anew where the datatypes' layout is not that of the last call. */
int star_region_locate_all(struct star_runner *runner, const struct star_side *sides);

static inline struct star_region star_region_of_spot(const struct star_side *side,
                                                     const struct star_spot *spot)
{
    return (struct star_region){.at = star_shifted(side->base, spot->from_base),
                                .type = spot->packed ? MPI_PACKED : side->type,
                                .count = spot->count,
                                .extent = spot->packed ? 1 : side->extent};
}

/* In units: where blocks begin when they lie one behind the other; before the next two. */
void star_region_find_starts(struct star_runner *runner, const struct star_side *sides);
/* In units: where block K lies, in elements. */
int64_t star_region_displacement(const struct star_runner *runner, const struct star_side *side, int64_t k);
/* In units: BLOCKS blocks of BUFFER from FIRST on. */
int star_region_of_units(struct star_runner *runner, const struct star_side *sides, int buffer, int64_t first,
                         int64_t blocks, struct star_region *region);

int star_region_make_large(struct star_region *region);
int star_region_move_off(struct star_region *region);
/* Makes it what MPI takes as the arguments of a message: where an int cannot count its elements, or it begins
 * at what MPI would take for a sentinel, it becomes one element of a type of ours. */
static inline int star_region_make_arguments(struct star_region *region)
{
    int error = region->count <= INT_MAX ? MPI_SUCCESS : star_region_make_large(region);
    bool mistaken = region->at != NULL && star_is_sentinel(region->at) && region->count > 0;
    return error == MPI_SUCCESS && mistaken ? star_region_move_off(region) : error;
}
static inline void star_region_free(struct star_region *region)
{
    if (region->made)
        PMPI_Type_free(&region->type);
}
