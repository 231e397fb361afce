/* SPDX-License-Identifier: BSD-3-Clause
 * Mock-ups: an operation of MPI done by others of the MPI library. Data moves as MPI_BYTE, in the program's
 * buffers where they are dense, else in packed copies of them: so all ranks send and receive alike, whatever
 * their datatypes. Reductions take elements of the program's datatype. */
#include "runtime/mockups.h"
#include "algorithms/method.h"
#include "exec/execute.h"
#include "exec/native.h"
#include "exec/run.h"
#include "exec/side.h"
#include "exec/temporary.h"
#include "runtime/call.h"
#include "runtime/operations.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 64 };

/* How much room a mock-up needs for something: as many bytes as the operation measures, or of all ranks. */
enum room { NONE, BLOCK, BLOCKS };

/* One call of a mock-up. */
struct work {
    const struct star_call *call;
    MPI_Comm comm;         /* of the operations */
    MPI_Comm messages;     /* of packing, and of looking at buffers */
    int size, rank, count; /* COUNT elements of a reduction */
    int64_t bytes;         /* as the operation measures them */
    struct star_side send, recv;
    char *typed;                   /* for elements of the program's datatype */
    int64_t typed_room;            /* bytes */
    char *send_bytes, *recv_bytes; /* for packed copies of the buffers */
    int *counts, *displs;          /* of each rank */
    struct star_room grown;        /* in place of TYPED where the datatype's gaps need more */
};

/* Data. */

/* Where the bytes of SIDE lie: in the program's buffer or, packed, in ROOM. */
static char *bytes_at(const struct star_side *side, char *room)
{
    return side->dense ? side->base : room;
}

static int copy(const struct work *w, struct star_side to, int64_t to_offset, struct star_side from,
                int64_t from_offset, int64_t bytes)
{
    if (to.dense && from.dense && (char *)to.base + to_offset == (char *)from.base + from_offset)
        return MPI_SUCCESS;
    return star_side_copy(to, to_offset, from, from_offset, bytes, w->messages);
}

/* What *AT holds after, if it is ROOM and not the buffer itself. */
static int pack(const struct work *w, const struct star_side *side, char *room, int64_t bytes, char **at)
{
    *at = bytes_at(side, room);
    return copy(w, star_side_packed(*at), 0, *side, 0, bytes);
}

static int unpack(const struct work *w, const struct star_side *side, const char *at, int64_t bytes)
{
    return copy(w, *side, 0, star_side_packed((void *)(uintptr_t)at), 0, bytes);
}

/* This rank's block to its place among all at *ALL: the receive buffer's bytes where it has one. */
static int place_own(const struct work *w, char **all)
{
    *all = bytes_at(&w->recv, w->recv_bytes);
    return copy(w, star_side_packed(*all), w->rank * w->bytes, w->send, 0, w->bytes);
}

/* What every rank's part is of COUNT things of SCALE each, as even as can be; COUNTS and DISPLS to match. */
static void cut(const struct work *w, int64_t count, int scale)
{
    for (int64_t k = 0; k < w->size; k++) {
        w->displs[k] = (int)(count * k / w->size) * scale;
        w->counts[k] = (int)(count * (k + 1) / w->size) * scale - w->displs[k];
    }
}

/* Elements. */

/* Room for COUNT elements of the program's datatype, which may have gaps: how many only the call tells. */
static int make_elements(struct work *w, int64_t count, struct star_side *elements)
{
    struct star_plot plot;
    *elements = w->send;
    int error = star_elements_lay(elements, count, count, 0, &plot);
    bool fits = !error && plot.bytes <= w->typed_room;
    if (!error && !fits)
        error = star_room_grow(&w->grown, (size_t)plot.bytes);
    if (!error)
        star_elements_put(elements, &plot, fits ? w->typed : w->grown.at);
    return error;
}

/* Between sides of the program's datatype. */
static int copy_elements(const struct work *w, const struct star_side *to, const struct star_side *from,
                         int64_t from_offset, int64_t bytes)
{
    if (to->dense || from->dense)
        return copy(w, *to, 0, *from, from_offset, bytes);
    struct star_side packed = star_side_packed(w->recv_bytes);
    int error = star_side_copy(packed, 0, *from, from_offset, bytes, w->messages);
    return error ? error : star_side_copy(*to, 0, packed, 0, bytes, w->messages);
}

