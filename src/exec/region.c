/* SPDX-License-Identifier: BSD-3-Clause */
#include "exec/region.h"

#include <string.h>

static struct star_layout layout_of(const struct star_side *sides)
{
    struct star_layout layout;
    memset(&layout, 0, sizeof layout); /* compared byte by byte */
    for (int i = 0; i < STAR_BUFFERS; i++) {
        layout.size[i] = sides[i].size;
        layout.extent[i] = sides[i].extent;
        layout.gap[i] = sides[i].gap;
        layout.cell[i] = sides[i].cell;
        layout.dense[i] = sides[i].dense;
    }
    return layout;
}

int star_region_locate(const struct star_side *side, int64_t offset, int64_t length, struct star_spot *spot)
{
    bool whole = side->size > 0 && offset % side->size == 0 && length % side->size == 0;
    *spot = (struct star_spot){.from_base = offset, .count = length, .packed = true};
    if (whole) {
        int64_t first = offset / side->size, count = length / side->size;
        *spot = (struct star_spot){.from_base = star_side_place(side, first),
                                   .count = count,
                                   .parted = star_side_run(side, first, count) < count};
    }
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

int star_region_move_off(struct star_region *region)
{
    MPI_Datatype type = MPI_DATATYPE_NULL;
    int error = star_type_from_afar(region->type, (int)region->count, &type);
    star_region_free(region);
    *region = (struct star_region){
        .at = star_afar(region->at), .type = type, .count = 1, .made = error == MPI_SUCCESS};
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

/* Parts of a buffer that do not lie one behind the other, to become one element of a type of ours. */
struct joint {
    const struct star_side *side;
    MPI_Aint *place; /* of each part, from the buffer's base */
    MPI_Datatype *type;
    int *count, parts, error;
};

static struct joint begin_joint(struct star_runner *runner, const struct star_side *side, int64_t most)
{
    size_t each = sizeof(MPI_Aint) + sizeof(MPI_Datatype) + sizeof(int), parts = (size_t)most;
    struct joint joint = {.side = side, .error = star_room_grow(&runner->parts, parts * each)};
    char *at = runner->parts.at;
    if (joint.error)
        return joint;
    joint.place = (MPI_Aint *)(void *)at;
    joint.type = (MPI_Datatype *)(void *)(at + parts * sizeof(MPI_Aint));
    joint.count = (int *)(void *)(at + parts * (sizeof(MPI_Aint) + sizeof(MPI_Datatype)));
    return joint;
}

static void add_part(struct joint *joint, int64_t place, int64_t count)
{
    struct star_region part = {.type = joint->side->type, .count = count, .extent = joint->side->extent};
    if (joint->error)
        return;
    joint->error = star_region_make_arguments(&part);
    joint->place[joint->parts] = (MPI_Aint)place;
    joint->type[joint->parts] = part.type;
    joint->count[joint->parts] = (int)part.count;
    joint->parts++;
}

static int join(struct joint *joint, struct star_region *region)
{
    MPI_Datatype joined = MPI_DATATYPE_NULL;
    int error = joint->error;
    if (!error)
        error = PMPI_Type_create_struct(joint->parts, joint->count, joint->place, joint->type, &joined);
    if (!error)
        error = PMPI_Type_commit(&joined);
    for (int i = 0; i < joint->parts; i++)
        if (joint->type[i] != joint->side->type && joint->type[i] != MPI_DATATYPE_NULL)
            PMPI_Type_free(&joint->type[i]);
    *region = (struct star_region){
        .at = joint->side->base, .type = joined, .count = 1, .made = error == MPI_SUCCESS};
    return error;
}

int star_region_of_parts(struct star_runner *runner, const struct star_side *side, int64_t offset,
                         int64_t length, struct star_region *region)
{
    int64_t first = offset / side->size, end = first + length / side->size;
    struct joint joint = begin_joint(runner, side, (end - 1) / side->cell - first / side->cell + 1);
    for (int64_t at = first, count; at < end; at += count) {
        count = star_side_run(side, at, end - at);
        add_part(&joint, star_side_place(side, at), count);
    }
    return join(&joint, region);
}

/* In units: where block INDEX of PAGE lies in the temporary, or where the page ends. */
static int64_t place_in_page(const struct star_runner *runner, const struct star_side *side, int64_t page,
                             int64_t index)
{
    int64_t blocks = runner->plan->size, elements = page * runner->starts[blocks];
    elements += page_start(runner, runner->plan->rotated >> page & 1, index);
    return elements * side->scale * side->extent + (page * blocks + index) * side->gap;
}

static int64_t count_in_page(const struct star_runner *runner, const struct star_side *side, int64_t page,
                             int64_t index, int64_t blocks)
{
    bool rotated = runner->plan->rotated >> page & 1;
    return (page_start(runner, rotated, index + blocks) - page_start(runner, rotated, index)) * side->scale;
}

/* Blocks of a page, which may lie apart. */
static int region_of_page(struct star_runner *runner, const struct star_side *side, int64_t first,
                          int64_t blocks, struct star_region *region)
{
    int64_t page = first / runner->plan->size, index = first % runner->plan->size;
    *region = (struct star_region){.at = star_shifted(side->base, place_in_page(runner, side, page, index)),
                                   .type = side->type,
                                   .count = count_in_page(runner, side, page, index, blocks),
                                   .extent = side->extent};
    if (side->gap == 0 || blocks == 1 || region->count == 0)
        return MPI_SUCCESS;
    struct joint joint = begin_joint(runner, side, blocks);
    for (int64_t k = 0; k < blocks; k++)
        add_part(&joint, place_in_page(runner, side, page, index + k),
                 count_in_page(runner, side, page, index + k, 1));
    return join(&joint, region);
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

/* Blocks of a program's buffer that do not lie one behind the other. */
static int region_of_blocks(struct star_runner *runner, const struct star_side *side, int64_t first,
                            int64_t blocks, struct star_region *region)
{
    struct joint joint = begin_joint(runner, side, blocks);
    for (int64_t k = first; k < first + blocks; k++)
        add_part(&joint, star_region_displacement(runner, side, k) * side->extent, star_side_count(side, k));
    return join(&joint, region);
}

/* One block, of a datatype of its own. */
static int region_of_typed(const struct star_side *side, int64_t k, struct star_region *region)
{
    struct star_side block = {0};
    int64_t count;
    int error = star_side_block(side, k, &block, &count);
    *region =
        (struct star_region){.at = block.base, .type = block.type, .count = count, .extent = block.extent};
    return error == MPI_SUCCESS && count > 0 && block.dense && block.base == NULL ? MPI_ERR_BUFFER : error;
}

int star_region_of_units(struct star_runner *runner, const struct star_side *sides, int buffer, int64_t first,
                         int64_t blocks, struct star_region *region)
{
    const struct star_side *side = &sides[buffer];
    if (buffer == STAR_TEMP)
        return region_of_page(runner, side, first, blocks, region);
    if (side->types != NULL)
        return blocks == 1 ? region_of_typed(side, first, region) : MPI_ERR_INTERN;
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
    return joined ? MPI_SUCCESS : region_of_blocks(runner, side, first, blocks, region);
}
