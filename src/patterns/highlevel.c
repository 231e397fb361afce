/* SPDX-License-Identifier: BSD-3-Clause
 * Requests from MPI's own arguments: vectors and topology are made here, and live as long as the request. */
#include "patterns/patterns.h"
#include "patterns/refuse.h"
#include "patterns/request.h"
#include "util/export.h"

#include <limits.h>

/* One buffer of the operation. */
struct buffer {
    const char *name; /* among the arguments */
    void *data;
    long long elements;
    MPI_Datatype datatype;
    enum star_map map;
    MPI_Op op; /* reduce */
    int block; /* alltoall */
    int size;  /* list */
    const int *counts, *displs;
};

static int make_map(const struct buffer *buffer, STAR_Vmap *vmap)
{
    if (buffer->data == MPI_IN_PLACE)
        return STAR_Vmap_inplace_allocate(vmap);
    switch (buffer->map) {
    case STAR_MAP_REDUCE:
        return STAR_Vmap_reduce_allocate(buffer->op, vmap);
    case STAR_MAP_ALLTOALL:
        return STAR_Vmap_alltoall_allocate(buffer->block, buffer->block, vmap);
    case STAR_MAP_LIST:
        return STAR_Vmap_list_allocate(buffer->size, buffer->counts, buffer->displs, vmap);
    default:
        return STAR_Vmap_all_allocate(vmap);
    }
}

/* A buffer that counts on another rank only may be NULL: it has no vector. */
static int make_vector(const struct buffer *buffer, STAR_Vector *vector, const char *call)
{
    STAR_Vmap vmap;
    *vector = STAR_VECTOR_NULL;
    if (buffer == NULL || (buffer->data == NULL && buffer->elements > 0))
        return STAR_SUCCESS;
    if (buffer->data != MPI_IN_PLACE && buffer->elements > INT_MAX)
        return star_refuse(STAR_ERR_DIMS, call, "%s has %lld elements: %d are possible", buffer->name,
                           buffer->elements, INT_MAX);
    int elements = (int)buffer->elements, error = make_map(buffer, &vmap);
    if (error != STAR_SUCCESS)
        return error;
    error = STAR_Vector_register_generic(1, &elements, 0, vmap, buffer->datatype, buffer->data, vector);
    STAR_Vmap_free(&vmap);
    return error;
}

/* An argument that one rank alone finds wrong is the others' too: all of them hear of it. */
static int make(const struct buffer *send, const struct buffer *receive, STAR_Fnctset fnctset, int root,
                MPI_Comm comm, STAR_Request *request, const char *call)
{
    STAR_Topology topology;
    STAR_Vector from = STAR_VECTOR_NULL, into = STAR_VECTOR_NULL;
    int error = STAR_Topology_create(comm, &topology);
    if (error != STAR_SUCCESS)
        return error;
    error = make_vector(send, &from, call);
    if (error == STAR_SUCCESS)
        error = make_vector(receive, &into, call);
    error = error == STAR_SUCCESS
                ? STAR_Request_create_generic_rooted(from, into, topology, fnctset, root, request)
                : star_request_decline(topology, error, call);
    if (from != STAR_VECTOR_NULL)
        STAR_Vector_deregister(&from);
    if (into != STAR_VECTOR_NULL)
        STAR_Vector_deregister(&into);
    STAR_Topology_free(&topology);
    return error;
}

/* BLOCK elements for each rank. */
static struct buffer blocks(const char *name, void *data, int block, MPI_Datatype datatype, MPI_Comm comm)
{
    int size = 1;
    if (comm != MPI_COMM_NULL)
        PMPI_Comm_size(comm, &size);
    return (struct buffer){.name = name,
                           .data = data,
                           .elements = (long long)block * size,
                           .datatype = datatype,
                           .map = STAR_MAP_ALLTOALL,
                           .block = block};
}

/* As long as the list reaches. */
static struct buffer list(const char *name, void *data, const int *counts, const int *displs,
                          MPI_Datatype datatype, MPI_Comm comm)
{
    struct buffer made = {.name = name,
                          .data = data,
                          .datatype = datatype,
                          .map = STAR_MAP_LIST,
                          .counts = counts,
                          .displs = displs};
    if (comm != MPI_COMM_NULL)
        PMPI_Comm_size(comm, &made.size);
    for (int r = 0; counts != NULL && displs != NULL && r < made.size; r++)
        if ((long long)displs[r] + counts[r] > made.elements)
            made.elements = (long long)displs[r] + counts[r];
    return made;
}