/* The mock-ups. */

static int alltoall_alltoallv(struct work *w)
{
    bool in_place = w->call->sendbuf == MPI_IN_PLACE;
    int64_t all = w->size * w->bytes;
    char *from = w->send_bytes, *to = bytes_at(&w->recv, w->recv_bytes);
    int error = in_place ? copy(w, star_side_packed(from), 0, w->recv, 0, all)
                         : pack(w, &w->send, w->send_bytes, all, &from);
    if (error)
        return error;
    cut(w, w->size, (int)w->bytes);
    error = star_native.Alltoallv(from, w->counts, w->displs, MPI_BYTE, to, w->counts, w->displs, MPI_BYTE,
                                  w->comm);
    return error ? error : unpack(w, &w->recv, to, all);
}

static int allgather_gather_bcast(struct work *w)
{
    char *all;
    int error = place_own(w, &all), bytes = (int)w->bytes;
    if (!error)
        error = star_native.Gather(w->rank == 0 ? MPI_IN_PLACE : all + w->rank * w->bytes, bytes, MPI_BYTE,
                                   all, bytes, MPI_BYTE, 0, w->comm);
    if (!error)
        error = star_native.Bcast(all, w->size * bytes, MPI_BYTE, 0, w->comm);
    return error ? error : unpack(w, &w->recv, all, w->size * w->bytes);
}

static int allgather_alltoall(struct work *w)
{
    char *all = bytes_at(&w->recv, w->recv_bytes);
    int error = copy(w, star_side_packed(w->send_bytes), 0, w->send, 0, w->bytes), bytes = (int)w->bytes;
    if (error)
        return error;
    for (int k = 1; k < w->size; k++)
        memcpy(w->send_bytes + k * w->bytes, w->send_bytes, (size_t)w->bytes);
    error = star_native.Alltoall(w->send_bytes, bytes, MPI_BYTE, all, bytes, MPI_BYTE, w->comm);
    return error ? error : unpack(w, &w->recv, all, w->size * w->bytes);
}

static int allgather_allreduce(struct work *w)
{
    char *all;
    int error = place_own(w, &all);
    int64_t own = w->rank * w->bytes, end = own + w->bytes;
    if (error)
        return error;
    memset(all, 0, (size_t)own);
    memset(all + end, 0, (size_t)(w->size * w->bytes - end));
    error = star_native.Allreduce(MPI_IN_PLACE, all, w->size * (int)w->bytes, MPI_BYTE, MPI_BOR, w->comm);
    return error ? error : unpack(w, &w->recv, all, w->size * w->bytes);
}

static int allgather_allgatherv(struct work *w)
{
    char *all;
    int error = place_own(w, &all);
    cut(w, w->size, (int)w->bytes);
    if (!error)
        error =
            star_native.Allgatherv(MPI_IN_PLACE, 0, MPI_BYTE, all, w->counts, w->displs, MPI_BYTE, w->comm);
    return error ? error : unpack(w, &w->recv, all, w->size * w->bytes);
}

/* In parts of one length, in a copy of the vector where they are longer than it together. The root's vector
 * is only read, so that it works in a copy always. */
static int bcast_scatter_allgather(struct work *w)
{
    int64_t part = (w->bytes + w->size - 1) / w->size, rest = part * w->size - w->bytes;
    bool root = w->rank == w->call->root;
    char *all = rest == 0 && !root ? bytes_at(&w->recv, w->recv_bytes) : w->recv_bytes,
         *own = all + w->rank * part;
    int error = root ? copy(w, star_side_packed(all), 0, w->recv, 0, w->bytes) : MPI_SUCCESS;
    if (root)
        memset(all + w->bytes, 0, (size_t)rest);
    if (!error)
        error = star_native.Scatter(all, (int)part, MPI_BYTE, root ? MPI_IN_PLACE : own, (int)part, MPI_BYTE,
                                    w->call->root, w->comm);
    if (!error)
        error = star_native.Allgather(MPI_IN_PLACE, 0, MPI_BYTE, all, (int)part, MPI_BYTE, w->comm);
    return error || root ? error : unpack(w, &w->recv, all, w->bytes);
}

