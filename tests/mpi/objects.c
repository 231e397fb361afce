/* SPDX-License-Identifier: BSD-3-Clause */
#include "objects.h"

#include <mpi.h>
#include <stdlib.h>

const char *const object_names[OBJECTS] = {"windows",  "datatypes", "communicators",
                                           "requests", "groups",    "blocks of memory"};
long objects_made[OBJECTS], objects_kept[OBJECTS];

static int made(enum object kind, int error)
{
    objects_made[kind] += error == MPI_SUCCESS;
    objects_kept[kind] += error == MPI_SUCCESS;
    return error;
}

static int freed(enum object kind, int error)
{
    objects_kept[kind] -= error == MPI_SUCCESS;
    return error;
}

/* The names are the linker's. */
#define COUNT(what, kind, name, parameters, arguments)                                                       \
    int __real_PMPI_##name parameters;                                                                       \
    int __wrap_PMPI_##name parameters;                                                                       \
    int __wrap_PMPI_##name parameters                                                                        \
    {                                                                                                        \
        return what(kind, __real_PMPI_##name arguments);                                                     \
    }

COUNT(made, WINDOWS, Win_create,
      (void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win),
      (base, size, unit, info, comm, win))
COUNT(made, WINDOWS, Win_allocate,
      (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
      (size, unit, info, comm, base, win))
COUNT(freed, WINDOWS, Win_free, (MPI_Win * win), (win))
COUNT(made, TYPES, Type_create_subarray,
      (int dimensions, const int *sizes, const int *subsizes, const int *starts, int order, MPI_Datatype of,
       MPI_Datatype *type),
      (dimensions, sizes, subsizes, starts, order, of, type))
COUNT(made, TYPES, Type_create_hindexed,
      (int count, const int *lengths, const MPI_Aint *places, MPI_Datatype of, MPI_Datatype *type),
      (count, lengths, places, of, type))
COUNT(made, TYPES, Type_create_struct,
      (int count, const int *lengths, const MPI_Aint *places, const MPI_Datatype *of, MPI_Datatype *type),
      (count, lengths, places, of, type))
COUNT(freed, TYPES, Type_free, (MPI_Datatype * type), (type))
COUNT(made, COMMUNICATORS, Comm_dup, (MPI_Comm comm, MPI_Comm *copy), (comm, copy))
COUNT(made, COMMUNICATORS, Dist_graph_create_adjacent,
      (MPI_Comm comm, int in, const int *sources, const int *in_weights, int out, const int *destinations,
       const int *out_weights, MPI_Info info, int reorder, MPI_Comm *graph),
      (comm, in, sources, in_weights, out, destinations, out_weights, info, reorder, graph))
COUNT(freed, COMMUNICATORS, Comm_free, (MPI_Comm * comm), (comm))
COUNT(made, REQUESTS, Send_init,
      (const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
       MPI_Request *request),
      (buffer, count, type, to, tag, comm, request))
COUNT(made, REQUESTS, Recv_init,
      (void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request),
      (buffer, count, type, from, tag, comm, request))
#if MPI_VERSION >= 4
COUNT(made, REQUESTS, Psend_init,
      (const void *buffer, int parts, MPI_Count count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
       MPI_Info info, MPI_Request *request),
      (buffer, parts, count, type, to, tag, comm, info, request))
COUNT(made, REQUESTS, Precv_init,
      (void *buffer, int parts, MPI_Count count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
       MPI_Info info, MPI_Request *request),
      (buffer, parts, count, type, from, tag, comm, info, request))
#endif
COUNT(freed, REQUESTS, Request_free, (MPI_Request * request), (request))
COUNT(made, GROUPS, Comm_group, (MPI_Comm comm, MPI_Group *group), (comm, group))
COUNT(made, GROUPS, Group_incl, (MPI_Group group, int count, const int *ranks, MPI_Group *part),
      (group, count, ranks, part))
COUNT(freed, GROUPS, Group_free, (MPI_Group * group), (group))

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    void *block = __real_malloc(size);
    made(BLOCKS, block != NULL ? MPI_SUCCESS : MPI_ERR_NO_MEM);
    return block;
}

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size)
{
    void *block = __real_calloc(count, size);
    made(BLOCKS, block != NULL ? MPI_SUCCESS : MPI_ERR_NO_MEM);
    return block;
}

void *__real_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size)
{
    void *block = __real_realloc(old, size);
    if (old == NULL)
        made(BLOCKS, block != NULL ? MPI_SUCCESS : MPI_ERR_NO_MEM);
    return block;
}

void __real_free(void *block);
void __wrap_free(void *block);
void __wrap_free(void *block)
{
    if (block != NULL)
        freed(BLOCKS, MPI_SUCCESS);
    __real_free(block);
}