static struct buffer reduced(const char *name, void *data, int count, MPI_Datatype datatype, MPI_Op op)
{
    return (struct buffer){.name = name,
                           .data = data,
                           .elements = count,
                           .datatype = datatype,
                           .map = STAR_MAP_REDUCE,
                           .op = op};
}

STAR_EXPORT int STAR_Reduce_init(void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                                 int root, MPI_Comm comm, STAR_Request *request)
{
    struct buffer send = reduced("sendbuf", sendbuf, count, datatype, op),
                  receive = reduced("recvbuf", recvbuf, count, datatype, op);
    return make(&send, &receive, STAR_FNCTSET_REDUCE, root, comm, request, __func__);
}

STAR_EXPORT int STAR_Ireduce_init(void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                                  int root, MPI_Comm comm, STAR_Request *request)
{
    struct buffer send = reduced("sendbuf", sendbuf, count, datatype, op),
                  receive = reduced("recvbuf", recvbuf, count, datatype, op);
    return make(&send, &receive, STAR_FNCTSET_IREDUCE, root, comm, request, __func__);
}

STAR_EXPORT int STAR_Allreduce_init(void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                                    MPI_Comm comm, STAR_Request *request)
{
    struct buffer send = reduced("sendbuf", sendbuf, count, datatype, op),
                  receive = reduced("recvbuf", recvbuf, count, datatype, op);
    return make(&send, &receive, STAR_FNCTSET_ALLREDUCE, 0, comm, request, __func__);
}

STAR_EXPORT int STAR_Alltoall_init(void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                   int recvcount, MPI_Datatype recvtype, MPI_Comm comm, STAR_Request *request)
{
    struct buffer send = blocks("sendbuf", sendbuf, sendcount, sendtype, comm),
                  receive = blocks("recvbuf", recvbuf, recvcount, recvtype, comm);
    return make(&send, &receive, STAR_FNCTSET_ALLTOALL, 0, comm, request, __func__);
}

STAR_EXPORT int STAR_Ialltoall_init(void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                    int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                                    STAR_Request *request)
{
    struct buffer send = blocks("sendbuf", sendbuf, sendcount, sendtype, comm),
                  receive = blocks("recvbuf", recvbuf, recvcount, recvtype, comm);
    return make(&send, &receive, STAR_FNCTSET_IALLTOALL, 0, comm, request, __func__);
}

STAR_EXPORT int STAR_Alltoallv_init(void *sendbuf, const int sendcounts[], const int senddispls[],
                                    MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                                    const int recvdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                                    STAR_Request *request)
{
    struct buffer send = list("sendbuf", sendbuf, sendcounts, senddispls, sendtype, comm);
    struct buffer receive = list("recvbuf", recvbuf, recvcounts, recvdispls, recvtype, comm);
    return make(&send, &receive, STAR_FNCTSET_ALLTOALLV, 0, comm, request, __func__);
}

STAR_EXPORT int STAR_Allgatherv_init(void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                     const int recvcounts[], const int recvdispls[], MPI_Datatype recvtype,
                                     MPI_Comm comm, STAR_Request *request)
{
    struct buffer send = {
        .name = "sendbuf", .data = sendbuf, .elements = sendcount, .datatype = sendtype, .map = STAR_MAP_ALL};
    struct buffer receive = list("recvbuf", recvbuf, recvcounts, recvdispls, recvtype, comm);
    return make(&send, &receive, STAR_FNCTSET_ALLGATHERV, 0, comm, request, __func__);
}

STAR_EXPORT int STAR_Iallgather_init(void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                     int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                                     STAR_Request *request)
{
    struct buffer send = {
        .name = "sendbuf", .data = sendbuf, .elements = sendcount, .datatype = sendtype, .map = STAR_MAP_ALL};
    struct buffer receive = blocks("recvbuf", recvbuf, recvcount, recvtype, comm);
    return make(&send, &receive, STAR_FNCTSET_IALLGATHER, 0, comm, request, __func__);
}

STAR_EXPORT int STAR_Ibcast_init(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
                                 STAR_Request *request)
{
    struct buffer all = {
        .name = "buffer", .data = buffer, .elements = count, .datatype = datatype, .map = STAR_MAP_ALL};
    return make(&all, NULL, STAR_FNCTSET_IBCAST, root, comm, request, __func__);
}
