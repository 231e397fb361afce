/* SPDX-License-Identifier: BSD-3-Clause */
#include "each.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME(name) #name,
const char *const each_name[EACH_OPERATIONS] = {EACH_OPERATION(NAME)};
#undef NAME
#define FUNCTION(name) MPI_##name,
const struct each_functions each_mpi = {EACH_OPERATION(FUNCTION)};
#undef FUNCTION

/* All that a call needs. Buffers hold ROOM ints; all of the receive buffer counts. */
struct work {
    MPI_Comm comm;
    bool inter, in_place, sends;
    int rank, size, others, root, count, round; /* OTHERS: ranks that data goes to and comes from */
    int *out, *in, *copy;
    int *sent, *sent_at, *received, *received_at;
    MPI_Datatype out_type, in_type;     /* of one element */
    MPI_Datatype *out_types, *in_types; /* of alltoallw: the same for each block */
    MPI_Op op;
    size_t room;
};

uint64_t each_mix(uint64_t number, uint64_t with)
{
    number = (number ^ with) * 0x9e3779b97f4a7c15u;
    return number ^ number >> 29;
}

bool each_reduces(int which)
{
    return which == EACH_Allreduce || which == EACH_Reduce || which == EACH_Reduce_scatter ||
           which == EACH_Reduce_scatter_block || which == EACH_Scan || which == EACH_Exscan;
}

static bool has_root(int which)
{
    return which == EACH_Bcast || which == EACH_Reduce || which == EACH_Gather || which == EACH_Gatherv ||
           which == EACH_Scatter || which == EACH_Scatterv;
}

/* x -> ax + b, of pairs (a, b): associative, but the order counts. It asks about the datatype, as operators
 * may. */
static void compose(void *left, void *right, int *length, MPI_Datatype *type)
{
    const unsigned *f = left;
    unsigned *g = right;
    int integers, addresses, types, combiner;
    MPI_Type_get_envelope(*type, &integers, &addresses, &types, &combiner);
    if (combiner != MPI_COMBINER_CONTIGUOUS)
        fprintf(stderr, "FAILED: the operator is called with another datatype than the program's\n");
    for (int i = 0; i < *length; i++) {
        g[2 * i + 1] = f[2 * i] * g[2 * i + 1] + f[2 * i + 1];
        g[2 * i] = f[2 * i] * g[2 * i];
    }
}

static MPI_Datatype shared_pair, shared_spread;
static MPI_Op shared_composition;

static void make_pair(MPI_Datatype *pair, MPI_Op *composition)
{
    MPI_Type_contiguous(2, MPI_UNSIGNED, pair);
    MPI_Type_commit(pair);
    MPI_Op_create(compose, 0, composition);
}

static void make_spread(MPI_Datatype *spread)
{
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), spread);
    MPI_Type_commit(spread);
}

void each_begin(void)
{
    make_pair(&shared_pair, &shared_composition);
    make_spread(&shared_spread);
}

void each_end(void)
{
    MPI_Type_free(&shared_pair);
    MPI_Op_free(&shared_composition);
    MPI_Type_free(&shared_spread);
}

/* Elements that rank FROM has for rank TO, where ranks differ. */
static int uneven(const struct work *w, int from, int to)
{
    return (from + 2 * to + w->round) % (w->count + 1);
}

static void place(int ranks, const int *counts, int *displacements)
{
    for (int i = 0, at = 1; i < ranks; at += counts[i++] + 1)
        displacements[i] = at;
}

static const void *send_buffer(const struct work *w)
{
    return w->in_place ? MPI_IN_PLACE : w->out;
}

static int call_alltoall(const struct each_functions *f, struct work *w)
{
    return f->Alltoall(send_buffer(w), w->count, w->out_type, w->in, w->count, w->in_type, w->comm);
}

