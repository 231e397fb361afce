/* SPDX-License-Identifier: BSD-3-Clause
 * What the runtime must know of each operation: the MPI library's own routine, what of a call is equal on all
 * ranks, and where its data lies. */
#include "runtime/operations.h"
#include "algorithms/operations.h"
#include "dialect/handles.h"
#include "exec/library.h"
#include "exec/native.h"
#include "exec/run.h"
#include "exec/side.h"
#include "runtime/call.h"
#include "runtime/operators.h"
#include "runtime/session.h"

/* The MPI library's own; where it has functions for counts of either size, the call says which it was. */
#if MPI_VERSION >= 4
#define LARGE(name, ...)                                                                                     \
    if (c->large)                                                                                            \
        return star_native.name##_c(__VA_ARGS__);
#else
#define LARGE(name, ...)
#endif
#define NATIVE(operation, name, ...)                                                                         \
    static int operation##_native(const struct star_call *c)                                                 \
    {                                                                                                        \
        LARGE(name, __VA_ARGS__)                                                                             \
        return star_native.name(__VA_ARGS__);                                                                \
    }                                                                                                        \
    static int operation##_begin(const struct star_call *c, MPI_Request *request)                            \
    {                                                                                                        \
        LARGE(I##operation, __VA_ARGS__, request)                                                            \
        return star_native.I##operation(__VA_ARGS__, request);                                               \
    }
NATIVE(alltoall, Alltoall, c->sendbuf, c->sendcount, c->sendtype, c->recvbuf, c->recvcount, c->recvtype,
       c->comm)
NATIVE(allgather, Allgather, c->sendbuf, c->sendcount, c->sendtype, c->recvbuf, c->recvcount, c->recvtype,
       c->comm)
NATIVE(gather, Gather, c->sendbuf, c->sendcount, c->sendtype, c->recvbuf, c->recvcount, c->recvtype, c->root,
       c->comm)
NATIVE(scatter, Scatter, c->sendbuf, c->sendcount, c->sendtype, c->recvbuf, c->recvcount, c->recvtype,
       c->root, c->comm)
NATIVE(allreduce, Allreduce, c->sendbuf, c->recvbuf, c->recvcount, c->recvtype, c->op, c->comm)
NATIVE(reduce, Reduce, c->sendbuf, c->recvbuf, c->recvcount, c->recvtype, c->op, c->root, c->comm)
NATIVE(scan, Scan, c->sendbuf, c->recvbuf, c->recvcount, c->recvtype, c->op, c->comm)
NATIVE(exscan, Exscan, c->sendbuf, c->recvbuf, c->recvcount, c->recvtype, c->op, c->comm)
NATIVE(reduce_scatter_block, Reduce_scatter_block, c->sendbuf, c->recvbuf, c->recvcount, c->recvtype, c->op,
       c->comm)
NATIVE(bcast, Bcast, c->recvbuf, c->recvcount, c->recvtype, c->root, c->comm)
NATIVE(alltoallv, Alltoallv, c->sendbuf, c->sendcounts, c->senddispls, c->sendtype, c->recvbuf, c->recvcounts,
       c->recvdispls, c->recvtype, c->comm)
NATIVE(alltoallw, Alltoallw, c->sendbuf, c->sendcounts, c->senddispls, c->sendtypes, c->recvbuf,
       c->recvcounts, c->recvdispls, c->recvtypes, c->comm)
NATIVE(allgatherv, Allgatherv, c->sendbuf, c->sendcount, c->sendtype, c->recvbuf, c->recvcounts,
       c->recvdispls, c->recvtype, c->comm)
NATIVE(gatherv, Gatherv, c->sendbuf, c->sendcount, c->sendtype, c->recvbuf, c->recvcounts, c->recvdispls,
       c->recvtype, c->root, c->comm)
NATIVE(scatterv, Scatterv, c->sendbuf, c->sendcounts, c->senddispls, c->sendtype, c->recvbuf, c->recvcount,
       c->recvtype, c->root, c->comm)
NATIVE(reduce_scatter, Reduce_scatter, c->sendbuf, c->recvbuf, c->recvcounts, c->recvtype, c->op, c->comm)

static int barrier_native(const struct star_call *c)
{
    return star_native.Barrier(c->comm);
}

static int barrier_begin(const struct star_call *c, MPI_Request *request)
{
    return star_native.Ibarrier(c->comm, request);
}

/* Facts. */

bool star_takes_datatype(MPI_Datatype type)
{
    return type != MPI_DATATYPE_NULL &&
           PMPI_Send(NULL, 0, type, MPI_PROC_NULL, 0, star_alone()) == MPI_SUCCESS;
}

bool star_takes_operator(MPI_Op op, MPI_Datatype type)
{
    return star_native.Allreduce(NULL, NULL, 0, type, op, star_alone()) == MPI_SUCCESS;
}

/* Functions that take no communicator would raise a wrong handle on MPI_COMM_WORLD, not where native does. Of
 * handles that are addresses nothing can be found out. */
static bool is_datatype(MPI_Datatype type)
{
    if (!STAR_IS_NUMBER(MPI_Datatype) || STAR_IS_BUILTIN(type))
        return type != MPI_DATATYPE_NULL;
    return star_takes_datatype(type);
}

static bool is_operator(MPI_Op op)
{
    if (!STAR_IS_NUMBER(MPI_Op) || STAR_IS_BUILTIN(op))
        return op != MPI_OP_NULL;
    return op != MPI_OP_NULL && star_takes_operator(op, MPI_INT);
}

int64_t star_bytes_of(int64_t count, MPI_Datatype type)
{
    MPI_Count size;
    int64_t bytes;
    if (count < 0 || !is_datatype(type) || PMPI_Type_size_x(type, &size) != MPI_SUCCESS || size < 0 ||
        __builtin_mul_overflow(count, (int64_t)size, &bytes))
        return -1;
    return bytes;
}

static int64_t send_bytes(const struct star_call *c)
{
    return star_bytes_of(c->sendcount, c->sendtype);
}

static int64_t recv_bytes(const struct star_call *c)
{
    return star_bytes_of(c->recvcount, c->recvtype);
}

static bool has_root(const struct star_call *c, const struct star_communicator *state,
                     struct star_facts *facts)
{
    facts->root = c->root;
    return c->root >= 0 && c->root < state->size;
}

/* Some libraries refuse buffers that are one; others take them, and what is then right for some ranks (their
 * own block lies where it belongs already) must not make a rank go native by itself. Asked last, as hardly
 * any call has such buffers. */
static bool refuses_one_buffer(void)
{
    return star_dialect_here()->refuses_one_buffer;
}

/* Are as many bytes received as sent? Where the library finds OWN sent onto itself, all else is its. */
static bool agrees(const struct star_call *c, int64_t bytes, int64_t own)
{
    if (c->sendtype != c->recvtype)
        return bytes == recv_bytes(c);
    return c->sendcount == c->recvcount && ((uintptr_t)c->sendbuf != (uintptr_t)c->recvbuf + (uintptr_t)own ||
                                            bytes == 0 || !refuses_one_buffer());
}

static bool facts_of_all(const struct star_call *c, const struct star_communicator *state,
                         struct star_facts *facts)
{
    facts->in_place = c->sendbuf == MPI_IN_PLACE;
    facts->bytes = recv_bytes(c);
    int64_t own = c->operation == STAR_ALLGATHER ? state->rank * facts->bytes : 0;
    if (facts->bytes <= 0 || c->recvbuf == MPI_IN_PLACE)
        return false;
    bool same = c->sendcount == c->recvcount && c->sendtype == c->recvtype;
    int64_t sent = facts->in_place || same ? facts->bytes : send_bytes(c);
    if (sent < 0)
        return false;
    facts->wrong = sent != facts->bytes;
    return facts->in_place || facts->wrong || agrees(c, facts->bytes, own);
}

static bool facts_of_gather(const struct star_call *c, const struct star_communicator *state,
                            struct star_facts *facts)
{
    if (!has_root(c, state, facts))
        return false;
    bool root = c->root == state->rank, in_place = c->sendbuf == MPI_IN_PLACE;
    facts->bytes = root ? recv_bytes(c) : send_bytes(c);
    return facts->bytes > 0 && (root ? c->recvbuf != MPI_IN_PLACE &&
                                           (in_place || agrees(c, send_bytes(c), state->rank * facts->bytes))
                                     : !in_place);
}

static bool facts_of_scatter(const struct star_call *c, const struct star_communicator *state,
                             struct star_facts *facts)
{
    if (!has_root(c, state, facts))
        return false;
    bool root = c->root == state->rank, in_place = c->recvbuf == MPI_IN_PLACE;
    facts->bytes = root ? send_bytes(c) : recv_bytes(c);
    return facts->bytes > 0 && (root ? c->sendbuf != MPI_IN_PLACE &&
                                           (in_place || agrees(c, facts->bytes, -state->rank * facts->bytes))
                                     : !in_place);
}

static bool facts_of_bcast(const struct star_call *c, const struct star_communicator *state,
                           struct star_facts *facts)
{
    facts->bytes = recv_bytes(c);
    return facts->bytes > 0 && has_root(c, state, facts) && c->recvbuf != MPI_IN_PLACE;
}

/* The operator, and the size of the elements that it must not split. */
static bool has_operator(const struct star_call *c, struct star_facts *facts)
{
    int commutative, number;
    facts->granule = star_bytes_of(1, c->recvtype);
    if (facts->granule <= 0 || !is_operator(c->op) || !star_operator_suits(c->op, c->recvtype) ||
        PMPI_Op_commutative(c->op, &commutative) != MPI_SUCCESS)
        return false;
    facts->commutative = commutative;
    facts->own_operator = star_operator_name(c->op, &number) == NULL;
    return true;
}

/* NULL is a mistake but for MPI_BOTTOM, and that for none of MPI's own datatypes. The methods would meet it
 * on some ranks only: not all send, or receive. */
static bool is_missing(const void *buffer, int64_t bytes, MPI_Datatype type)
{
    int combiner;
    return buffer == NULL && bytes > 0 && star_combiner_of(type, &combiner) == MPI_SUCCESS &&
           combiner == MPI_COMBINER_NAMED;
}

static bool is_one_buffer(const struct star_call *c)
{
    return c->sendbuf == c->recvbuf && star_operations[c->operation].expected.reduces &&
           c->operation != STAR_REDUCE; /* where only the root has two */
}

/* Libraries that take one buffer for both refuse it in allreduce of more than one element, and in reduce. */
bool star_is_in_place(const struct star_call *c)
{
    return is_one_buffer(c) && (c->operation != STAR_ALLREDUCE || c->recvcount <= 1) && !refuses_one_buffer();
}

static bool is_aliased(const struct star_call *c)
{
    return is_one_buffer(c) && !star_is_in_place(c);
}

static bool facts_of_vector(const struct star_call *c, const struct star_communicator *state,
                            struct star_facts *facts)
{
    /* Of prefix sums MPI does not say that all ranks must do it. */
    bool is_everywhere = c->operation != STAR_SCAN && c->operation != STAR_EXSCAN;
    facts->in_place = is_everywhere && c->sendbuf == MPI_IN_PLACE;
    facts->bytes = recv_bytes(c);
    if (facts->bytes <= 0 || !has_operator(c, facts) || is_missing(c->sendbuf, facts->bytes, c->recvtype))
        return false;
    /* Exscan's receive buffer is of no significance on rank 0; what is refused elsewhere is so there, too. */
    bool receives =
        c->operation != STAR_EXSCAN || state->rank != 0 || facts->in_place || refuses_one_buffer();
    return !receives || (!is_aliased(c) && c->recvbuf != MPI_IN_PLACE &&
                         !is_missing(c->recvbuf, facts->bytes, c->recvtype));
}

static bool facts_of_reduce(const struct star_call *c, const struct star_communicator *state,
                            struct star_facts *facts)
{
    if (!has_root(c, state, facts))
        return false;
    bool root = c->root == state->rank;
    facts->bytes = recv_bytes(c);
    return facts->bytes > 0 && has_operator(c, facts) &&
           (root ? c->sendbuf != c->recvbuf && c->recvbuf != MPI_IN_PLACE : c->sendbuf != MPI_IN_PLACE);
}

static bool facts_of_barrier(const struct star_call *c, const struct star_communicator *state,
                             struct star_facts *facts)
{
    (void)c, (void)state, (void)facts;
    return true;
}

int64_t star_count_at(bool large, const void *counts, int64_t k)
{
    return large ? (int64_t)((const MPI_Count *)counts)[k] : ((const int *)counts)[k];
}

/* What all ranks' blocks are together; negative where a count is wrong. */
static int64_t all_bytes(const struct star_call *c, const struct star_communicator *state)
{
    int64_t total = 0;
    for (int k = 0; k < state->size; k++) {
        int64_t count = star_count_at(c->large, c->recvcounts, k);
        if (count < 0)
            return -1;
        total += count;
    }
    return star_bytes_of(total, c->recvtype);
}

static bool has_counts(const struct star_call *c, const struct star_communicator *state, const void *counts,
                       const void *displs, MPI_Datatype type)
{
    if (counts == NULL || displs == NULL || star_bytes_of(0, type) < 0)
        return false;
    for (int k = 0; k < state->size; k++)
        if (star_count_at(c->large, counts, k) < 0)
            return false;
    return true;
}

static bool facts_of_allgatherv(const struct star_call *c, const struct star_communicator *state,
                                struct star_facts *facts)
{
    if (c->recvcounts == NULL || c->recvdispls == NULL || c->recvbuf == MPI_IN_PLACE)
        return false;
    facts->in_place = c->sendbuf == MPI_IN_PLACE;
    facts->bytes = all_bytes(c, state);
    return facts->bytes > 0 &&
           (facts->in_place ||
            send_bytes(c) == star_bytes_of(star_count_at(c->large, c->recvcounts, state->rank), c->recvtype));
}

/* Some ranks may do it in place and others not (MPI-4.0, section 6.10.2). */
static bool facts_of_reduce_scatter(const struct star_call *c, const struct star_communicator *state,
                                    struct star_facts *facts)
{
    if (c->recvcounts == NULL)
        return false;
    facts->bytes = all_bytes(c, state);
    bool receives = star_count_at(c->large, c->recvcounts, state->rank) > 0 || refuses_one_buffer();
    return facts->bytes > 0 && has_operator(c, facts) && c->recvbuf != MPI_IN_PLACE &&
           (!receives || !is_aliased(c)) && !is_missing(c->sendbuf, facts->bytes, c->recvtype) &&
           !is_missing(c->recvbuf, star_count_at(c->large, c->recvcounts, state->rank), c->recvtype);
}

/* One buffer and one array of counts for both sides are a mistake to some libraries, whatever they hold.
 * Others take them, and on some ranks nothing may be wrong with them. */
static bool is_refused_as_one(const struct star_call *c)
{
    return c->sendbuf == c->recvbuf && c->sendtype == c->recvtype && c->sendcounts == c->recvcounts &&
           c->sendtypes == c->recvtypes && refuses_one_buffer();
}

/* In place it stays native: the copy that it needs has a length of its own on each rank. */
static bool facts_of_alltoallv(const struct star_call *c, const struct star_communicator *state,
                               struct star_facts *facts)
{
    facts->bytes = STAR_BYTES_UNKNOWN;
    return c->sendbuf != MPI_IN_PLACE && c->recvbuf != MPI_IN_PLACE &&
           has_counts(c, state, c->sendcounts, c->senddispls, c->sendtype) &&
           has_counts(c, state, c->recvcounts, c->recvdispls, c->recvtype) && !is_refused_as_one(c);
}

/* Of a block without elements the datatype may be none at all. */
static bool has_types(const struct star_call *c, const struct star_communicator *state, const void *counts,
                      const void *displs, const MPI_Datatype *types)
{
    if (counts == NULL || displs == NULL || types == NULL)
        return false;
    for (int k = 0; k < state->size; k++) {
        int64_t count = star_count_at(c->large, counts, k);
        bool known = k > 0 && types[k] == types[k - 1] && star_count_at(c->large, counts, k - 1) > 0;
        if (count < 0 || (count > 0 && !known && !is_datatype(types[k])))
            return false;
    }
    return true;
}

static bool facts_of_alltoallw(const struct star_call *c, const struct star_communicator *state,
                               struct star_facts *facts)
{
    facts->bytes = STAR_BYTES_UNKNOWN;
    return c->sendbuf != MPI_IN_PLACE && c->recvbuf != MPI_IN_PLACE &&
           has_types(c, state, c->sendcounts, c->senddispls, c->sendtypes) &&
           has_types(c, state, c->recvcounts, c->recvdispls, c->recvtypes) && !is_refused_as_one(c);
}

static bool facts_of_gatherv(const struct star_call *c, const struct star_communicator *state,
                             struct star_facts *facts)
{
    facts->bytes = STAR_BYTES_UNKNOWN;
    if (!has_root(c, state, facts))
        return false;
    if (c->root != state->rank)
        return c->sendbuf != MPI_IN_PLACE && send_bytes(c) >= 0;
    return c->recvbuf != MPI_IN_PLACE && has_counts(c, state, c->recvcounts, c->recvdispls, c->recvtype) &&
           (c->sendbuf == MPI_IN_PLACE ||
            send_bytes(c) == star_bytes_of(star_count_at(c->large, c->recvcounts, state->rank), c->recvtype));
}

static bool facts_of_scatterv(const struct star_call *c, const struct star_communicator *state,
                              struct star_facts *facts)
{
    facts->bytes = STAR_BYTES_UNKNOWN;
    if (!has_root(c, state, facts))
        return false;
    if (c->root != state->rank)
        return c->recvbuf != MPI_IN_PLACE && recv_bytes(c) >= 0;
    return c->sendbuf != MPI_IN_PLACE && has_counts(c, state, c->sendcounts, c->senddispls, c->sendtype) &&
           (c->recvbuf == MPI_IN_PLACE ||
            recv_bytes(c) == star_bytes_of(star_count_at(c->large, c->sendcounts, state->rank), c->sendtype));
}

/* Buffers. */

static int send_side(const struct star_call *c, struct star_buffers *b)
{
    return star_side_renew(&b->send, (void *)(uintptr_t)c->sendbuf, c->sendtype);
}

static int recv_side(const struct star_call *c, struct star_buffers *b)
{
    return star_side_renew(&b->recv, c->recvbuf, c->recvtype);
}

static int alltoall_buffers(const struct star_call *c, const struct star_communicator *state,
                            const struct star_facts *facts, struct star_buffers *b)
{
    (void)state;
    int error = recv_side(c, b);
    return error || facts->in_place ? error : send_side(c, b);
}

static int gather_buffers(const struct star_call *c, const struct star_communicator *state,
                          const struct star_facts *facts, struct star_buffers *b)
{
    bool receives = c->operation == STAR_ALLGATHER || facts->root == state->rank;
    bool in_place = c->sendbuf == MPI_IN_PLACE;
    int error = receives ? recv_side(c, b) : MPI_SUCCESS;
    if (!error && !in_place)
        error = send_side(c, b);
    if (!error && in_place)
        b->send = star_side_shifted(&b->recv, state->rank * c->recvcount);
    return error;
}

static int scatter_buffers(const struct star_call *c, const struct star_communicator *state,
                           const struct star_facts *facts, struct star_buffers *b)
{
    bool in_place = c->recvbuf == MPI_IN_PLACE;
    int error = facts->root == state->rank ? send_side(c, b) : MPI_SUCCESS;
    if (!error && !in_place)
        error = recv_side(c, b);
    if (!error && in_place)
        b->recv = star_side_shifted(&b->send, state->rank * c->sendcount);
    return error;
}

static int bcast_buffers(const struct star_call *c, const struct star_communicator *state,
                         const struct star_facts *facts, struct star_buffers *b)
{
    (void)state, (void)facts;
    return recv_side(c, b);
}

static int reduction_buffers(const struct star_call *c, const struct star_communicator *state,
                             const struct star_facts *facts, struct star_buffers *b)
{
    bool receives = c->operation != STAR_REDUCE || facts->root == state->rank;
    b->op = c->op;
    int error = receives ? recv_side(c, b) : MPI_SUCCESS;
    if (!error && c->sendbuf == MPI_IN_PLACE)
        b->send = b->recv;
    else if (!error)
        error = star_side_renew(&b->send, (void *)(uintptr_t)c->sendbuf, c->recvtype);
    return error;
}

static int reduce_scatter_buffers(const struct star_call *c, const struct star_communicator *state,
                                  const struct star_facts *facts, struct star_buffers *b)
{
    int error = reduction_buffers(c, state, facts, b);
    b->send.counts = c->recvcounts;
    b->send.wide = c->large;
    b->recv.counts = NULL;
    b->recv.count = star_count_at(c->large, c->recvcounts, state->rank);
    return error;
}

static int no_buffers(const struct star_call *c, const struct star_communicator *state,
                      const struct star_facts *facts, struct star_buffers *b)
{
    (void)c, (void)state, (void)facts, (void)b;
    return MPI_SUCCESS;
}

static void give_counts(const struct star_call *c, struct star_side *side, const void *counts,
                        const void *displs)
{
    side->counts = counts;
    side->displs = displs;
    side->wide = c->large;
}

int64_t star_displ_at(bool large, const void *displs, int64_t k)
{
    return large ? (int64_t)((const MPI_Aint *)displs)[k] : ((const int *)displs)[k];
}

/* The one block that RANK has in SIDE, as a side of its own. */
static struct star_side own_block(const struct star_call *c, const struct star_side *side, int rank)
{
    struct star_side own = star_side_shifted(side, star_displ_at(c->large, side->displs, rank));
    own.count = star_count_at(c->large, side->counts, rank);
    own.counts = own.displs = NULL;
    return own;
}

static int alltoallv_buffers(const struct star_call *c, const struct star_communicator *state,
                             const struct star_facts *facts, struct star_buffers *b)
{
    (void)state, (void)facts;
    int error = send_side(c, b);
    if (!error)
        error = recv_side(c, b);
    give_counts(c, &b->send, c->sendcounts, c->senddispls);
    give_counts(c, &b->recv, c->recvcounts, c->recvdispls);
    return error;
}

/* Displacements are bytes: elements of one byte each, in which the blocks' own are found. */
static struct star_side side_of_types(const struct star_call *c, const void *base, const void *counts,
                                      const void *displs, const MPI_Datatype *types)
{
    struct star_side side = star_side_packed((void *)(uintptr_t)base);
    side.type = MPI_BYTE;
    side.types = types;
    give_counts(c, &side, counts, displs);
    return side;
}

static int alltoallw_buffers(const struct star_call *c, const struct star_communicator *state,
                             const struct star_facts *facts, struct star_buffers *b)
{
    (void)state, (void)facts;
    b->send = side_of_types(c, c->sendbuf, c->sendcounts, c->senddispls, c->sendtypes);
    b->recv = side_of_types(c, c->recvbuf, c->recvcounts, c->recvdispls, c->recvtypes);
    return MPI_SUCCESS;
}

static int gatherv_buffers(const struct star_call *c, const struct star_communicator *state,
                           const struct star_facts *facts, struct star_buffers *b)
{
    bool receives = c->operation == STAR_ALLGATHERV || facts->root == state->rank;
    bool in_place = c->sendbuf == MPI_IN_PLACE;
    int error = receives ? recv_side(c, b) : MPI_SUCCESS;
    if (receives)
        give_counts(c, &b->recv, c->recvcounts, c->recvdispls);
    if (!error && in_place)
        b->send = own_block(c, &b->recv, state->rank);
    else if (!error) {
        error = send_side(c, b);
        b->send.counts = NULL;
        b->send.count = c->sendcount;
    }
    return error;
}

static int scatterv_buffers(const struct star_call *c, const struct star_communicator *state,
                            const struct star_facts *facts, struct star_buffers *b)
{
    bool sends = facts->root == state->rank, in_place = c->recvbuf == MPI_IN_PLACE;
    int error = sends ? send_side(c, b) : MPI_SUCCESS;
    if (sends)
        give_counts(c, &b->send, c->sendcounts, c->senddispls);
    if (!error && in_place)
        b->recv = own_block(c, &b->send, state->rank);
    else if (!error) {
        error = recv_side(c, b);
        b->recv.counts = NULL;
        b->recv.count = c->recvcount;
    }
    return error;
}

const struct star_server star_servers[STAR_OPERATIONS] = {
    [STAR_ALLTOALL] = {alltoall_native, alltoall_begin, facts_of_all, alltoall_buffers},
    [STAR_ALLTOALLV] = {alltoallv_native, alltoallv_begin, facts_of_alltoallv, alltoallv_buffers},
    [STAR_ALLTOALLW] = {alltoallw_native, alltoallw_begin, facts_of_alltoallw, alltoallw_buffers},
    [STAR_ALLGATHER] = {allgather_native, allgather_begin, facts_of_all, gather_buffers},
    [STAR_ALLGATHERV] = {allgatherv_native, allgatherv_begin, facts_of_allgatherv, gatherv_buffers},
    [STAR_ALLREDUCE] = {allreduce_native, allreduce_begin, facts_of_vector, reduction_buffers},
    [STAR_BCAST] = {bcast_native, bcast_begin, facts_of_bcast, bcast_buffers},
    [STAR_REDUCE] = {reduce_native, reduce_begin, facts_of_reduce, reduction_buffers},
    [STAR_REDUCE_SCATTER_BLOCK] = {reduce_scatter_block_native, reduce_scatter_block_begin, facts_of_vector,
                                   reduction_buffers},
    [STAR_REDUCE_SCATTER] = {reduce_scatter_native, reduce_scatter_begin, facts_of_reduce_scatter,
                             reduce_scatter_buffers},
    [STAR_GATHER] = {gather_native, gather_begin, facts_of_gather, gather_buffers},
    [STAR_GATHERV] = {gatherv_native, gatherv_begin, facts_of_gatherv, gatherv_buffers},
    [STAR_SCATTER] = {scatter_native, scatter_begin, facts_of_scatter, scatter_buffers},
    [STAR_SCATTERV] = {scatterv_native, scatterv_begin, facts_of_scatterv, scatterv_buffers},
    [STAR_SCAN] = {scan_native, scan_begin, facts_of_vector, reduction_buffers},
    [STAR_EXSCAN] = {exscan_native, exscan_begin, facts_of_vector, reduction_buffers},
    [STAR_BARRIER] = {barrier_native, barrier_begin, facts_of_barrier, no_buffers},
};
