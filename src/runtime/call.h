/* SPDX-License-Identifier: BSD-3-Clause
 * One call of the program, and what is known of it on all ranks. */
#pragma once

#include "algorithms/methods.h"
#include "exec/execute.h"
#include "util/settings.h"

#include <mpi.h>

/* One call of the program; what an operation does not have is zero. */
struct star_call {
    enum star_operation operation;
    const void *sendbuf;
    void *recvbuf; /* the buffer of bcast */
    int64_t sendcount, recvcount;
    const void *sendcounts, *senddispls, *recvcounts,
        *recvdispls;                           /* int, or, LARGE, MPI_Count and MPI_Aint */
    MPI_Datatype sendtype, recvtype;           /* RECVTYPE alone: of bcast and reductions */
    const MPI_Datatype *sendtypes, *recvtypes; /* of alltoallw, whose displacements are bytes */
    MPI_Op op;
    int root;
    bool large; /* MPI-4's large-count binding */
    MPI_Comm comm;
    MPI_Info info;    /* of MPI_Comm_idup_with_info */
    const void *site; /* the return address */
};

enum { STAR_BYTES_UNKNOWN = -1 };
/* No MPI library is expected to send longer messages before their receiver is there. */
enum { STAR_EAGER_MOST = 64 << 10 };

/* What MPI guarantees to be equal on all ranks of a call, as far as startune handles it. */
struct star_facts {
    int64_t bytes;   /* as the operation measures them, by the datatypes' signature; STAR_BYTES_UNKNOWN */
    int64_t granule; /* reductions: bytes of an element; else 1 */
    int32_t root;
    bool in_place; /* on all ranks: not of operations with a root */
    bool commutative;
    bool wrong; /* this rank alone: it sends another length than it receives. It still agrees with others */
    bool own_operator; /* of the program's */
};
