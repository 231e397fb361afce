/* SPDX-License-Identifier: BSD-3-Clause */
#include "patterns/collective.h"
#include "algorithms/operations.h"
#include "patterns/refuse.h"
#include "patterns/vmap.h"
#include "runtime/communicator.h"
#include "runtime/dispatch.h"
#include "runtime/operations.h"
#include "runtime/session.h"
#include "runtime/state.h"

/* What a vector of an operation holds for each rank. */
enum part {
    NOTHING, /* the operation has no such vector */
    ONE,     /* a block of this rank */
    EACH,    /* a block for each rank */
    LIST,    /* blocks that differ */
    REDUCED  /* elements to be reduced */
};

static const struct {
    enum part send, receive;
} parts[STAR_OPERATIONS] = {
    [STAR_ALLTOALL] = {EACH, EACH},
    [STAR_ALLTOALLV] = {LIST, LIST},
    [STAR_ALLTOALLW] = {NOTHING, NOTHING}, /* no function set */
    [STAR_ALLGATHER] = {ONE, EACH},
    [STAR_ALLGATHERV] = {ONE, LIST},
    [STAR_ALLREDUCE] = {REDUCED, REDUCED},
    [STAR_BCAST] = {NOTHING, ONE},
    [STAR_REDUCE] = {REDUCED, REDUCED},
    [STAR_REDUCE_SCATTER_BLOCK] = {REDUCED, REDUCED},
    [STAR_REDUCE_SCATTER] = {REDUCED, LIST},
    [STAR_GATHER] = {ONE, EACH},
    [STAR_GATHERV] = {ONE, LIST},
    [STAR_SCATTER] = {EACH, ONE},
    [STAR_SCATTERV] = {LIST, ONE},
    [STAR_SCAN] = {REDUCED, REDUCED},
    [STAR_EXSCAN] = {REDUCED, REDUCED},
    [STAR_BARRIER] = {NOTHING, NOTHING},
};

/* The maps that each of these may have. */
static bool map_suits(enum part part, enum star_map map)
{
    switch (part) {
    case ONE:
    case EACH:
        return map == STAR_MAP_ALL || map == STAR_MAP_ALLTOALL;
    case LIST:
        return map == STAR_MAP_LIST;
    case REDUCED:
        return map == STAR_MAP_REDUCE;
    case NOTHING:
        break;
    }
    return true;
}

static const char *const maps_wanted[] = {"none", "all or alltoall", "all or alltoall", "list",
                                          "reduce or allreduce"};

/* One vector of the operation, as this rank sees it. */
struct face {
    const struct star_vector *vector;
    enum part part;
    bool sending, needed;
    const char *argument;
};

/* What is gathered counts at the root only, and what is scattered too. */
static struct face face_of(const struct star_request *request, bool sending)
{
    enum star_operation operation = request->fnctset->operation;
    struct face face = {.vector = sending ? request->send : request->receive,
                        .part = sending ? parts[operation].send : parts[operation].receive,
                        .sending = sending,
                        .argument = sending ? "send" : "receive"};
    bool at_root = request->topology && request->topology->rank == request->root;
    bool collects = operation == STAR_GATHER || operation == STAR_GATHERV || operation == STAR_REDUCE;
    bool spreads = operation == STAR_SCATTER || operation == STAR_SCATTERV;
    face.needed = face.part != NOTHING && (at_root || !((collects && !sending) || (spreads && sending)));
    return face;
}

static bool is_in_place(const struct face *face)
{
    return face->vector != NULL && face->vector->vmap->map == STAR_MAP_IN_PLACE;
}

/* Elements of a block. */
static int64_t count_of(const struct face *face, int size)
{
    const struct star_vector *vector = face->vector;
    if (vector->vmap->map == STAR_MAP_ALLTOALL)
        return face->sending ? vector->vmap->sendcount : vector->vmap->recvcount;
    return face->part == EACH ? vector->elements / size : vector->elements;
}

static int check_list(const struct face *face, int size, const char *name, const char *call)
{
    const struct star_vmap *map = face->vector->vmap;
    if (map->size != size)
        return star_refuse(STAR_ERR_VMAP, call, "%s has a list for %d ranks, function-set %s runs on %d",
                           face->argument, map->size, name, size);
    for (int r = 0; r < size; r++)
        if (map->displs[r] < 0 || (int64_t)map->displs[r] + map->counts[r] > face->vector->elements)
            return star_refuse(
                STAR_ERR_VMAP, call,
                "%s has %lld elements: entry %d of its list, %d from element %d on, lies outside",
                face->argument, (long long)face->vector->elements, r, map->counts[r], map->displs[r]);
    return STAR_SUCCESS;
}

