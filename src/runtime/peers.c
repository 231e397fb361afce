/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/peers.h"
#include "exec/own.h"
#include "runtime/ranks.h"
#include "runtime/session.h"
#include "runtime/watch.h"

/* In the communicator of messages. Where there was no memory for a list, each one is asked for. */
static int peer_of(const struct star_communicator *state, int rank)
{
    MPI_Group group, world;
    int peer = MPI_PROC_NULL;
    if (state->private != MPI_COMM_NULL || state->world != NULL ||
        star_is_of_world(state->route.whole, state->size))
        return star_route_rank(&state->route, rank);
    if (PMPI_Comm_group(state->route.whole, &group) != MPI_SUCCESS)
        return peer;
    if (PMPI_Comm_group(star_all(), &world) == MPI_SUCCESS) {
        PMPI_Group_translate_ranks(group, 1, &rank, world, &peer);
        PMPI_Group_free(&world);
    }
    PMPI_Group_free(&group);
    return peer;
}

static int tag_of(const struct star_communicator *state, enum star_matter matter)
{
    return state->route.tag + (int)matter;
}

int star_peer_send(const struct star_communicator *state, int rank, enum star_matter matter, const void *data,
                   size_t bytes)
{
    star_own(true);
    int error =
        PMPI_Send(data, (int)bytes, MPI_BYTE, peer_of(state, rank), tag_of(state, matter), state->route.comm);
    star_own(false);
    return error;
}

int star_peer_isend(const struct star_communicator *state, int rank, enum star_matter matter,
                    const void *data, size_t bytes, MPI_Request *request)
{
    star_own(true);
    int error = PMPI_Isend(data, (int)bytes, MPI_BYTE, peer_of(state, rank), tag_of(state, matter),
                           state->route.comm, request);
    star_own(false);
    return error;
}

int star_peer_irecv(const struct star_communicator *state, int rank, enum star_matter matter, void *data,
                    size_t room, MPI_Request *request)
{
    return PMPI_Irecv(data, (int)room, MPI_BYTE, peer_of(state, rank), tag_of(state, matter),
                      state->route.comm, request);
}

#if MPI_VERSION >= 4
#define ISEND        PMPI_Isend_c
#define IRECV        PMPI_Irecv_c
#define COUNT(count) (count)
#else
#define ISEND        PMPI_Isend
#define IRECV        PMPI_Irecv
#define COUNT(count) ((int)(count))
#endif

int star_peer_isend_elements(const struct star_communicator *state, int rank, enum star_matter matter,
                             const struct star_elements *elements, MPI_Request *request)
{
    star_own(true);
    int error = ISEND(elements->at, COUNT(elements->count), elements->type, peer_of(state, rank),
                      tag_of(state, matter), state->route.comm, request);
    star_own(false);
    return error;
}

int star_peer_irecv_elements(const struct star_communicator *state, int rank, enum star_matter matter,
                             const struct star_elements *elements, MPI_Request *request)
{
    return IRECV(elements->at, COUNT(elements->count), elements->type, peer_of(state, rank),
                 tag_of(state, matter), state->route.comm, request);
}

int star_peer_recv(const struct star_communicator *state, int rank, enum star_matter matter, void *data,
                   size_t room)
{
    MPI_Request request;
    int error = star_peer_irecv(state, rank, matter, data, room, &request);
    return error != MPI_SUCCESS ? error : star_watch_wait(&request);
}

bool star_peer_take(const struct star_communicator *state, int rank, enum star_matter matter, void *data,
                    size_t room)
{
    int peer = peer_of(state, rank), tag = tag_of(state, matter), there = 0;
    return PMPI_Iprobe(peer, tag, state->route.comm, &there, MPI_STATUS_IGNORE) == MPI_SUCCESS && there &&
           PMPI_Recv(data, (int)room, MPI_BYTE, peer, tag, state->route.comm, MPI_STATUS_IGNORE) ==
               MPI_SUCCESS;
}

bool star_peer_is_done(MPI_Request *request, MPI_Status *status, int *error)
{
    int done = 0;
    *error = PMPI_Test(request, &done, status);
    return *error != MPI_SUCCESS || done;
}

void star_peer_cancel(MPI_Request *request)
{
    PMPI_Cancel(request);
    PMPI_Wait(request, MPI_STATUS_IGNORE);
}