static int call_alltoallv(const struct each_functions *f, struct work *w)
{
    for (int i = 0; i < w->others; i++) { /* in place they are equal both ways */
        w->sent[i] = uneven(w, w->rank, i);
        w->received[i] = w->in_place ? (w->rank + i + w->round) % (w->count + 1) : uneven(w, i, w->rank);
    }
    place(w->others, w->sent, w->sent_at);
    place(w->others, w->received, w->received_at);
    return f->Alltoallv(send_buffer(w), w->sent, w->sent_at, w->out_type, w->in, w->received, w->received_at,
                        w->in_type, w->comm);
}

static int call_alltoallw(const struct each_functions *f, struct work *w)
{
    int wide = w->out_type == MPI_INT ? 1 : 2; /* ints from one element to the next */
    for (int i = 0; i < w->others; i++) {
        w->sent[i] = uneven(w, w->rank, i);
        w->received[i] = uneven(w, i, w->rank);
        w->out_types[i] = w->out_type;
        w->in_types[i] = w->in_type;
    }
    place(w->others, w->sent, w->sent_at);
    place(w->others, w->received, w->received_at);
    for (int i = 0; i < w->others; i++) {
        w->sent_at[i] *= wide * (int)sizeof(int);
        w->received_at[i] *= (int)sizeof(int);
    }
    return f->Alltoallw(w->out, w->sent, w->sent_at, w->out_types, w->in, w->received, w->received_at,
                        w->in_types, w->comm);
}

static int call_allgather(const struct each_functions *f, struct work *w)
{
    return f->Allgather(send_buffer(w), w->count, w->out_type, w->in, w->count, w->in_type, w->comm);
}

static int call_allgatherv(const struct each_functions *f, struct work *w)
{
    for (int i = 0; i < w->others; i++)
        w->received[i] = uneven(w, i, 0);
    place(w->others, w->received, w->received_at);
    return f->Allgatherv(send_buffer(w), uneven(w, w->rank, 0), w->out_type, w->in, w->received,
                         w->received_at, w->in_type, w->comm);
}

static int call_allreduce(const struct each_functions *f, struct work *w)
{
    return f->Allreduce(send_buffer(w), w->in, w->count, w->in_type, w->op, w->comm);
}

static int call_bcast(const struct each_functions *f, struct work *w)
{
    bool sends = w->inter ? w->sends : w->rank == w->root;
    return f->Bcast(w->in, w->count, sends ? w->in_type : w->out_type, w->root, w->comm);
}

/* Does this rank hold the operation's own buffer? What the others give for it counts for nothing. */
static bool is_root(const struct work *w)
{
    return w->root == (w->inter ? MPI_ROOT : w->rank);
}

static int call_reduce(const struct each_functions *f, struct work *w)
{
    bool root = is_root(w);
    return f->Reduce(w->in_place && root ? MPI_IN_PLACE : w->out, root ? w->in : NULL, w->count, w->in_type,
                     w->op, w->root, w->comm);
}

static int call_reduce_scatter_block(const struct each_functions *f, struct work *w)
{
    int count = w->inter ? w->count * w->others : w->count;
    return f->Reduce_scatter_block(send_buffer(w), w->in, count, w->in_type, w->op, w->comm);
}

static int call_reduce_scatter(const struct each_functions *f, struct work *w)
{
    for (int i = 0; i < w->size; i++) /* in an inter-communicator both groups have as many in all */
        w->received[i] = w->inter ? w->count * w->others : uneven(w, i, 0);
    return f->Reduce_scatter(send_buffer(w), w->in, w->received, w->in_type, w->op, w->comm);
}

static int call_gather(const struct each_functions *f, struct work *w)
{
    bool root = is_root(w);
    return f->Gather(w->in_place && root ? MPI_IN_PLACE : w->out, w->count, w->out_type, root ? w->in : NULL,
                     root ? w->count : -1, root ? w->in_type : MPI_DATATYPE_NULL, w->root, w->comm);
}

