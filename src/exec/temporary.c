/* SPDX-License-Identifier: BSD-3-Clause
 * Temporaries. Those of reductions hold elements of the program's datatype, which lie as the program's do:
 * its operator is called for several of them at once.
 *
 * That elements do not overlap is sure only within what the program gives or gets as one: the vector of the
 * call, or a block of it. A column of a matrix begins within the one before it, and ends in front of where a
 * column behind the matrix would begin. A temporary has room for several vectors. So where an element reaches
 * further than its extent, each vector has a cell of its own, and the cells lie apart. How elements lie is
 * this rank's own affair; messages do not show it. So where they would take more memory than this rank has,
 * each is a cell, without what its extent leaves empty: the operator is called for one at a time. */
#include "exec/run.h"

#include <sys/mman.h>

enum { LINE = 64 };

int star_room_grow(struct star_room *room, size_t needed)
{
    if (needed <= room->bytes)
        return MPI_SUCCESS;
    star_room_free(room);
    void *at = mmap(NULL, needed, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        return MPI_ERR_NO_MEM;
    *room = (struct star_room){at, needed};
    return MPI_SUCCESS;
}

void star_room_free(struct star_room *room)
{
    if (room->at != NULL)
        munmap(room->at, room->bytes);
    *room = (struct star_room){0};
}

static int64_t rounded_up(int64_t bytes)
{
    return (bytes + LINE - 1) & -(int64_t)LINE;
}

/* Elements that all lie in one place are apart only one by one. */
static void part_cells(struct star_side *temp, int64_t vector, int64_t moved)
{
    int64_t extent = temp->extent < 0 ? -temp->extent : temp->extent;
    if (moved <= extent)
        return;
    temp->cell = extent == 0 || vector == 0 ? 1 : vector;
    temp->gap = rounded_up(moved - extent) * (temp->extent < 0 ? -1 : 1);
}

int star_elements_lay(struct star_side *elements, int64_t count, int64_t vector, int64_t blocks,
                      struct star_plot *plot)
{
    struct star_reach reach;
    int error = star_side_reach(elements, &reach);
    if (error)
        return error;
    elements->gap = 0;
    if (blocks > 0 || count > vector)
        part_cells(elements, vector, reach.end - reach.first);
    int64_t cells = elements->gap == 0 ? 0 : blocks > 0 ? blocks : count / elements->cell;
    int64_t all, gaps, last;
    if (__builtin_mul_overflow(count, elements->extent, &all) ||
        __builtin_mul_overflow(cells, elements->gap, &gaps) || __builtin_add_overflow(all, gaps, &last) ||
        __builtin_add_overflow(last < 0 ? -last : last, reach.upper - reach.lower + LINE, &plot->bytes))
        return MPI_ERR_NO_MEM;
    plot->before = (last < 0 ? -last : 0) - reach.lower;
    return MPI_SUCCESS;
}

void star_elements_put(struct star_side *elements, const struct star_plot *plot, void *memory)
{
    /* Aligned as the program's elements are. */
    elements->base = (void *)(uintptr_t)rounded_up((int64_t)(uintptr_t)memory + plot->before);
}

/* The bytes of an element that operators may copy as a whole struct; of a huge extent only the first ones. */
static void take_what_matters(const struct star_reach *reach, int64_t *from, int64_t *end)
{
    enum { STRUCT_MOST = 1 << 20 };
    *from = reach->first - reach->lower < STRUCT_MOST ? reach->lower : reach->first;
    *end = reach->upper - *from < STRUCT_MOST ? reach->upper : *from + STRUCT_MOST;
    *end = *end < reach->end ? reach->end : *end;
}

/* One by one, without the gaps that their extent leaves. */
static int lay_closely(struct star_side *elements, int64_t count, struct star_plot *plot)
{
    struct star_reach reach;
    int64_t from, end, stride;
    int error = star_side_reach(elements, &reach);
    if (error)
        return error;
    take_what_matters(&reach, &from, &end);
    if (end - from > INT64_MAX - LINE)
        return MPI_ERR_NO_MEM;
    stride = rounded_up(end - from);
    if (__builtin_sub_overflow(stride, elements->extent, &elements->gap) || elements->gap == 0 ||
        __builtin_mul_overflow(count, stride, &plot->bytes) ||
        __builtin_add_overflow(plot->bytes, (int64_t)LINE, &plot->bytes))
        return MPI_ERR_NO_MEM;
    elements->cell = 1;
    plot->before = -from;
    return MPI_SUCCESS;
}

int star_elements_make(struct star_side *elements, int64_t count, int64_t vector, struct star_room *room)
{
    const int64_t usual = INT64_C(1) << 40; /* more addresses than that are not taken from the program */
    struct star_plot plot = {0};
    int error = star_elements_lay(elements, count, vector, 0, &plot);
    if (!error)
        error = plot.bytes > usual ? MPI_ERR_NO_MEM : star_room_grow(room, (size_t)plot.bytes);
    if (error == MPI_ERR_NO_MEM) {
        error = lay_closely(elements, count, &plot);
        if (!error)
            error = star_room_grow(room, (size_t)plot.bytes);
    }
    if (!error)
        star_elements_put(elements, &plot, room->at);
    return error;
}

static int make_packed(struct star_run *run, struct star_side *temp)
{
    struct star_runner *runner = run->runner;
    const struct star_plan *plan = runner->plan;
    if (!plan->units)
        return MPI_SUCCESS;
    temp->scale = run->side[STAR_RECVBUF].size;
    int64_t elements = plan->temp_bytes / plan->size * runner->starts[plan->size];
    int error = star_room_grow(&runner->grown, (size_t)(elements * temp->scale) + 1);
    temp->base = runner->grown.at;
    return error;
}

int star_temporary_make(struct star_run *run)
{
    struct star_runner *runner = run->runner;
    const struct star_plan *plan = runner->plan;
    const struct star_side *typed = &run->side[runner->uses[STAR_SENDBUF] ? STAR_SENDBUF : STAR_RECVBUF];
    struct star_side *temp = &run->side[STAR_TEMP];
    *temp = star_side_packed(runner->temp);
    if (plan->temp_bytes == 0)
        return MPI_SUCCESS;
    if (!plan->reduces)
        return make_packed(run, temp);
    *temp = (struct star_side){.base = runner->temp,
                               .type = typed->type,
                               .size = typed->size,
                               .extent = typed->extent,
                               .dense = typed->dense,
                               .named = typed->named,
                               .scale = 1};
    bool units = plan->units;
    if (!units && (typed->dense || typed->size == 0))
        return MPI_SUCCESS;
    if (!units)
        return star_elements_make(temp, plan->temp_bytes / typed->size, plan->vector / typed->size,
                                  &runner->grown);
    struct star_plot plot = {0};
    int64_t elements = plan->temp_bytes / plan->size * runner->starts[plan->size];
    int error = star_elements_lay(temp, elements, 0, plan->temp_bytes, &plot);
    if (!error)
        error = star_room_grow(&runner->grown, (size_t)plot.bytes);
    if (!error)
        star_elements_put(temp, &plot, runner->grown.at);
    return error;
}