static int bcast_allgatherv(struct work *w)
{
    bool root = w->rank == w->call->root;
    char *all = root ? w->recv_bytes : bytes_at(&w->recv, w->recv_bytes); /* the root's may be read-only */
    int error = root ? copy(w, star_side_packed(all), 0, w->recv, 0, w->bytes) : MPI_SUCCESS;
    for (int k = 0; k < w->size; k++) {
        w->counts[k] = k == w->call->root ? (int)w->bytes : 0;
        w->displs[k] = k > w->call->root ? (int)w->bytes : 0;
    }
    if (!error)
        error =
            star_native.Allgatherv(MPI_IN_PLACE, 0, MPI_BYTE, all, w->counts, w->displs, MPI_BYTE, w->comm);
    return error || root ? error : unpack(w, &w->recv, all, w->bytes);
}

static int gather_allgather(struct work *w)
{
    char *all;
    int error = place_own(w, &all);
    if (!error)
        error = star_native.Allgather(MPI_IN_PLACE, 0, MPI_BYTE, all, (int)w->bytes, MPI_BYTE, w->comm);
    return error || w->rank != w->call->root ? error : unpack(w, &w->recv, all, w->size * w->bytes);
}

static int gather_gatherv(struct work *w)
{
    char *own, *all;
    bool root = w->rank == w->call->root;
    int error = root ? place_own(w, &all) : pack(w, &w->send, w->send_bytes, w->bytes, &own);
    if (error)
        return error;
    if (!root)
        return star_native.Gatherv(own, (int)w->bytes, MPI_BYTE, NULL, NULL, NULL, MPI_BYTE, w->call->root,
                                   w->comm);
    cut(w, w->size, (int)w->bytes);
    error = star_native.Gatherv(MPI_IN_PLACE, 0, MPI_BYTE, all, w->counts, w->displs, MPI_BYTE, w->call->root,
                                w->comm);
    return error ? error : unpack(w, &w->recv, all, w->size * w->bytes);
}

/* The program may have what it scatters in memory that can only be read, and some libraries' broadcasts write
 * what is there already into the root's buffer. */
static int scatter_bcast(struct work *w)
{
    char *all = w->send_bytes;
    int error = MPI_SUCCESS;
    if (w->rank == w->call->root)
        error = copy(w, star_side_packed(all), 0, w->send, 0, w->size * w->bytes);
    if (!error)
        error = star_native.Bcast(all, w->size * (int)w->bytes, MPI_BYTE, w->call->root, w->comm);
    return error || w->call->recvbuf == MPI_IN_PLACE
               ? error
               : unpack(w, &w->recv, all + w->rank * w->bytes, w->bytes);
}

static int scatter_scatterv(struct work *w)
{
    bool root = w->rank == w->call->root, in_place = w->call->recvbuf == MPI_IN_PLACE;
    char *all = NULL, *own = bytes_at(&w->recv, w->recv_bytes);
    int error = root ? pack(w, &w->send, w->send_bytes, w->size * w->bytes, &all) : MPI_SUCCESS;
    cut(w, w->size, (int)w->bytes);
    if (!error)
        error = star_native.Scatterv(all, w->counts, w->displs, MPI_BYTE, in_place ? MPI_IN_PLACE : own,
                                     (int)w->bytes, MPI_BYTE, w->call->root, w->comm);
    return error || in_place ? error : unpack(w, &w->recv, own, w->bytes);
}

static int allreduce_reduce_bcast(struct work *w)
{
    const struct star_call *c = w->call;
    char *all;
    int error = w->rank == 0
                    ? star_native.Reduce(c->sendbuf, c->recvbuf, w->count, c->recvtype, c->op, 0, w->comm)
                    : star_native.Reduce(w->send.base, NULL, w->count, c->recvtype, c->op, 0, w->comm);
    if (error)
        return error;
    all = bytes_at(&w->recv, w->recv_bytes);
    if (w->rank == 0)
        error = copy(w, star_side_packed(all), 0, w->recv, 0, w->bytes);
    if (!error)
        error = star_native.Bcast(all, (int)w->bytes, MPI_BYTE, 0, w->comm);
    return error || w->rank == 0 ? error : unpack(w, &w->recv, all, w->bytes);
}

