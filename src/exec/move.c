/* SPDX-License-Identifier: BSD-3-Clause */
#include "exec/move.h"
#include "exec/hand.h"
#include "exec/library.h"
#include "exec/native.h"
#include "exec/region.h"
#include "exec/segment.h"

#include <limits.h>

/* Between two datatypes with gaps: a message to oneself, which needs no memory in between. */
static int copy_typed(const struct star_side *to, int64_t to_offset, const struct star_side *from,
                      int64_t from_offset, int64_t length, const struct star_route *route)
{
    struct star_spot source, target;
    int tag = route->tag + STAR_DATA, self, error = star_region_locate(from, from_offset, length, &source);
    if (!error)
        error = star_region_locate(to, to_offset, length, &target);
    if (!error)
        error = PMPI_Comm_rank(route->comm, &self);
    if (error)
        return error;
    struct star_region out = star_region_of_spot(from, &source), in = star_region_of_spot(to, &target);
    error = star_region_make_arguments(&out);
    if (!error)
        error = star_region_make_arguments(&in);
    if (!error)
        error = PMPI_Sendrecv(out.at, (int)out.count, out.type, self, tag, in.at, (int)in.count, in.type,
                              self, tag, route->comm, MPI_STATUS_IGNORE);
    star_region_free(&out);
    star_region_free(&in);
    return error;
}

static void *address_of(const struct star_side *side, int64_t offset)
{
    int64_t inside = side->dense && side->size > 0 ? offset % side->size : 0;
    return star_shifted(side->base, side->size > 0 ? star_side_place(side, offset / side->size) + inside : 0);
}

/* Of what lies as an array on either side. */
static int copy_run(const struct star_run *run, const struct star_side *to, int64_t to_offset,
                    const struct star_side *from, int64_t from_offset, int64_t length)
{
    /* The program's input in place is where it belongs already. */
    if (address_of(to, to_offset) == address_of(from, from_offset) && to->type == from->type)
        return MPI_SUCCESS;
    bool packs = (to->dense || star_side_packs(to)) && (from->dense || star_side_packs(from));
    return packs && (to->dense || from->dense)
               ? star_side_copy(*to, to_offset, *from, from_offset, length, run->route.comm)
               : copy_typed(to, to_offset, from, from_offset, length, &run->route);
}

int star_move_bytes(const struct star_run *run, const struct star_side *to, int64_t to_offset,
                    const struct star_side *from, int64_t from_offset, int64_t length)
{
    if (to->gap == 0 && from->gap == 0)
        return copy_run(run, to, to_offset, from, from_offset, length);
    int error = MPI_SUCCESS;
    int64_t size = to->gap != 0 ? to->size : from->size; /* the other one may be packed */
    for (int64_t done = 0, bytes; !error && done < length; done += bytes) {
        int64_t left = (length - done) / size;
        left = star_side_run(from, (from_offset + done) / from->size, left);
        bytes = star_side_run(to, (to_offset + done) / to->size, left) * size;
        error = copy_run(run, to, to_offset + done, from, from_offset + done, bytes);
    }
    return error;
}

/* Of a datatype of its own on either side. Lengths that differ are found out as in a message. */
static int copy_typed_block(const struct star_run *run, const struct star_side *to, int64_t to_block,
                            const struct star_side *from, int64_t from_block)
{
    struct star_side target = {0}, source = {0};
    int64_t room, count;
    int error = star_side_block(from, from_block, &source, &count);
    if (!error)
        error = star_side_block(to, to_block, &target, &room);
    if (error || count == 0)
        return error;
    if (room * target.size < count * source.size)
        return MPI_ERR_TRUNCATE;
    if ((target.dense && target.base == NULL) || (source.dense && source.base == NULL))
        return MPI_ERR_BUFFER;
    return star_move_bytes(run, &target, 0, &source, 0, count * source.size);
}

static int copy_unit(const struct star_run *run, const struct star_step *step, int64_t to, int64_t from)
{
    struct star_region target, source;
    if (run->side[step->to].types != NULL)
        return copy_typed_block(run, &run->side[step->to], to, &run->side[step->from], from);
    int error = star_region_of_units(run->runner, run->side, step->from, from, 1, &source);
    if (!error)
        error = star_region_of_units(run->runner, run->side, step->to, to, 1, &target);
    if (error)
        return error;
    struct star_side into = run->side[step->to], out = run->side[step->from];
    into.base = target.at;
    out.base = source.at;
    into.gap = out.gap = 0; /* within a block there are none */
    return star_move_bytes(run, &into, 0, &out, 0, source.count * out.size);
}