static int call_gatherv(const struct each_functions *f, struct work *w)
{
    bool root = is_root(w);
    for (int i = 0; i < w->others; i++)
        w->received[i] = uneven(w, i, 0);
    place(w->others, w->received, w->received_at);
    return f->Gatherv(w->in_place && root ? MPI_IN_PLACE : w->out, uneven(w, w->rank, 0), w->out_type,
                      root ? w->in : NULL, root ? w->received : NULL, root ? w->received_at : NULL,
                      root ? w->in_type : MPI_DATATYPE_NULL, w->root, w->comm);
}

static int call_scatter(const struct each_functions *f, struct work *w)
{
    bool root = is_root(w);
    return f->Scatter(root ? w->out : NULL, root ? w->count : -1, root ? w->out_type : MPI_DATATYPE_NULL,
                      w->in_place && root ? MPI_IN_PLACE : w->in, w->count, w->in_type, w->root, w->comm);
}

static int call_scatterv(const struct each_functions *f, struct work *w)
{
    bool root = is_root(w);
    for (int i = 0; i < w->others; i++)
        w->sent[i] = uneven(w, i, 0);
    place(w->others, w->sent, w->sent_at);
    return f->Scatterv(root ? w->out : NULL, root ? w->sent : NULL, root ? w->sent_at : NULL,
                       root ? w->out_type : MPI_DATATYPE_NULL, w->in_place && root ? MPI_IN_PLACE : w->in,
                       uneven(w, w->rank, 0), w->in_type, w->root, w->comm);
}

static int call_scan(const struct each_functions *f, struct work *w)
{
    return f->Scan(send_buffer(w), w->in, w->count, w->in_type, w->op, w->comm);
}

static int call_exscan(const struct each_functions *f, struct work *w)
{
    return f->Exscan(send_buffer(w), w->in, w->count, w->in_type, w->op, w->comm);
}

static int call_barrier(const struct each_functions *f, struct work *w)
{
    return f->Barrier(w->comm);
}

static int (*const calls[EACH_OPERATIONS])(const struct each_functions *, struct work *) = {
    call_alltoall,       call_alltoallv,  call_alltoallw,
    call_allgather,      call_allgatherv, call_allreduce,
    call_bcast,          call_reduce,     call_reduce_scatter_block,
    call_reduce_scatter, call_gather,     call_gatherv,
    call_scatter,        call_scatterv,   call_scan,
    call_exscan,         call_barrier,
};

static void find_place(struct work *w, const struct each_call *call)
{
    int inter;
    w->comm = call->comm;
    w->count = call->count;
    w->round = call->round;
    w->sends = call->sends;
    MPI_Comm_test_inter(w->comm, &inter);
    MPI_Comm_size(w->comm, &w->size);
    MPI_Comm_rank(w->comm, &w->rank);
    w->inter = inter;
    w->others = w->size;
    if (inter)
        MPI_Comm_remote_size(w->comm, &w->others);
    w->in_place = call->form == EACH_IN_PLACE && !inter;
    int root = call->round % (inter && !call->sends ? w->others : w->size);
    w->root = !inter || !call->sends ? root : w->rank == root ? MPI_ROOT : MPI_PROC_NULL;
}

static void fill(struct work *w, void *memory)
{
    size_t most = (size_t)(w->size > w->others ? w->size : w->others);
    w->room = 2 * (most * most * (size_t)w->count + most * (size_t)(w->count + 1) + 8);
    if (!w->inter)
        w->room = 2 * (most * (size_t)(w->count + 1) + 8);
    w->out = memory ? memory : malloc(3 * w->room * sizeof *w->out);
    w->in = w->out + w->room;
    w->copy = w->in + w->room;
    w->sent = calloc(4 * most, sizeof *w->sent);
    w->sent_at = w->sent + most;
    w->received = w->sent_at + most;
    w->received_at = w->received + most;
    w->out_types = malloc(2 * most * sizeof *w->out_types);
    w->in_types = w->out_types + most;
    for (size_t i = 0; i < 2 * w->room; i++)
        w->out[i] = (int)(each_mix((uint64_t)w->rank * 1000003 + (uint64_t)w->round, i) >> 40);
    memcpy(w->copy, w->out, w->room * sizeof *w->out);
}