/* After the reduce-scatter of an allreduce: gathers the parts of the result, this rank's of which lies at
 * OWN. */
static int gather_parts(struct work *w, const struct star_side *own, bool even)
{
    int64_t element = w->recv.size;
    char *all = bytes_at(&w->recv, w->recv_bytes);
    cut(w, w->count, (int)element);
    int64_t start = w->displs[w->rank], bytes = w->counts[w->rank];
    int error = copy(w, star_side_packed(all), start, *own, 0, bytes);
    if (!error && even)
        error = star_native.Allgather(MPI_IN_PLACE, 0, MPI_BYTE, all, (int)bytes, MPI_BYTE, w->comm);
    else if (!error)
        error =
            star_native.Allgatherv(MPI_IN_PLACE, 0, MPI_BYTE, all, w->counts, w->displs, MPI_BYTE, w->comm);
    return error ? error : unpack(w, &w->recv, all, w->bytes);
}

static int allreduce_parts(struct work *w, bool even)
{
    const struct star_call *c = w->call;
    struct star_side own;
    cut(w, w->count, 1);
    int error = make_elements(w, w->counts[w->rank], &own);
    if (error)
        return error;
    error = even ? star_native.Reduce_scatter_block(w->send.base, own.base, w->counts[0], c->recvtype, c->op,
                                                    w->comm)
                 : star_native.Reduce_scatter(w->send.base, own.base, w->counts, c->recvtype, c->op, w->comm);
    return error ? error : gather_parts(w, &own, even);
}

static int allreduce_reduce_scatter_block_allgather(struct work *w)
{
    return allreduce_parts(w, true);
}

static int allreduce_reduce_scatter_allgatherv(struct work *w)
{
    return allreduce_parts(w, false);
}

/* Only the root has a receive buffer, and may have its input there: elsewhere, or then, it goes on in room of
 * ours. */
static int reduce_allreduce(struct work *w)
{
    const struct star_call *c = w->call;
    bool root = w->rank == c->root, in_place = c->sendbuf == MPI_IN_PLACE;
    struct star_side result = w->recv;
    int error = root && !in_place ? MPI_SUCCESS : make_elements(w, w->count, &result);
    if (!error)
        error = star_native.Allreduce(w->send.base, result.base, w->count, c->recvtype, c->op, w->comm);
    return error || !in_place ? error : copy_elements(w, &w->recv, &result, 0, w->bytes);
}

static int reduce_reduce_scatter_gatherv(struct work *w)
{
    const struct star_call *c = w->call;
    struct star_side part;
    char *own, *all = bytes_at(&w->recv, w->recv_bytes);
    cut(w, w->count, 1);
    int error = make_elements(w, w->counts[w->rank], &part);
    if (!error)
        error = star_native.Reduce_scatter(w->send.base, part.base, w->counts, c->recvtype, c->op, w->comm);
    cut(w, w->count, (int)w->send.size);
    if (!error)
        error = pack(w, &part, w->send_bytes, w->counts[w->rank], &own);
    if (!error)
        error = star_native.Gatherv(own, w->counts[w->rank], MPI_BYTE, all, w->counts, w->displs, MPI_BYTE,
                                    c->root, w->comm);
    return error || w->rank != c->root ? error : unpack(w, &w->recv, all, w->bytes);
}

static int reduce_scatter_block_reduce_then_scatter(struct work *w)
{
    const struct star_call *c = w->call;
    struct star_side sum = {0};
    int64_t elements = (int64_t)w->size * w->count;
    char *all = NULL, *own = bytes_at(&w->recv, w->recv_bytes);
    int error = w->rank == 0 ? make_elements(w, elements, &sum) : MPI_SUCCESS;
    if (!error)
        error = star_native.Reduce(w->send.base, sum.base, (int)elements, c->recvtype, c->op, 0, w->comm);
    if (!error && w->rank == 0)
        error = pack(w, &sum, w->send_bytes, w->size * w->bytes, &all);
    if (!error)
        error = star_native.Scatter(all, (int)w->bytes, MPI_BYTE, own, (int)w->bytes, MPI_BYTE, 0, w->comm);
    return error ? error : unpack(w, &w->recv, own, w->bytes);
}

