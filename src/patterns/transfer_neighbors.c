/* SPDX-License-Identifier: BSD-3-Clause
 * MPI's neighbourhood collectives. All messages of a pair of ranks are joined, in the order of their sender's
 * sides: MPI libraries match several of them in different orders. MPICH 4.2 pairs the first that is sent with
 * the last that is received. */
#include "patterns/transfer_neighbors.h"
#include "halo/neighborhood.h"
#include "runtime/agree.h"
#include "util/why.h"

#include <stdlib.h>

/* One way: the ranks, and what the collective takes for each. Counts are weights too: no rank is moved by
 * them. */
struct list {
    int length;
    int *rank, *count;
    MPI_Aint *at;
    MPI_Datatype *type;
    bool *joined; /* the datatype is made here, of several messages */
};

struct star_neighbor_call {
    struct list sent, received;
};

static bool make_room(struct list *list, int sides)
{
    size_t room = 2 * (size_t)sides;
    list->rank = calloc(room, sizeof *list->rank);
    list->count = calloc(room, sizeof *list->count);
    list->at = calloc(room, sizeof *list->at);
    list->type = calloc(room, sizeof *list->type);
    list->joined = calloc(room, sizeof *list->joined);
    return list->rank && list->count && list->at && list->type && list->joined;
}

static void release(struct list *list)
{
    for (int n = 0; n < list->length; n++)
        if (list->joined[n])
            PMPI_Type_free(&list->type[n]);
    free(list->joined);
    free(list->rank);
    free(list->count);
    free(list->at);
    free(list->type);
}

static void discard(struct star_neighbor_call *call)
{
    release(&call->sent);
    release(&call->received);
    free(call);
}

static struct star_neighbor_call *allocate(int sides)
{
    struct star_neighbor_call *call = calloc(1, sizeof *call);
    if (call == NULL)
        return NULL;
    if (make_room(&call->sent, sides) && make_room(&call->received, sides))
        return call;
    discard(call);
    return NULL;
}

/* Displacements are addresses, from MPI_BOTTOM: both vectors may be one. */
static int append(struct list *list, const struct star_message *message)
{
    int at = list->length;
    if (message->peer == MPI_PROC_NULL)
        return MPI_SUCCESS;
    list->rank[at] = message->peer;
    list->count[at] = message->count;
    list->type[at] = message->type;
    list->length++;
    return PMPI_Get_address(message->at, &list->at[at]);
}

static void copy(struct list *to, int at, const struct list *from, int n)
{
    to->rank[at] = from->rank[n];
    to->count[at] = from->count[n];
    to->at[at] = from->at[n];
    to->type[at] = from->type[n];
}

/* Makes entry N the message of all SAME. */
static int join(struct list *list, int n, const struct list *same)
{
    int error = PMPI_Type_create_struct(same->length, same->count, same->at, same->type, &list->type[n]);
    if (error)
        return error;
    list->joined[n] = true;
    list->count[n] = 1;
    list->at[n] = 0;
    return PMPI_Type_commit(&list->type[n]);
}

/* Leaves one entry of each rank. SCRATCH has as much room. */
static int join_all(struct list *list, struct list *scratch)
{
    int error = MPI_SUCCESS;
    for (int n = 0; n < list->length && !error; n++) {
        int kept = n + 1;
        scratch->length = 0;
        for (int i = n; i < list->length; i++)
            if (list->rank[i] == list->rank[n])
                copy(scratch, scratch->length++, list, i);
            else
                copy(list, kept++, list, i);
        list->length = kept;
        if (scratch->length > 1)
            error = join(list, n, scratch);
    }
    return error;
}

static int join_messages(struct star_neighbor_call *call, int sides)
{
    struct list scratch = {0};
    int error = make_room(&scratch, sides) ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    if (!error)
        error = join_all(&call->sent, &scratch);
    if (!error)
        error = join_all(&call->received, &scratch);
    scratch.length = 0;
    release(&scratch);
    return error;
}

static int describe(struct star_exchange *exchange, struct star_neighbor_call *call)
{
    int error = 0;
    for (int k = 0; k < exchange->border->vectors.halo->sides && !error; k++) {
        error = append(&call->sent, &exchange->sent[k]);
        if (!error)
            error = append(&call->received, &exchange->received[k ^ 1]);
    }
    return error ? error : join_messages(call, exchange->border->vectors.halo->sides);
}

/* MPICH loses messages where a rank sends to one that it does not receive from: those get a message of no
 * bytes. */
static void answer(struct list *list, const struct list *other)
{
    for (int n = 0; n < other->length; n++) {
        int at = 0;
        while (at < list->length && list->rank[at] != other->rank[n])
            at++;
        if (at < list->length)
            continue;
        list->rank[at] = other->rank[n];
        list->count[at] = 0;
        list->type[at] = MPI_BYTE;
        list->length++;
    }
}

/* Packed or not, the neighbours are the same, and so is their graph. Either all ranks have it or none. */
static int make_graph(struct star_exchange *exchange, const struct star_neighbor_call *call)
{
    MPI_Comm comm = exchange->border->vectors.comm, *graph = &exchange->border->shared->graph;
    int error = PMPI_Dist_graph_create_adjacent(comm, call->received.length, call->received.rank,
                                                call->received.count, call->sent.length, call->sent.rank,
                                                call->sent.count, MPI_INFO_NULL, 0, graph);
    if (!error)
        error = PMPI_Comm_set_errhandler(*graph, MPI_ERRORS_RETURN);
    int failed = star_agree_error(comm, error ? STAR_ESYSTEM : 0, NULL);
    if (failed && !error)
        PMPI_Comm_free(graph);
    if (failed)
        *graph = MPI_COMM_NULL;
    return failed && !error ? MPI_ERR_OTHER : error;
}

int star_do_make_neighbors(struct star_exchange *exchange, const struct star_act *act)
{
    (void)act;
    struct star_neighbor_call *call = exchange->call = allocate(exchange->border->vectors.halo->sides);
    int error = call ? describe(exchange, call) : MPI_ERR_NO_MEM;
    if (star_agree_error(exchange->border->vectors.comm, error ? STAR_ESYSTEM : 0, NULL))
        return error ? error : MPI_ERR_OTHER;
    answer(&call->sent, &call->received);
    answer(&call->received, &call->sent);
    return exchange->border->shared->graph == MPI_COMM_NULL ? make_graph(exchange, call) : MPI_SUCCESS;
}

int star_do_neighbors(struct star_exchange *exchange, const struct star_act *act)
{
    (void)act;
    const struct star_neighbor_call *c = exchange->call;
    return PMPI_Neighbor_alltoallw(MPI_BOTTOM, c->sent.count, c->sent.at, c->sent.type, MPI_BOTTOM,
                                   c->received.count, c->received.at, c->received.type,
                                   exchange->border->shared->graph);
}

int star_do_begin_neighbors(struct star_exchange *exchange, const struct star_act *act)
{
    const struct star_neighbor_call *c = exchange->call;
    return PMPI_Ineighbor_alltoallw(MPI_BOTTOM, c->sent.count, c->sent.at, c->sent.type, MPI_BOTTOM,
                                    c->received.count, c->received.at, c->received.type,
                                    exchange->border->shared->graph, &exchange->request[act->first]);
}

void star_free_neighbors(struct star_exchange *exchange)
{
    if (exchange->call != NULL)
        discard(exchange->call);
}