static void choose_types(struct work *w, const struct each_call *call)
{
    w->out_type = w->in_type = MPI_INT;
    w->op = MPI_SUM;
    if (call->form == EACH_SPREAD && !each_reduces(call->which)) {
        w->out_type = shared_spread;
        if (call->short_lived)
            make_spread(&w->out_type);
    } else if (call->form == EACH_COMPOSED && each_reduces(call->which)) {
        w->in_type = shared_pair;
        w->op = shared_composition;
        if (call->short_lived)
            make_pair(&w->in_type, &w->op);
    }
}

static void free_types(struct work *w, const struct each_call *call)
{
    if (!call->short_lived)
        return;
    if (w->out_type != MPI_INT)
        MPI_Type_free(&w->out_type);
    if (w->in_type != MPI_INT)
        MPI_Type_free(&w->in_type);
    if (w->op != MPI_SUM)
        MPI_Op_free(&w->op);
}

uint64_t each_make(const struct each_functions *functions, const struct each_call *call)
{
    struct work w;
    find_place(&w, call);
    if (call->memory != NULL)
        call->open(true);
    fill(&w, call->memory);
    choose_types(&w, call);
    if (call->memory != NULL)
        call->open(false);
    int error = calls[call->which](functions, &w);
    if (call->memory != NULL)
        call->open(true);
    if (call->which == EACH_Exscan && w.rank == 0) /* which receives nothing that is defined */
        memset(w.in, 0, (size_t)w.count * 2 * sizeof *w.in);
    free_types(&w, call);
    if (error != MPI_SUCCESS)
        fprintf(stderr, "FAILED: %s: error %d\n", each_name[call->which], error);
    if (memcmp(w.copy, w.out, w.room * sizeof *w.out) != 0)
        fprintf(stderr, "FAILED: %s writes into the send buffer\n", each_name[call->which]);
    bool nothing = w.inter && has_root(call->which) && call->sends && w.root == MPI_PROC_NULL;
    uint64_t number = 0;
    for (size_t i = 0; i < w.room && !nothing; i++)
        number = each_mix(number, (uint64_t)w.in[i]);
    if (call->memory != NULL)
        call->open(false);
    else
        free(w.out);
    free(w.sent);
    free(w.out_types);
    return number;
}

void each_say(const char *what, uint64_t number)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank != 0)
        MPI_Send(&number, 1, MPI_UINT64_T, 0, 77, MPI_COMM_WORLD);
    for (int from = 1; rank == 0 && from < size; from++) {
        uint64_t other;
        MPI_Recv(&other, 1, MPI_UINT64_T, from, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        number = each_mix(number, other);
    }
    if (rank == 0)
        printf("%s: %016llx\n", what, (unsigned long long)number);
    fflush(stdout);
}

#if MPI_VERSION >= 4
enum { MOST = 1024 };
static const MPI_Count *wide(const int *counts, MPI_Comm comm, MPI_Count *to)
{
    int size;
    MPI_Comm_size(comm, &size);
    for (int i = 0; counts && i < size && i < MOST; i++)
        to[i] = counts[i];
    return counts ? to : NULL;
}

static int alltoall_c(const void *out, int sent, MPI_Datatype type, void *in, int received, MPI_Datatype into,
                      MPI_Comm comm)
{
    return MPI_Alltoall_c(out, sent, type, in, received, into, comm);
}

static int alltoallv_c(const void *out, const int sent[], const int from[], MPI_Datatype type, void *in,
                       const int received[], const int to[], MPI_Datatype into, MPI_Comm comm)
{
    MPI_Count a[MOST], c[MOST];
    MPI_Count b[MOST], d[MOST]; /* as MPI_Aint: both have 64 bits */
    _Static_assert(sizeof(MPI_Count) == sizeof(MPI_Aint), "displacements");
    return MPI_Alltoallv_c(out, wide(sent, comm, a), (const MPI_Aint *)wide(from, comm, b), type, in,
                           wide(received, comm, c), (const MPI_Aint *)wide(to, comm, d), into, comm);
}