static int reduce_scatter_block_reduce_scatter(struct work *w)
{
    const struct star_call *c = w->call;
    for (int k = 0; k < w->size; k++)
        w->counts[k] = w->count;
    return star_native.Reduce_scatter(c->sendbuf, c->recvbuf, w->counts, c->recvtype, c->op, w->comm);
}

static int reduce_scatter_block_allreduce(struct work *w)
{
    const struct star_call *c = w->call;
    struct star_side sum;
    int64_t elements = (int64_t)w->size * w->count;
    int error = make_elements(w, elements, &sum);
    if (!error)
        error = star_native.Allreduce(w->send.base, sum.base, (int)elements, c->recvtype, c->op, w->comm);
    return error ? error : copy_elements(w, &w->recv, &sum, w->rank * w->bytes, w->bytes);
}

static int scan_exscan(struct work *w)
{
    const struct star_call *c = w->call;
    struct star_side before;
    int error = make_elements(w, w->count, &before);
    if (!error)
        error = star_native.Exscan(w->send.base, before.base, w->count, c->recvtype, c->op, w->comm);
    if (!error && c->sendbuf != MPI_IN_PLACE)
        error = copy_elements(w, &w->recv, &w->send, 0, w->bytes);
    return error || w->rank == 0 ? error
                                 : PMPI_Reduce_local(before.base, w->recv.base, w->count, c->recvtype, c->op);
}

/* What each runs, and its room: for elements, and for packed copies of either buffer. */
static const struct mockup {
    int (*run)(struct work *work);
    enum room typed, send, recv;
    bool even;     /* the elements must be a multiple of the ranks */
    bool together; /* reduces the blocks of all ranks as one vector */
} mockups[STAR_MOCKUPS] = {
    [STAR_MOCKUP_ALLTOALL_ALLTOALLV] = {alltoall_alltoallv, NONE, BLOCKS, BLOCKS, false, false},
    [STAR_MOCKUP_ALLGATHER_GATHER_BCAST] = {allgather_gather_bcast, NONE, NONE, BLOCKS, false, false},
    [STAR_MOCKUP_ALLGATHER_ALLTOALL] = {allgather_alltoall, NONE, BLOCKS, BLOCKS, false, false},
    [STAR_MOCKUP_ALLGATHER_ALLREDUCE] = {allgather_allreduce, NONE, NONE, BLOCKS, false, false},
    [STAR_MOCKUP_ALLGATHER_ALLGATHERV] = {allgather_allgatherv, NONE, NONE, BLOCKS, false, false},
    [STAR_MOCKUP_ALLREDUCE_REDUCE_BCAST] = {allreduce_reduce_bcast, NONE, NONE, BLOCK, false, false},
    [STAR_MOCKUP_ALLREDUCE_REDUCE_SCATTER_BLOCK_ALLGATHER] = {allreduce_reduce_scatter_block_allgather, BLOCK,
                                                              NONE, BLOCK, true, false},
    [STAR_MOCKUP_ALLREDUCE_REDUCE_SCATTER_ALLGATHERV] = {allreduce_reduce_scatter_allgatherv, BLOCK, NONE,
                                                         BLOCK, false, false},
    [STAR_MOCKUP_BCAST_SCATTER_ALLGATHER] = {bcast_scatter_allgather, NONE, NONE, BLOCK, false, false},
    [STAR_MOCKUP_BCAST_ALLGATHERV] = {bcast_allgatherv, NONE, NONE, BLOCK, false, false},
    [STAR_MOCKUP_GATHER_ALLGATHER] = {gather_allgather, NONE, NONE, BLOCKS, false, false},
    [STAR_MOCKUP_GATHER_GATHERV] = {gather_gatherv, NONE, BLOCK, BLOCKS, false, false},
    [STAR_MOCKUP_SCATTER_BCAST] = {scatter_bcast, NONE, BLOCKS, NONE, false, false},
    [STAR_MOCKUP_SCATTER_SCATTERV] = {scatter_scatterv, NONE, BLOCKS, BLOCK, false, false},
    [STAR_MOCKUP_REDUCE_ALLREDUCE] = {reduce_allreduce, BLOCK, NONE, BLOCK, false, false},
    [STAR_MOCKUP_REDUCE_REDUCE_SCATTER_GATHERV] = {reduce_reduce_scatter_gatherv, BLOCK, BLOCK, BLOCK, false,
                                                   false},
    [STAR_MOCKUP_REDUCE_SCATTER_BLOCK_REDUCE_THEN_SCATTER] = {reduce_scatter_block_reduce_then_scatter,
                                                              BLOCKS, BLOCKS, BLOCK, false, true},
    [STAR_MOCKUP_REDUCE_SCATTER_BLOCK_REDUCE_SCATTER] = {reduce_scatter_block_reduce_scatter, NONE, NONE,
                                                         NONE, false, false},
    [STAR_MOCKUP_REDUCE_SCATTER_BLOCK_ALLREDUCE] = {reduce_scatter_block_allreduce, BLOCKS, NONE, BLOCK,
                                                    false, true},
    [STAR_MOCKUP_SCAN_EXSCAN] = {scan_exscan, BLOCK, NONE, BLOCK, false, false},
};