static int check_blocks(const struct face *face, int size, const char *name, const char *call)
{
    int64_t blocks = face->part == EACH ? size : 1, elements = face->vector->elements;
    if (face->vector->vmap->map == STAR_MAP_ALL && elements % blocks != 0)
        return star_refuse(STAR_ERR_DIMS, call,
                           "%s has %lld elements: function-set %s needs as many for each of %d ranks",
                           face->argument, (long long)elements, name, size);
    if (count_of(face, size) * blocks > elements)
        return star_refuse(STAR_ERR_DIMS, call, "%s has %lld elements, fewer than its map's %lld",
                           face->argument, (long long)elements, (long long)(count_of(face, size) * blocks));
    return STAR_SUCCESS;
}

static int check_face(const struct star_request *request, bool sending, const char *call)
{
    struct face face = face_of(request, sending);
    const char *name = request->fnctset->name;
    if (!face.needed || is_in_place(&face))
        return STAR_SUCCESS;
    if (face.vector == NULL)
        return star_refuse(STAR_ERR_VECTOR, call, "%s is STAR_VECTOR_NULL: function-set %s needs one",
                           face.argument, name);
    if (!map_suits(face.part, face.vector->vmap->map))
        return star_refuse(STAR_ERR_VMAP, call, "%s has a vector map %s: function-set %s needs %s",
                           face.argument, star_map_names[face.vector->vmap->map], name,
                           maps_wanted[face.part]);
    if (face.part == LIST)
        return check_list(&face, request->topology->size, name, call);
    return face.part == REDUCED ? STAR_SUCCESS : check_blocks(&face, request->topology->size, name, call);
}

/* What is reduced and scattered by a list is sent whole. */
static int check_list_of_reduced(const struct face *send, const struct face *receive, const char *name,
                                 const char *call)
{
    int64_t all = 0;
    for (int r = 0; r < receive->vector->vmap->size; r++)
        all += receive->vector->vmap->counts[r];
    if (send->vector->elements == all && star_vector_is_of_same(send->vector, receive->vector))
        return STAR_SUCCESS;
    return star_refuse(
        STAR_ERR_DIMS, call,
        "send has %lld elements, receive's list %lld: function-set %s needs as many, of one datatype",
        (long long)send->vector->elements, (long long)all, name);
}

/* In place, the receiving vector holds what this rank sends: a block for each. */
static int check_blocks_of_reduced(const struct face *receive, int size, const char *name, const char *call)
{
    if (receive->vector->elements % size == 0)
        return STAR_SUCCESS;
    return star_refuse(
        STAR_ERR_DIMS, call,
        "receive has %lld elements, and send is in place: function-set %s needs as many for each "
        "of %d ranks",
        (long long)receive->vector->elements, name, size);
}

/* Both vectors of a reduction are reduced alike. */
static int check_reduction(const struct star_request *request, const char *call)
{
    struct face send = face_of(request, true), receive = face_of(request, false);
    const char *name = request->fnctset->name;
    if (send.part != REDUCED)
        return STAR_SUCCESS;
    if (is_in_place(&send) && receive.part != REDUCED)
        return star_refuse(STAR_ERR_VMAP, call,
                           "send is in place: function-set %s needs the operator of its map", name);
    if (is_in_place(&send) && !receive.needed)
        return star_refuse(STAR_ERR_VMAP, call, "send is in place, but this rank is not the root");
    if (is_in_place(&send) && request->fnctset->operation == STAR_REDUCE_SCATTER_BLOCK)
        return check_blocks_of_reduced(&receive, request->topology->size, name, call);
    if (!is_in_place(&send) && receive.needed && receive.part == LIST)
        return check_list_of_reduced(&send, &receive, name, call);
    if (is_in_place(&send) || !receive.needed || receive.part != REDUCED)
        return STAR_SUCCESS;
    if (send.vector->vmap->op != receive.vector->vmap->op)
        return star_refuse(STAR_ERR_OP, call, "send and receive have maps of different operators");
    int64_t blocks = request->fnctset->operation == STAR_REDUCE_SCATTER_BLOCK ? request->topology->size : 1;
    if (send.vector->elements != blocks * receive.vector->elements ||
        !star_vector_is_of_same(send.vector, receive.vector))
        return star_refuse(
            STAR_ERR_DIMS, call,
            "send has %lld elements, receive %lld: function-set %s needs %lld, of one datatype",
            (long long)send.vector->elements, (long long)receive.vector->elements, name,
            (long long)(blocks * receive.vector->elements));
    return STAR_SUCCESS;
}

/* What a vector holds for rank R: from the first byte to behind the last one. */
struct span {
    intptr_t begin, end;
};

