/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/region.h"

#include <stdlib.h>
#include <string.h>

static struct star_layout layout_of(const struct star_side *sides)
{
    struct star_layout layout;
    memset(&layout, 0, sizeof layout); /* compared byte by byte */
    for (int i = 0; i < STAR_BUFFERS; i++) {
        layout.size[i] = sides[i].size;
        layout.extent[i] = sides[i].extent;
        layout.dense[i] = sides[i].dense;
    }
    return layout;
}

int star_region_locate(const struct star_side *side, int64_t offset, int64_t length, struct star_spot *spot)
{
    bool whole = side->size > 0 && offset % side->size == 0 && length % side->size == 0;
    *spot = (struct star_spot){.from_base = offset, .count = length, .packed = true};
    if (whole)
        *spot =
            (struct star_spot){.from_base = offset / side->size * side->extent, .count = length / side->size};
    return whole || side->dense || length == 0 ? MPI_SUCCESS : MPI_ERR_INTERN;
}

int star_region_locate_all(struct star_runner *runner, const struct star_side *sides)
{
    struct star_layout layout = layout_of(sides);
    if (memcmp(&layout, &runner->layout, sizeof layout) == 0)
        return MPI_SUCCESS;
    int error = MPI_SUCCESS;
    for (int32_t i = 0; error == MPI_SUCCESS && i < runner->plan->count; i++) {
        const struct star_step *step = &runner->plan->steps[i];
        if (step->kind == STAR_STEP_SEND)
            error =
                star_region_locate(&sides[step->from], step->from_offset, step->length, &runner->spots[i]);
        else if (step->kind == STAR_STEP_RECV)
            error = star_region_locate(&sides[step->to], step->to_offset, step->length, &runner->spots[i]);
    }
    runner->layout = error == MPI_SUCCESS ? layout : (struct star_layout){0};
    return error;
}

int star_region_make_large(struct star_region *region)
{
    enum { CHUNK = 1 << 30 };
    MPI_Datatype chunk = MPI_DATATYPE_NULL, parts[2] = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
    int lengths[2] = {1, 1};
    int64_t count = region->count;
    MPI_Aint places[2] = {0, (MPI_Aint)(count / CHUNK * CHUNK * region->extent)};
    int error = PMPI_Type_contiguous(CHUNK, region->type, &chunk);
    if (!error)
        error = PMPI_Type_contiguous((int)(count / CHUNK), chunk, &parts[0]);
    if (!error)
        error = PMPI_Type_contiguous((int)(count % CHUNK), region->type, &parts[1]);
    if (!error)
        error = PMPI_Type_create_struct(2, lengths, places, parts, &region->type);
    if (!error)
        error = PMPI_Type_commit(&region->type);
    MPI_Datatype *made[] = {&chunk, &parts[0], &parts[1]};
    for (int i = 0; i < 3; i++)
        if (*made[i] != MPI_DATATYPE_NULL)
            PMPI_Type_free(made[i]);
    region->made = error == MPI_SUCCESS;
    region->count = 1;
    return error;
}

void star_region_find_starts(struct star_runner *runner, const struct star_side *sides)
{
    const struct star_side *side = &sides[sides[STAR_RECVBUF].counts ? STAR_RECVBUF : STAR_SENDBUF];
    int64_t start = 0;
    for (int k = 0; k < runner->plan->size; k++) {
        runner->starts[k] = start;
        start += side->counts ? star_side_count(side, k) : 0;
    }
    runner->starts[runner->plan->size] = start;
}

/* In units: where block K of a page begins, in elements; K may be the number of ranks: the page's end. */
static int64_t page_start(const struct star_runner *runner, bool rotated, int64_t k)
{
    const struct star_plan *plan = runner->plan;
    const int64_t *starts = runner->starts;
    if (!rotated || k == plan->size)
        return starts[k];
    int64_t block = plan->rank + k;
    return block < plan->size ? starts[block] - starts[plan->rank]
                              : starts[plan->size] - starts[plan->rank] + starts[block - plan->size];
}