/* What a copy or a reduction reads: the program's buffer, the temporary, or what a rank shows. */
static struct star_side source_of(const struct star_run *run, const struct star_step *step)
{
    return step->from == STAR_SHARED ? star_side_packed(star_segment_area(run->route.segment, step->peer))
                                     : run->side[step->from];
}

int star_move_copy(const struct star_run *run, const struct star_step *step)
{
    const struct star_side source = source_of(run, step);
    int error = MPI_SUCCESS;
    for (int32_t i = 0; !error && i < step->repeat; i++) {
        int64_t to = step->to_offset + i * step->to_stride, from = step->from_offset + i * step->from_stride;
        if (!run->runner->plan->units)
            error = star_move_bytes(run, &run->side[step->to], to, &source, from, step->length);
        for (int64_t k = 0; run->runner->plan->units && !error && k < step->length; k++)
            error = copy_unit(run, step, to + k, from + k);
    }
    return error;
}

/* COUNT elements that lie as an array, at FROM and at TO. */
static int reduce_run(const struct star_run *run, const struct star_side *side, const void *from, void *to,
                      int64_t count)
{
    int error = MPI_SUCCESS;
    for (int64_t done = 0; !error && done < count; done += INT_MAX) {
        int64_t left = count - done;
        error =
            PMPI_Reduce_local(star_shifted(from, done * side->extent), star_shifted(to, done * side->extent),
                              (int)(left < INT_MAX ? left : INT_MAX), side->type, run->op);
    }
    return error;
}

/* Blocks that may lie apart are reduced one by one. */
static int reduce_units(const struct star_run *run, const struct star_step *step)
{
    const struct star_side *from = &run->side[step->from], *to = &run->side[step->to];
    int64_t blocks = from->gap == 0 && to->gap == 0 ? step->length : 1;
    int error = MPI_SUCCESS;
    for (int64_t k = 0; !error && k < step->length; k += blocks) {
        struct star_region source, target;
        error =
            star_region_of_units(run->runner, run->side, step->from, step->from_offset + k, blocks, &source);
        if (!error)
            error =
                star_region_of_units(run->runner, run->side, step->to, step->to_offset + k, blocks, &target);
        if (!error)
            error = reduce_run(run, to, source.at, target.at, source.count);
    }
    return error;
}

/* Elements with gaps, which lie packed in shared memory, as the program's operator takes them. */
static int unpack_lent(const struct star_run *run, const struct star_step *step, struct star_side *from,
                       int64_t *offset)
{
    const struct star_side *to = &run->side[step->to];
    int64_t elements = step->length / to->size;
    struct star_side lent = *to;
    int error = star_elements_make(&lent, elements, elements, &run->runner->lent);
    if (!error)
        error = star_move_bytes(run, &lent, 0, from, *offset, step->length);
    *from = lent;
    *offset = 0;
    return error;
}

int star_move_reduce(const struct star_run *run, const struct star_step *step)
{
    struct star_side read = source_of(run, step);
    const struct star_side *from = &read, *to = &run->side[step->to];
    int64_t elements = to->size > 0 ? step->length / to->size : 0, from_offset = step->from_offset;
    int error = MPI_SUCCESS;
    if (run->runner->plan->units)
        return reduce_units(run, step);
    if (step->from == STAR_SHARED && to->dense) /* packed, they are the same */
        read.size = read.extent = to->size;
    else if (step->from == STAR_SHARED && elements > 0)
        error = unpack_lent(run, step, &read, &from_offset);
    for (int64_t done = 0, count; !error && done < elements; done += count) {
        int64_t source = from_offset + done * to->size, target = step->to_offset + done * to->size;
        count = star_side_run(from, source / to->size, elements - done);
        count = star_side_run(to, target / to->size, count);
        error = reduce_run(run, to, address_of(from, source), address_of(to, target), count);
    }
    return error;
}