/* With as much more as makes parts of one length of any vector. */
static int64_t room_of(enum room room, int size, int64_t bytes)
{
    int64_t needed = room == NONE ? 0 : room == BLOCK ? bytes + size : size * bytes;
    return (needed + LINE - 1) / LINE * LINE;
}

/* Twice: pairs such as MPI_DOUBLE_INT have gaps, too. */
static int64_t typed_room_of(enum room room, int size, int64_t bytes)
{
    return 2 * room_of(room, size, bytes) + 2 * (int64_t)LINE;
}

int64_t star_mockup_scratch(enum star_mockup mockup, const struct star_communicator *state,
                            const struct star_facts *facts)
{
    const struct mockup *row = &mockups[mockup];
    int64_t size = state->size, bytes = facts->bytes;
    bool all = row->typed == BLOCKS || row->send == BLOCKS || row->recv == BLOCKS;
    if (bytes > INT_MAX / (all ? size : 1) - size || (row->even && bytes / facts->granule % size != 0))
        return -1;
    /* Blocks of the program's own datatypes may overlap where they are sent, and not as one vector. */
    if (row->together && facts->own_operator)
        return -1;
    return typed_room_of(row->typed, state->size, bytes) + room_of(row->send, state->size, bytes) +
           room_of(row->recv, state->size, bytes) + 2 * size * (int64_t)sizeof(int);
}

static int find_sides(struct work *w, const struct star_communicator *state, const struct star_facts *facts)
{
    struct star_buffers buffers = {0};
    int error = star_servers[w->call->operation].buffers(w->call, state, facts, &buffers);
    w->send = buffers.send;
    w->recv = buffers.recv;
    if (!error && w->send.size > 0)
        error = star_side_check(&w->send, w->messages);
    if (!error && w->recv.size > 0)
        error = star_side_check(&w->recv, w->messages);
    return error;
}

int star_mockup_run(enum star_mockup mockup, const struct star_communicator *state,
                    const struct star_call *call, const struct star_facts *facts, char *scratch)
{
    const struct mockup *row = &mockups[mockup];
    struct work work = {.call = call,
                        .comm = state->route.whole,
                        .messages = state->route.comm,
                        .size = state->size,
                        .rank = state->rank,
                        .bytes = facts->bytes,
                        .typed = scratch,
                        .typed_room = typed_room_of(row->typed, state->size, facts->bytes)};
    work.count = (int)(facts->bytes / facts->granule);
    work.send_bytes = work.typed + work.typed_room;
    work.recv_bytes = work.send_bytes + room_of(row->send, state->size, facts->bytes);
    work.counts = (int *)(void *)(work.recv_bytes + room_of(row->recv, state->size, facts->bytes));
    work.displs = work.counts + state->size;
    int error = find_sides(&work, state, facts);
    if (!error)
        error = row->run(&work);
    star_room_free(&work.grown);
    return error;
}