static int alltoallw_c(const void *out, const int sent[], const int from[], const MPI_Datatype types[],
                       void *in, const int received[], const int to[], const MPI_Datatype into[],
                       MPI_Comm comm)
{
    MPI_Count a[MOST], b[MOST], c[MOST], d[MOST];
    return MPI_Alltoallw_c(out, wide(sent, comm, a), (const MPI_Aint *)wide(from, comm, b), types, in,
                           wide(received, comm, c), (const MPI_Aint *)wide(to, comm, d), into, comm);
}

static int allgather_c(const void *out, int sent, MPI_Datatype type, void *in, int received,
                       MPI_Datatype into, MPI_Comm comm)
{
    return MPI_Allgather_c(out, sent, type, in, received, into, comm);
}

static int allgatherv_c(const void *out, int sent, MPI_Datatype type, void *in, const int received[],
                        const int to[], MPI_Datatype into, MPI_Comm comm)
{
    MPI_Count c[MOST], d[MOST];
    return MPI_Allgatherv_c(out, sent, type, in, wide(received, comm, c), (const MPI_Aint *)wide(to, comm, d),
                            into, comm);
}

static int allreduce_c(const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return MPI_Allreduce_c(out, in, count, type, op, comm);
}

static int bcast_c(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    return MPI_Bcast_c(buffer, count, type, root, comm);
}

static int reduce_c(const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, int root,
                    MPI_Comm comm)
{
    return MPI_Reduce_c(out, in, count, type, op, root, comm);
}

static int reduce_scatter_block_c(const void *out, void *in, int count, MPI_Datatype type, MPI_Op op,
                                  MPI_Comm comm)
{
    return MPI_Reduce_scatter_block_c(out, in, count, type, op, comm);
}

static int reduce_scatter_c(const void *out, void *in, const int counts[], MPI_Datatype type, MPI_Op op,
                            MPI_Comm comm)
{
    MPI_Count c[MOST];
    return MPI_Reduce_scatter_c(out, in, wide(counts, comm, c), type, op, comm);
}

static int gather_c(const void *out, int sent, MPI_Datatype type, void *in, int received, MPI_Datatype into,
                    int root, MPI_Comm comm)
{
    return MPI_Gather_c(out, sent, type, in, received, into, root, comm);
}

static int gatherv_c(const void *out, int sent, MPI_Datatype type, void *in, const int received[],
                     const int to[], MPI_Datatype into, int root, MPI_Comm comm)
{
    MPI_Count c[MOST], d[MOST];
    return MPI_Gatherv_c(out, sent, type, in, wide(received, comm, c), (const MPI_Aint *)wide(to, comm, d),
                         into, root, comm);
}

static int scatter_c(const void *out, int sent, MPI_Datatype type, void *in, int received, MPI_Datatype into,
                     int root, MPI_Comm comm)
{
    return MPI_Scatter_c(out, sent, type, in, received, into, root, comm);
}

static int scatterv_c(const void *out, const int sent[], const int from[], MPI_Datatype type, void *in,
                      int received, MPI_Datatype into, int root, MPI_Comm comm)
{
    MPI_Count a[MOST], b[MOST];
    return MPI_Scatterv_c(out, wide(sent, comm, a), (const MPI_Aint *)wide(from, comm, b), type, in, received,
                          into, root, comm);
}

static int scan_c(const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return MPI_Scan_c(out, in, count, type, op, comm);
}

static int exscan_c(const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return MPI_Exscan_c(out, in, count, type, op, comm);
}

const struct each_functions each_large = {
    alltoall_c,       alltoallv_c,  alltoallw_c,
    allgather_c,      allgatherv_c, allreduce_c,
    bcast_c,          reduce_c,     reduce_scatter_block_c,
    reduce_scatter_c, gather_c,     gatherv_c,
    scatter_c,        scatterv_c,   scan_c,
    exscan_c,         MPI_Barrier,
};
#endif