/* *AT becomes where BYTES of SIDE at OFFSET lie as an array: in ROOM, if they have gaps. */
static int lay_out(const struct star_run *run, const struct star_side *side, int64_t offset, int64_t bytes,
                   char *room, const void **at)
{
    const struct star_side packed = star_side_packed(room);
    *at = side->dense ? address_of(side, offset) : room;
    return side->dense || bytes == 0 ? MPI_SUCCESS : star_move_bytes(run, &packed, 0, side, offset, bytes);
}

/* Blocks may lie anywhere: this rank's area tells of each. */
static int show_units(struct star_run *run, const struct star_step *step)
{
    struct star_side side = run->side[step->from];
    struct star_shown *table = (struct star_shown *)run->side[STAR_SHARED].base;
    struct star_room *room = &run->runner->shown[step->from];
    int64_t all = 0;
    for (int64_t k = 0; !side.dense && k < step->length; k++)
        all += star_side_count(&side, step->from_offset + k) * side.size;
    int error = star_room_grow(room, (size_t)all);
    all = 0;
    for (int64_t k = 0; !error && k < step->length; k++) {
        struct star_region block;
        const void *at = NULL;
        error = star_region_of_units(run->runner, run->side, step->from, step->from_offset + k, 1, &block);
        if (error)
            break;
        side.base = block.at;
        int64_t bytes = block.count * side.size;
        error = lay_out(run, &side, 0, bytes, star_shifted(room->at, all), &at);
        star_shown_set(&table[k], at, bytes);
        all += bytes;
    }
    return error;
}

int star_move_show(struct star_run *run, const struct star_step *step)
{
    const struct star_side *side = &run->side[step->from];
    struct star_room *room = &run->runner->shown[step->from];
    const void *at;
    if (run->runner->plan->units)
        return show_units(run, step);
    int error = side->dense ? MPI_SUCCESS : star_room_grow(room, (size_t)step->length);
    if (!error)
        error = lay_out(run, side, step->from_offset, step->length, room->at, &at);
    if (!error) /* as seen from the buffer's start */
        star_shown_set(&star_segment_own_window(run->route.segment)->shown[step->from],
                       star_shifted(at, -step->from_offset), step->from_offset + step->length);
    return error;
}

/* LENGTH bytes at OFFSET of what is SHOWN, to SIDE. */
static int read_shown(struct star_run *run, const struct star_step *step, const struct star_shown *shown,
                      int64_t offset, const struct star_side *side, int64_t to, int64_t length)
{
    if (side->dense)
        return star_hand_read(&run->route, step, shown, offset, address_of(side, to), length, &run->most);
    int error = star_room_grow(&run->runner->got, (size_t)length);
    const struct star_side packed = star_side_packed(run->runner->got.at);
    if (!error)
        error = star_hand_read(&run->route, step, shown, offset, packed.base, length, &run->most);
    return error ? error : star_move_bytes(run, side, to, &packed, 0, length);
}

/* Lengths that differ are found out as in a message. */
static int read_units(struct star_run *run, const struct star_step *step)
{
    const struct star_shown *table =
        (const struct star_shown *)(const void *)star_segment_area(run->route.segment, step->peer);
    struct star_side side = run->side[step->to];
    int error = MPI_SUCCESS;
    for (int64_t k = 0; !error && run->most != STAR_SEGMENT_NOTHING && k < step->length; k++) {
        struct star_region block;
        const struct star_shown *shown = &table[step->from_offset + k];
        error = star_region_of_units(run->runner, run->side, step->to, step->to_offset + k, 1, &block);
        int64_t room = error ? 0 : block.count * side.size, bytes = star_shown_bytes(shown);
        side.base = block.at;
        if (bytes > room)
            run->most = bytes;
        if (!error && room > 0)
            error = read_shown(run, step, shown, 0, &side, 0, bytes < room ? bytes : room);
    }
    return error;
}

int star_move_read(struct star_run *run, const struct star_step *step)
{
    const struct star_window *other = star_segment_window(run->route.segment, step->peer);
    if (run->runner->plan->units)
        return read_units(run, step);
    return read_shown(run, step, &other->shown[step->from], step->from_offset, &run->side[step->to],
                      step->to_offset, step->length);
}