static struct star_region region_of_pages(const struct star_runner *runner, const struct star_side *side,
                                          int64_t first, int64_t blocks)
{
    const struct star_plan *plan = runner->plan;
    int64_t page = first / plan->size, index = first % plan->size;
    bool rotated = plan->rotated >> page & 1;
    int64_t start = page_start(runner, rotated, index);
    int64_t end = page_start(runner, rotated, index + blocks);
    int64_t from = page * runner->starts[plan->size] + start;
    return (struct star_region){.at = star_shifted(side->base, from * side->scale * side->extent),
                                .type = side->type,
                                .count = (end - start) * side->scale,
                                .extent = side->extent};
}

int64_t star_region_displacement(const struct star_runner *runner, const struct star_side *side, int64_t k)
{
    if (side->counts == NULL)
        return 0;
    if (side->displs == NULL)
        return runner->starts[k] * side->scale;
    return (side->wide ? (int64_t)((const MPI_Aint *)side->displs)[k] : ((const int *)side->displs)[k]) *
           side->scale;
}

/* Blocks that do not lie one behind the other, as one element of a type of ours. */
static int join_blocks(const struct star_runner *runner, const struct star_side *side, int64_t first,
                       int64_t blocks, struct star_region *region)
{
    int *counts = malloc((size_t)blocks * sizeof *counts), error = MPI_ERR_NO_MEM;
    MPI_Aint *places = malloc((size_t)blocks * sizeof *places);
    MPI_Datatype *types = malloc((size_t)blocks * sizeof *types), joined = MPI_DATATYPE_NULL;
    if (counts && places && types)
        error = MPI_SUCCESS;
    int64_t made = 0;
    for (; error == MPI_SUCCESS && made < blocks; made++) {
        struct star_region block = {
            .type = side->type, .count = star_side_count(side, first + made), .extent = side->extent};
        error = star_region_count_as_one(&block);
        counts[made] = (int)block.count;
        types[made] = block.type;
        places[made] = (MPI_Aint)(star_region_displacement(runner, side, first + made) * side->extent);
    }
    if (error == MPI_SUCCESS)
        error = PMPI_Type_create_struct((int)blocks, counts, places, types, &joined);
    if (error == MPI_SUCCESS)
        error = PMPI_Type_commit(&joined);
    for (int64_t i = 0; i < made; i++)
        if (types[i] != side->type && types[i] != MPI_DATATYPE_NULL)
            PMPI_Type_free(&types[i]);
    free(counts);
    free(places);
    free(types);
    *region =
        (struct star_region){.at = side->base, .type = joined, .count = 1, .made = error == MPI_SUCCESS};
    return error;
}

int star_region_of_units(const struct star_runner *runner, const struct star_side *sides, int buffer,
                         int64_t first, int64_t blocks, struct star_region *region)
{
    const struct star_side *side = &sides[buffer];
    if (buffer == STAR_TEMP) {
        *region = region_of_pages(runner, side, first, blocks);
        return MPI_SUCCESS;
    }
    int64_t start = star_region_displacement(runner, side, first), end = start;
    bool joined = true;
    int64_t count = 0;
    for (int64_t k = first; k < first + blocks; k++) {
        int64_t length = star_side_count(side, k);
        if (length > 0 && count > 0)
            joined = joined && star_region_displacement(runner, side, k) == end;
        else if (length > 0)
            start = star_region_displacement(runner, side, k);
        if (length > 0)
            end = star_region_displacement(runner, side, k) + length;
        count += length;
    }
    *region = (struct star_region){.at = star_shifted(side->base, start * side->extent),
                                   .type = side->type,
                                   .count = count,
                                   .extent = side->extent};
    if (count * side->size == 0)
        return MPI_SUCCESS;
    if (side->dense && side->base == NULL)
        return MPI_ERR_BUFFER;
    return joined ? MPI_SUCCESS : join_blocks(runner, side, first, blocks, region);
}
