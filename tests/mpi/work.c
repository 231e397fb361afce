/* SPDX-License-Identifier: BSD-3-Clause */
#include "work.h"

#include <stdlib.h>
#include <string.h>

enum { AROUND = 64, KINDS_MOST = 24 };

const char *const work_name[WORK_KINDS] = {"barrier",       "bcast",      "allreduce", "reduce",
                                           "allgather",     "allgatherv", "gather",    "gatherv",
                                           "scatter",       "scatterv",   "alltoall",  "alltoallv",
                                           "alltoallw",     "scan",       "exscan",    "reduce_scatter_block",
                                           "reduce_scatter"};

static struct layout sent[KINDS_MOST], received[KINDS_MOST], reduced[KINDS_MOST];
static MPI_Op operators[KINDS_MOST];

uint64_t work_mix(uint64_t a, uint64_t b)
{
    uint64_t x = a * 0x9e3779b97f4a7c15u + b + 0x7f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

bool work_reduces(enum work_kind which)
{
    return which == WORK_ALLREDUCE || which == WORK_REDUCE || which >= WORK_SCAN;
}

bool work_has_root(enum work_kind which)
{
    return which == WORK_BCAST || which == WORK_REDUCE || (which >= WORK_GATHER && which <= WORK_SCATTERV);
}

bool work_is_irregular(enum work_kind which)
{
    return which == WORK_ALLGATHERV || which == WORK_GATHERV || which == WORK_SCATTERV ||
           which == WORK_ALLTOALLV || which == WORK_ALLTOALLW || which == WORK_REDUCE_SCATTER;
}

/* Elements of these lie the same in buffers of all lengths. */
static bool is_fixed(const struct reduction *reduction)
{
    return strstr(reduction->name, "woven") == NULL && strcmp(reduction->name, "different") != 0 &&
           strcmp(reduction->name, "downwards") != 0;
}

void work_setup(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    reduction_environment = environment_now();
    for (int i = 0; i < kind_count; i++) {
        kinds[i].send[rank % 2](&sent[i], 240);
        kinds[i].recv[rank % 2](&received[i], 240);
    }
    for (int i = 0; i < reduction_count; i++) {
        reductions[i].layout[rank % 2](&reduced[i], 240);
        reduction_lay(&reductions[i], &reduced[i]);
        operators[i] = reduction_make(&reductions[i]);
    }
}

void work_finish(void)
{
    for (int i = 0; i < kind_count; i++) {
        layout_free(&sent[i]);
        layout_free(&received[i]);
    }
    for (int i = 0; i < reduction_count; i++) {
        layout_free(&reduced[i]);
        reduction_release(&reductions[i], &operators[i]);
    }
}

/* Left out are calls that one of the MPI libraries does wrong: Open MPI 4.1 reduce_scatter in place and hangs
 * in alltoallv in place, and where elements of an allgatherv are of different sizes; MPICH 4.0 truncates
 * alltoallw in place, reads past buffers in reduce_scatter whose operator is not commutative, and crashes in
 * a long reduce in place whose root is not 0, and truncates past 8 KB where elements are padded. */
bool work_is_possible(const struct work_call *call)
{
    static const char *const alike[] = {"bytes", "ints", "pairs"};
    enum work_kind which = call->which;
    if (call->in_place &&
        (which == WORK_BARRIER || which == WORK_BCAST || which == WORK_REDUCE_SCATTER ||
         which == WORK_REDUCE_SCATTER_BLOCK || which == WORK_ALLTOALLV || which == WORK_ALLTOALLW))
        return false;
    if (which == WORK_REDUCE && call->in_place && call->root != 0 && call->units > 100)
        return false;
    if (work_reduces(which))
        return call->reduction == NULL || (is_fixed(call->reduction) && (call->reduction->commutative ||
                                                                         which < WORK_REDUCE_SCATTER_BLOCK));
    if (call->kind == NULL || which == WORK_BARRIER)
        return true;
    if (strstr(call->kind->name, "columns") != NULL || strcmp(call->kind->name, "overlapping") == 0)
        return false;
    bool pads = strstr(call->kind->name, "pairs") != NULL || strcmp(call->kind->name, "mixed") == 0;
    if (pads && (int64_t)call->units * call->kind->unit * WORK_RANKS > 8000)
        return false;
    bool same = !work_is_irregular(which);
    for (size_t i = 0; i < sizeof alike / sizeof *alike; i++)
        same |= strcmp(call->kind->name, alike[i]) == 0;
    return same;
}

/* What rank SOURCE has for rank TARGET; 0 stands for all. */
static int block_units(const struct work *work, int source, int target)
{
    const struct work_call *call = &work->call;
    if (!work_is_irregular(call->which))
        return call->units;
    uint64_t drawn = work_mix(call->seed, (uint64_t)(source * WORK_RANKS + target + 1));
    bool sparse = call->which == WORK_ALLTOALLW && call->seed % 2 == 0;
    if (sparse && (drawn >> 40) % 3 > 0)
        return 0;
    return (int)(drawn % ((uint64_t)call->units + 1));
}

bool work_is_empty(const struct work_call *call, int ranks)
{
    struct work work = {.call = *call};
    int units = 0;
    for (int r = 0; r < ranks; r++)
        units += call->which == WORK_REDUCE_SCATTER ? block_units(&work, 0, r) : block_units(&work, r, 0);
    return units == 0;
}

/* Sets packed byte FROM and those behind it, in MEMORY, the side's own or its image. */
static void put(const struct side *side, char *memory, int block, int64_t from, const char *bytes, int length)
{
    char *base = memory + (side->base - side->memory) + side->places[block] * side->layout->extent;
    for (int i = 0; i < length; i++)
        base[layout_place(side->layout, from + i)] = bytes[i];
}

/* The bytes that SOURCE sends to TARGET. */
static void put_moved(const struct work *work, const struct side *side, char *memory, int block, int source,
                      int target)
{
    uint64_t drawn = work_mix(work->values, (uint64_t)(source * 1000 + target + 7));
    int64_t bytes = (int64_t)side->counts[block] * side->layout->size;
    for (int64_t i = 0; i < bytes; i++) {
        char value = (char)(drawn + (uint64_t)(i * 37 + (i >> 8) * 11));
        put(side, memory, block, i, &value, 1);
    }
}

static const struct reduction *reduction_of(const struct work *work)
{
    return work->call.reduction ? work->call.reduction : &reductions[0];
}

/* The result of elements from FIRST on, of ranks up to LAST. */
static void put_reduced(const struct work *work, const struct side *side, char *memory, int first_rank,
                        int last_rank, int first, int count)
{
    const struct reduction *reduction = reduction_of(work);
    int size = reduction_size(reduction);
    for (int i = 0; i < count; i++) {
        char right[LAYOUT_SIZE_MAX], left[LAYOUT_SIZE_MAX];
        for (int r = last_rank; r >= first_rank; r--) {
            uint64_t drawn = work_mix(work->values + (uint64_t)r, (uint64_t)(first + i));
            reduction->fill(r == last_rank ? right : left, drawn);
            if (r < last_rank)
                reduction->combine(left, right);
        }
        put(side, memory, 0, (int64_t)i * size, right, size);
    }
}

/* Makes room for blocks of UNITS, of which there may be gaps of one element between. */
static void lay_side(struct work *work, struct side *side, int blocks, const int *units,
                     const struct layout *layout, int unit)
{
    int64_t low, high, end = 0;
    side->layout = layout;
    side->blocks = blocks;
    for (int b = 0; b < blocks; b++) {
        side->counts[b] = units[b] * unit / layout->size;
        side->places[b] = (int)end;
        end += side->counts[b] + (work_is_irregular(work->call.which) && blocks > 1);
    }
    layout_span(layout, end, &low, &high);
    int64_t lead = (AROUND - low + AROUND - 1) / AROUND * AROUND + work->call.shift;
    side->bytes = (size_t)(lead + high + AROUND);
    side->memory = malloc(side->bytes);
    side->image = malloc(side->bytes);
    if (side->memory == NULL || side->image == NULL)
        MPI_Abort(MPI_COMM_WORLD, 3);
    side->base = side->memory + lead;
}

static bool is_root(const struct work *work)
{
    return !work_has_root(work->call.which) || work->me == work->call.root;
}

static int reduced_units(const struct work *work, int before)
{
    int sum = 0;
    if (work->call.which < WORK_REDUCE_SCATTER_BLOCK)
        return before < work->ranks ? 0 : work->call.units;
    for (int r = 0; r < before; r++)
        sum += block_units(work, 0, r);
    return sum;
}

static void lay_reduced(struct work *work)
{
    const struct reduction *reduction = reduction_of(work);
    const struct layout *layout = &reduced[reduction - reductions];
    bool scatters = work->call.which >= WORK_REDUCE_SCATTER_BLOCK;
    int size = reduction_size(reduction), all = reduced_units(work, work->ranks);
    int own = scatters ? block_units(work, 0, work->me) : all;
    lay_side(work, &work->out, 1, &all, layout, size);
    lay_side(work, &work->in, 1, &own, layout, size);
}

static void fill_reduced(struct work *work)
{
    struct side *from = work->call.in_place && is_root(work) ? &work->in : &work->out;
    put_reduced(work, from, from->memory, work->me, work->me, 0, reduced_units(work, work->ranks));
}

static bool is_gather(enum work_kind which)
{
    return which >= WORK_ALLGATHER && which <= WORK_GATHERV;
}

static bool is_scatter(enum work_kind which)
{
    return which == WORK_SCATTER || which == WORK_SCATTERV;
}

/* One block on a side, or one for each rank. */
static void lay_moved(struct work *work)
{
    const struct kind *kind = work->call.kind ? work->call.kind : kind_named("ints");
    const struct layout *out = &sent[kind - kinds], *in = &received[kind - kinds];
    enum work_kind which = work->call.which;
    int own[WORK_RANKS] = {0}, theirs[WORK_RANKS] = {0}, me = work->me, ranks = work->ranks;
    int outs = is_gather(which) || which == WORK_BCAST ? 1 : ranks;
    int ins = is_scatter(which) || which == WORK_BCAST ? 1 : ranks;
    for (int r = 0; r < ranks; r++) {
        own[r] =
            is_gather(which) ? block_units(work, me, 0) : block_units(work, is_scatter(which) ? 0 : me, r);
        theirs[r] = is_gather(which) ? block_units(work, r, 0) : block_units(work, r, me);
    }
    if (which == WORK_BCAST)
        own[0] = theirs[0] = work->call.units;
    else if (is_scatter(which))
        theirs[0] = block_units(work, 0, me);
    lay_side(work, &work->out, outs, own, out, kind->unit);
    lay_side(work, &work->in, ins, theirs, in, kind->unit);
}

static void fill_moved(struct work *work)
{
    enum work_kind which = work->call.which;
    int me = work->me, ranks = work->ranks;
    bool in_place = work->call.in_place && is_root(work);
    if (is_gather(which))
        put_moved(work, in_place ? &work->in : &work->out, in_place ? work->in.memory : work->out.memory,
                  in_place ? me : 0, me, 0);
    else if (which == WORK_BCAST || is_scatter(which))
        for (int r = 0; r < work->out.blocks && is_root(work); r++)
            put_moved(work, &work->out, work->out.memory, r, work->call.root, r);
    else
        for (int r = 0; r < ranks; r++)
            put_moved(work, in_place ? &work->in : &work->out, in_place ? work->in.memory : work->out.memory,
                      r, me, r);
}

/* Of alltoallw some blocks are one element of a type of their own. */
static void type_block(const struct work *work, bool sends, int r, int *count, MPI_Datatype *type)
{
    const struct side *side = sends ? &work->out : &work->in;
    uint64_t drawn = work_mix(work->call.seed, (uint64_t)(2 * r + sends));
    *count = side->counts[r];
    *type = sends ? work->send : work->recv;
    if (drawn % 3 > 0 || *count == 0)
        return;
    MPI_Type_contiguous(*count, *type, type);
    MPI_Type_commit(type);
    *count = 1;
}

/* Once the call has begun. */
static void leave_types(struct work *work)
{
    for (int r = 0; r < work->ranks && work->call.which == WORK_ALLTOALLW; r++) {
        if (work->out_types[r] != work->send)
            MPI_Type_free(&work->out_types[r]);
        if (work->in_types[r] != work->recv)
            MPI_Type_free(&work->in_types[r]);
    }
}

static void fill_lists(struct work *work)
{
    for (int r = 0; r < work->ranks; r++) {
        work->shares[r] = block_units(work, 0, r);
        if (work->call.which != WORK_ALLTOALLW)
            continue;
        work->out_bytes[r] = work->out.places[r] * (int)work->out.layout->extent;
        work->in_bytes[r] = work->in.places[r] * (int)work->in.layout->extent;
        type_block(work, true, r, &work->out_counts[r], &work->out_types[r]);
        type_block(work, false, r, &work->in_counts[r], &work->in_types[r]);
    }
}

#if MPI_VERSION >= 4
#define CALL(one, other, ...)                                                                                \
    (w->call.persistent ? MPI_##one##_init(__VA_ARGS__, MPI_INFO_NULL, &w->request)                          \
     : w->call.blocking ? MPI_##one(__VA_ARGS__)                                                             \
                        : MPI_##other(__VA_ARGS__, &w->request))
bool work_can_persist(void)
{
    return true;
}
static int call_barrier(struct work *w)
{
    return w->call.persistent ? MPI_Barrier_init(w->call.comm, MPI_INFO_NULL, &w->request)
           : w->call.blocking ? MPI_Barrier(w->call.comm)
                              : MPI_Ibarrier(w->call.comm, &w->request);
}
#else
#define CALL(one, other, ...)                                                                                \
    (w->call.blocking ? MPI_##one(__VA_ARGS__) : MPI_##other(__VA_ARGS__, &w->request))
bool work_can_persist(void)
{
    return false;
}
static int call_barrier(struct work *w)
{
    return w->call.blocking ? MPI_Barrier(w->call.comm) : MPI_Ibarrier(w->call.comm, &w->request);
}
#endif

static int call_reduction(struct work *w, const void *from, void *to)
{
    MPI_Datatype type = w->recv;
    MPI_Comm comm = w->call.comm;
    MPI_Op op = w->op;
    int n = w->call.units, root = w->call.root;
    switch (w->call.which) {
    case WORK_ALLREDUCE:
        return CALL(Allreduce, Iallreduce, from, to, n, type, op, comm);
    case WORK_REDUCE:
        return CALL(Reduce, Ireduce, from, to, n, type, op, root, comm);
    case WORK_SCAN:
        return CALL(Scan, Iscan, from, to, n, type, op, comm);
    case WORK_EXSCAN:
        return CALL(Exscan, Iexscan, from, to, n, type, op, comm);
    case WORK_REDUCE_SCATTER_BLOCK:
        return CALL(Reduce_scatter_block, Ireduce_scatter_block, from, to, n, type, op, comm);
    default:
        return CALL(Reduce_scatter, Ireduce_scatter, from, to, w->shares, type, op, comm);
    }
}

static int call_irregular(struct work *w, const void *from, void *to)
{
    struct side *out = &w->out, *in = &w->in;
    MPI_Datatype send = w->send, recv = w->recv;
    MPI_Comm comm = w->call.comm;
    int root = w->call.root, n = out->counts[0], m = in->counts[0];
    switch (w->call.which) {
    case WORK_ALLGATHERV:
        return CALL(Allgatherv, Iallgatherv, from, n, send, to, in->counts, in->places, recv, comm);
    case WORK_GATHERV:
        return CALL(Gatherv, Igatherv, from, n, send, to, in->counts, in->places, recv, root, comm);
    case WORK_SCATTERV:
        return CALL(Scatterv, Iscatterv, from, out->counts, out->places, send, to, m, recv, root, comm);
    case WORK_ALLTOALLV:
        return CALL(Alltoallv, Ialltoallv, from, out->counts, out->places, send, to, in->counts, in->places,
                    recv, comm);
    default:
        return CALL(Alltoallw, Ialltoallw, from, w->out_counts, w->out_bytes, w->out_types, to, w->in_counts,
                    w->in_bytes, w->in_types, comm);
    }
}

static int call_regular(struct work *w, const void *from, void *to)
{
    MPI_Datatype send = w->send, recv = w->recv;
    MPI_Comm comm = w->call.comm;
    int root = w->call.root, n = w->out.counts[0], m = w->in.counts[0];
    switch (w->call.which) {
    case WORK_BARRIER:
        return call_barrier(w);
    case WORK_BCAST:
        if (w->me == root)
            return CALL(Bcast, Ibcast, w->out.base, n, send, root, comm);
        return CALL(Bcast, Ibcast, to, m, recv, root, comm);
    case WORK_ALLGATHER:
        return CALL(Allgather, Iallgather, from, n, send, to, m, recv, comm);
    case WORK_GATHER:
        return CALL(Gather, Igather, from, n, send, to, m, recv, root, comm);
    case WORK_SCATTER:
        return CALL(Scatter, Iscatter, from, n, send, to, m, recv, root, comm);
    default:
        return CALL(Alltoall, Ialltoall, from, n, send, to, m, recv, comm);
    }
}

/* Handles of the call's own, where it frees them: predefined operators want predefined types. */
static void take_handles(struct work *work)
{
    bool own = work->call.frees && !(work_reduces(work->call.which) && work->out.layout->named);
    work->op = operators[reduction_of(work) - reductions];
    if (work->call.frees && reduction_of(work)->function != NULL)
        work->op = reduction_make(reduction_of(work));
    work->send = work->out.layout->type;
    work->recv = work->in.layout->type;
    if (own) {
        MPI_Type_dup(work->out.layout->type, &work->send);
        MPI_Type_dup(work->in.layout->type, &work->recv);
    }
}

static void leave_handles(struct work *work)
{
    if (work->send != work->out.layout->type)
        MPI_Type_free(&work->send);
    if (work->recv != work->in.layout->type)
        MPI_Type_free(&work->recv);
    if (work->call.frees && reduction_of(work)->function != NULL)
        MPI_Op_free(&work->op);
}

static void make_call(struct work *work)
{
    enum work_kind which = work->call.which;
    bool in_place = work->call.in_place && is_root(work);
    const void *from = in_place && !is_scatter(which) ? MPI_IN_PLACE : work->out.base;
    void *to = in_place && is_scatter(which) ? MPI_IN_PLACE : work->in.base;
    if (work_reduces(which))
        work->error = call_reduction(work, from, to);
    else if (work_is_irregular(which))
        work->error = call_irregular(work, from, to);
    else
        work->error = call_regular(work, from, to);
}

void work_fill(struct work *work, uint64_t seed)
{
    work->values = seed;
    if (work->call.which == WORK_BARRIER)
        return;
    memset(work->out.memory, 0x5a, work->out.bytes);
    memset(work->in.memory, 0x5a, work->in.bytes);
    if (work_reduces(work->call.which))
        fill_reduced(work);
    else
        fill_moved(work);
    memcpy(work->out.image, work->out.memory, work->out.bytes);
    memcpy(work->in.image, work->in.memory, work->in.bytes);
}

void work_begin(struct work *work, const struct work_call *call)
{
    *work = (struct work){.call = *call, .request = MPI_REQUEST_NULL};
    MPI_Comm_rank(call->comm, &work->me);
    MPI_Comm_size(call->comm, &work->ranks);
    if (work->ranks > WORK_RANKS || kind_count > KINDS_MOST || reduction_count > KINDS_MOST)
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (call->which == WORK_BARRIER) {
        make_call(work);
        return;
    }
    if (work_reduces(call->which))
        lay_reduced(work);
    else
        lay_moved(work);
    work_fill(work, call->seed);
    take_handles(work);
    fill_lists(work);
    make_call(work);
    leave_types(work);
    leave_handles(work);
}

/* What must lie in the receive buffer now, its image. */
static void expect_result(struct work *work)
{
    enum work_kind which = work->call.which;
    struct side *in = &work->in;
    int root = work->call.root, me = work->me;
    bool receives = !work_has_root(which) || which == WORK_BCAST || is_scatter(which) || me == root;
    if (!receives || (me == root && (which == WORK_BCAST || (is_scatter(which) && work->call.in_place))))
        return;
    if (which == WORK_EXSCAN && me == 0)
        memcpy(in->image, in->memory, in->bytes); /* it is not defined */
    else if (work_reduces(which))
        put_reduced(work, in, in->image, 0,
                    which == WORK_SCAN     ? me
                    : which == WORK_EXSCAN ? me - 1
                                           : work->ranks - 1,
                    reduced_units(work, me), in->counts[0]);
    else if (which == WORK_BCAST)
        put_moved(work, in, in->image, 0, root, 0);
    else if (is_scatter(which))
        put_moved(work, in, in->image, 0, root, me);
    else
        for (int r = 0; r < work->ranks; r++)
            put_moved(work, in, in->image, r, r, is_gather(which) ? 0 : me);
}

/* Gaps inside of predefined pairs may be copied or not. */
static int compare(const struct side *side)
{
    int wrong = 0;
    if (!side->layout->named || side->layout->extent == side->layout->size) {
        if (memcmp(side->memory, side->image, side->bytes) == 0)
            return 0;
        for (size_t i = 0; i < side->bytes; i++)
            wrong += side->memory[i] != side->image[i];
        return wrong;
    }
    const char *image = side->image + (side->base - side->memory);
    for (int b = 0; b < side->blocks; b++)
        for (int64_t i = 0; i < (int64_t)side->counts[b] * side->layout->size; i++) {
            int64_t at = side->places[b] * side->layout->extent + layout_place(side->layout, i);
            wrong += side->base[at] != image[at];
        }
    return wrong;
}

/* Buffers are the program's again: what is written there now must reach nobody. */
static void drop_side(struct side *side)
{
    if (side->memory != NULL)
        memset(side->memory, 0xa5, side->bytes);
    free(side->memory);
    free(side->image);
    side->memory = side->image = NULL;
}

int work_check(struct work *work)
{
    if (work->call.which == WORK_BARRIER)
        return 0;
    expect_result(work);
    return compare(&work->out) + compare(&work->in);
}

int work_free(struct work *work)
{
    int wrong = MPI_Request_free(&work->request) != MPI_SUCCESS || work->request != MPI_REQUEST_NULL;
    drop_side(&work->out);
    drop_side(&work->in);
    return wrong;
}

int work_end(struct work *work)
{
    int wrong = (work->error != MPI_SUCCESS) + (work->request != MPI_REQUEST_NULL) + work_check(work);
    drop_side(&work->out);
    drop_side(&work->in);
    return wrong;
}
