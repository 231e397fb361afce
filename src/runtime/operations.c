/* SPDX-License-Identifier: BSD-3-Clause
 * What the runtime must know of each operation, and the calls of the MPI library's own. */
#include "runtime/runtime.h"

static int alltoall_native(const struct star_call *c)
{
    return PMPI_Alltoall(c->sendbuf, c->sendcount, c->sendtype, c->recvbuf, c->recvcount, c->recvtype,
                         c->comm);
}

static bool alltoall_facts(const struct star_call *c, struct star_facts *facts)
{
    facts->in_place = c->sendbuf == MPI_IN_PLACE;
    int count = facts->in_place ? c->recvcount : c->sendcount;
    MPI_Datatype type = facts->in_place ? c->recvtype : c->sendtype;
    MPI_Count size, recvsize;
    if (c->recvbuf == MPI_IN_PLACE || count < 0 || c->recvcount < 0 || type == MPI_DATATYPE_NULL ||
        c->recvtype == MPI_DATATYPE_NULL || PMPI_Type_size_x(type, &size) != MPI_SUCCESS || size < 0)
        return false;
    facts->bytes = count * size;
    if (facts->in_place || (type == c->recvtype && count == c->recvcount && c->sendbuf != c->recvbuf))
        return true;
    /* Not as many bytes received as sent, or the same buffer twice: no call that MPI allows. */
    return PMPI_Type_size_x(c->recvtype, &recvsize) == MPI_SUCCESS &&
           facts->bytes == c->recvcount * recvsize &&
           !(c->sendbuf == c->recvbuf && type == c->recvtype && facts->bytes > 0);
}

static int alltoall_sides(const struct star_call *c, const struct star_facts *facts, struct star_side *send,
                          struct star_side *recv)
{
    int error = star_side_renew(recv, c->recvbuf, c->recvtype);
    if (!error && !facts->in_place)
        error = star_side_renew(send, (void *)(uintptr_t)c->sendbuf, c->sendtype);
    return error;
}

const struct star_server star_servers[STAR_OPERATIONS] = {
    [STAR_ALLTOALL] = {alltoall_native, alltoall_facts, alltoall_sides},
};
