/* SPDX-License-Identifier: BSD-3-Clause
 * Requests from MPI's own arguments: vectors and topology are made here, and live as long as the request. */
#include "patterns/patterns.h"

#include <limits.h>

/* One buffer of the operation. */
struct buffer {
    void *data;
    int elements;
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
static int make_vector(const struct buffer *buffer, STAR_Vector *vector)
{
    STAR_Vmap vmap;
    *vector = STAR_VECTOR_NULL;
    if (buffer == NULL || (buffer->data == NULL && buffer->elements > 0))
        return STAR_SUCCESS;
    int error = make_map(buffer, &vmap);
    if (error != STAR_SUCCESS)
        return error;
    error =
        STAR_Vector_register_generic(1, &buffer->elements, 0, vmap, buffer->datatype, buffer->data, vector);
    STAR_Vmap_free(&vmap);
    return error;
}

/* An argument that one rank alone finds wrong is the others' too: the request is created even so, without a
 * vector, so that all of them hear of it. */
static int make(const struct buffer *send, const struct buffer *receive, STAR_Fnctset fnctset, int root,
                MPI_Comm comm, STAR_Request *request)
{
    STAR_Topology topology;
    STAR_Vector from = STAR_VECTOR_NULL, into = STAR_VECTOR_NULL;
    int error = STAR_Topology_create(comm, &topology);
    if (error != STAR_SUCCESS)
        return error;
    error = make_vector(send, &from);
    if (error == STAR_SUCCESS)
        error = make_vector(receive, &into);
    int created = STAR_Request_create_generic_rooted(
        from, into, topology, error == STAR_SUCCESS ? fnctset : STAR_FNCTSET_NULL, root, request);
    if (from != STAR_VECTOR_NULL)
        STAR_Vector_deregister(&from);
    if (into != STAR_VECTOR_NULL)
        STAR_Vector_deregister(&into);
    STAR_Topology_free(&topology);
    return error == STAR_SUCCESS ? created : error;
}

/* BLOCK elements for each rank. */
static struct buffer blocks(void *data, int block, MPI_Datatype datatype, MPI_Comm comm)
{
    int size = 1;
    if (comm != MPI_COMM_NULL)
        PMPI_Comm_size(comm, &size);
    long long elements = (long long)block * size;
    return (struct buffer){.data = data,
                           .elements = elements > INT_MAX ? -1 : (int)elements,
                           .datatype = datatype,
                           .map = STAR_MAP_ALLTOALL,
                           .block = block};
}

/* As long as the list reaches. */
static struct buffer list(void *data, const int *counts, const int *displs, MPI_Datatype datatype,
                          MPI_Comm comm)
{
    struct buffer made = {
        .data = data, .datatype = datatype, .map = STAR_MAP_LIST, .counts = counts, .displs = displs};
    long long elements = 0;
    if (comm != MPI_COMM_NULL)
        PMPI_Comm_size(comm, &made.size);
    for (int r = 0; counts != NULL && displs != NULL && r < made.size; r++)
        if ((long long)displs[r] + counts[r] > elements)
            elements = (long long)displs[r] + counts[r];
    made.elements = elements > INT_MAX ? -1 : (int)elements;
    return made;
}

static struct buffer reduced(void *data, int count, MPI_Datatype datatype, MPI_Op op)
{
    return (struct buffer){
        .data = data, .elements = count, .datatype = datatype, .map = STAR_MAP_REDUCE, .op = op};
}

STAR_EXPORT int STAR_Reduce_init(void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                                 int root, MPI_Comm comm, STAR_Request *request)
{
    struct buffer send = reduced(sendbuf, count, datatype, op),
                  receive = reduced(recvbuf, count, datatype, op);
    return make(&send, &receive, STAR_FNCTSET_REDUCE, root, comm, request);
}

STAR_EXPORT int STAR_Ireduce_init(void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                                  int root, MPI_Comm comm, STAR_Request *request)
{
    struct buffer send = reduced(sendbuf, count, datatype, op),
                  receive = reduced(recvbuf, count, datatype, op);
    return make(&send, &receive, STAR_FNCTSET_IREDUCE, root, comm, request);
}

STAR_EXPORT int STAR_Allreduce_init(void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                                    MPI_Comm comm, STAR_Request *request)
{
    struct buffer send = reduced(sendbuf, count, datatype, op),
                  receive = reduced(recvbuf, count, datatype, op);
    return make(&send, &receive, STAR_FNCTSET_ALLREDUCE, 0, comm, request);
}

STAR_EXPORT int STAR_Alltoall_init(void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                   int recvcount, MPI_Datatype recvtype, MPI_Comm comm, STAR_Request *request)
{
    struct buffer send = blocks(sendbuf, sendcount, sendtype, comm),
                  receive = blocks(recvbuf, recvcount, recvtype, comm);
    return make(&send, &receive, STAR_FNCTSET_ALLTOALL, 0, comm, request);
}

STAR_EXPORT int STAR_Ialltoall_init(void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                    int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                                    STAR_Request *request)
{
    struct buffer send = blocks(sendbuf, sendcount, sendtype, comm),
                  receive = blocks(recvbuf, recvcount, recvtype, comm);
    return make(&send, &receive, STAR_FNCTSET_IALLTOALL, 0, comm, request);
}

STAR_EXPORT int STAR_Alltoallv_init(void *sendbuf, const int sendcounts[], const int senddispls[],
                                    MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                                    const int recvdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                                    STAR_Request *request)
{
    struct buffer send = list(sendbuf, sendcounts, senddispls, sendtype, comm);
    struct buffer receive = list(recvbuf, recvcounts, recvdispls, recvtype, comm);
    return make(&send, &receive, STAR_FNCTSET_ALLTOALLV, 0, comm, request);
}

STAR_EXPORT int STAR_Allgatherv_init(void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                     const int recvcounts[], const int recvdispls[], MPI_Datatype recvtype,
                                     MPI_Comm comm, STAR_Request *request)
{
    struct buffer send = {.data = sendbuf, .elements = sendcount, .datatype = sendtype, .map = STAR_MAP_ALL};
    struct buffer receive = list(recvbuf, recvcounts, recvdispls, recvtype, comm);
    return make(&send, &receive, STAR_FNCTSET_ALLGATHERV, 0, comm, request);
}

STAR_EXPORT int STAR_Iallgather_init(void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                     int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                                     STAR_Request *request)
{
    struct buffer send = {.data = sendbuf, .elements = sendcount, .datatype = sendtype, .map = STAR_MAP_ALL};
    struct buffer receive = blocks(recvbuf, recvcount, recvtype, comm);
    return make(&send, &receive, STAR_FNCTSET_IALLGATHER, 0, comm, request);
}

STAR_EXPORT int STAR_Ibcast_init(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
                                 STAR_Request *request)
{
    struct buffer all = {.data = buffer, .elements = count, .datatype = datatype, .map = STAR_MAP_ALL};
    return make(&all, NULL, STAR_FNCTSET_IBCAST, root, comm, request);
}
