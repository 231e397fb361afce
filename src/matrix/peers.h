/* SPDX-License-Identifier: BSD-3-Clause
 * Who the ranks of communicators and windows are in MPI_COMM_WORLD. Worked out once for each of them, which
 * keeps it as an attribute. They call MPI, so nobody may hold a lock that FREED waits for. */
#pragma once

#include <mpi.h>
#include <stdbool.h>

struct star_peers {
    int size;   /* of the group that is sent to */
    int rank;   /* this process's in the communicator */
    bool inter; /* SIZE is the remote group's */
    int *world; /* of each rank, −1: of another world; NULL: they are the same */
    int *next;  /* with star_peers_next(): ranks that neighbourhood operations send to, or MPI_PROC_NULL */
    int nexts;  /* as many */
};

#if MPI_VERSION >= 4
/* A program without MPI_Init has no MPI_COMM_WORLD: the processes of its first session are it. */
void star_peers_session(MPI_Session session);
/* True of that session: nobody may ask then. */
bool star_peers_session_ends(MPI_Session session);
#endif
/* Before the first question. FREED is told of each that goes with its communicator. *RANK is this process's
 * own in MPI_COMM_WORLD. False on an MPI error. */
bool star_peers_begin(void (*freed)(const struct star_peers *peers), int *rank);
/* NULL: they are not known, for want of memory. */
const struct star_peers *star_peers_of(MPI_Comm comm);
const struct star_peers *star_peers_next(MPI_Comm comm);
const struct star_peers *star_peers_of_window(MPI_Win window);
/* RANK's number in MPI_COMM_WORLD; −1: MPI_PROC_NULL, or it has none. */
static inline int star_peer_in_world(const struct star_peers *peers, int rank)
{
    if (rank < 0 || rank >= peers->size)
        return -1;
    return peers->world ? peers->world[rank] : rank;
}