static struct span span_of(const struct face *face, int r, int size)
{
    const struct star_vector *vector = face->vector;
    bool listed = face->part == LIST;
    int64_t first = listed ? vector->vmap->displs[r] : 0;
    int64_t count = listed ? vector->vmap->counts[r] : count_of(face, size) * (face->part == EACH ? size : 1);
    intptr_t begin = (intptr_t)vector->data + first * vector->element_bytes;
    return (struct span){begin, begin + count * vector->element_bytes};
}

/* Lists may be of different places in one array. Of two lists only what they say of one rank is compared. */
static bool do_overlap(const struct face *send, const struct face *receive, int size)
{
    for (int r = 0; r < size; r++) {
        struct span a = span_of(send, r, size), b = span_of(receive, r, size);
        intptr_t begin = a.begin > b.begin ? a.begin : b.begin, end = a.end < b.end ? a.end : b.end;
        if (begin < end)
            return true;
    }
    return false;
}

/* MPI sends from one place and receives at another, or is told that it is one. */
static int check_places(const struct star_request *request, const char *call)
{
    struct face send = face_of(request, true), receive = face_of(request, false);
    bool scatters = send.part != REDUCED && receive.part == ONE;
    if (!send.needed || !receive.needed || is_in_place(&send) || is_in_place(&receive) ||
        !do_overlap(&send, &receive, request->topology->size))
        return STAR_SUCCESS;
    return star_refuse(STAR_ERR_DATA, call,
                       "send and receive lie in the same memory: function-set %s needs two arrays, or a %s "
                       "vector with a map inplace",
                       request->fnctset->name, scatters ? "receive" : "send");
}

int star_collective_check(const struct star_request *request, const char *call)
{
    if (request->topology == NULL)
        return star_refuse(STAR_ERR_TOPOLOGY, call,
                           "topology is STAR_TOPOLOGY_NULL: function-set %s needs one",
                           request->fnctset->name);
    int error = check_face(request, true, call);
    if (error == STAR_SUCCESS)
        error = check_face(request, false, call);
    if (error == STAR_SUCCESS)
        error = check_reduction(request, call);
    return error == STAR_SUCCESS ? check_places(request, call) : error;
}

static void describe_send(struct star_call *call, const struct face *face, int size)
{
    call->sendtype = MPI_DATATYPE_NULL;
    if (!face->needed || face->vector == NULL)
        return;
    call->sendbuf = face->vector->data;
    call->sendtype = face->vector->datatype;
    if (is_in_place(face))
        return;
    call->op = face->vector->vmap->op;
    call->sendcounts = face->vector->vmap->counts;
    call->senddispls = face->vector->vmap->displs;
    call->sendcount = count_of(face, size);
}

static void describe_receive(struct star_call *call, const struct face *face, int size)
{
    call->recvtype = MPI_DATATYPE_NULL;
    if (!face->needed || face->vector == NULL)
        return;
    call->recvbuf = face->vector->data;
    call->recvtype = face->vector->datatype;
    if (is_in_place(face))
        return;
    if (face->part == REDUCED)
        call->op = face->vector->vmap->op;
    call->recvcounts = face->vector->vmap->counts;
    call->recvdispls = face->vector->vmap->displs;
    call->recvcount = count_of(face, size);
}

struct star_call star_collective_call(const struct star_request *request)
{
    struct star_call call = {.operation = request->fnctset->operation,
                             .op = MPI_OP_NULL,
                             .root = request->root,
                             .comm = request->topology->comm};
    struct face send = face_of(request, true), receive = face_of(request, false);
    describe_send(&call, &send, request->topology->size);
    describe_receive(&call, &receive, request->topology->size);
    if (send.part == REDUCED && !receive.needed) { /* MPI has one count and one datatype for both */
        call.recvcount = call.sendcount;
        call.recvtype = call.sendtype;
    }
    if (receive.part == LIST && send.part == REDUCED) /* the operator's datatype */
        call.recvtype = call.sendtype;
    if (call.operation == STAR_REDUCE_SCATTER_BLOCK && is_in_place(&send))
        call.recvcount /= request->topology->size;
    return call;
}

int star_collective_run(const struct star_call *call)
{
    struct star_communicator *state = NULL;
    int error = star_active_by_name ? star_communicator_of(call->comm, &state) : MPI_SUCCESS;
    if (error != MPI_SUCCESS)
        return error;
    return state ? star_dispatch(call, state) : star_servers[call->operation].native(call);
}

int star_collective_result(const struct star_request *request, int error, const char *call)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;
    if (error == MPI_SUCCESS)
        return STAR_SUCCESS;
    PMPI_Error_string(error, text, &length);
    return star_refuse(STAR_ERR_INTERN, call, "function-set %s: %s", request->fnctset->name, text);
}
