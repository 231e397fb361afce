/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/peers.h"
#include "exec/run.h"
#include "runtime/ranks.h"
#include "runtime/state.h"
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
    if (PMPI_Comm_group(MPI_COMM_WORLD, &world) == MPI_SUCCESS) {
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

int star_peer_send(struct star_communicator *state, int rank, enum star_matter matter, const void *data,
                   size_t bytes)
{
    state->sent++;
    return PMPI_Send(data, (int)bytes, MPI_BYTE, peer_of(state, rank), tag_of(state, matter),
                     state->route.comm);
}

int star_peer_isend(struct star_communicator *state, int rank, enum star_matter matter, const void *data,
                    size_t bytes, MPI_Request *request)
{
    state->sent++;
    return PMPI_Isend(data, (int)bytes, MPI_BYTE, peer_of(state, rank), tag_of(state, matter),
                      state->route.comm, request);
}

int star_peer_irecv(struct star_communicator *state, int rank, enum star_matter matter, void *data,
                    size_t room, MPI_Request *request)
{
    state->received++;
    return PMPI_Irecv(data, (int)room, MPI_BYTE, peer_of(state, rank), tag_of(state, matter),
                      state->route.comm, request);
}

int star_peer_recv(struct star_communicator *state, int rank, enum star_matter matter, void *data,
                   size_t room)
{
    MPI_Request request;
    int error = star_peer_irecv(state, rank, matter, data, room, &request);
    return error != MPI_SUCCESS ? error : star_watch_wait(&request);
}

bool star_peer_take(struct star_communicator *state, int rank, enum star_matter matter, void *data,
                    size_t room)
{
    int peer = peer_of(state, rank), tag = tag_of(state, matter), there = 0;
    if (PMPI_Iprobe(peer, tag, state->route.comm, &there, MPI_STATUS_IGNORE) != MPI_SUCCESS || !there)
        return false;
    state->received++;
    return PMPI_Recv(data, (int)room, MPI_BYTE, peer, tag, state->route.comm, MPI_STATUS_IGNORE) ==
           MPI_SUCCESS;
}

bool star_peer_is_done(MPI_Request *request, MPI_Status *status, int *error)
{
    int done = 0;
    *error = PMPI_Test(request, &done, status);
    return *error != MPI_SUCCESS || done;
}

void star_peer_cancel(struct star_communicator *state, MPI_Request *request)
{
    MPI_Status status;
    int cancelled = 0;
    PMPI_Cancel(request);
    if (PMPI_Wait(request, &status) == MPI_SUCCESS)
        PMPI_Test_cancelled(&status, &cancelled);
    state->received -= cancelled != 0;
}

/* Takes whatever has come, and looks at none of it: of longer messages this much is enough. */
static void take_all(struct star_communicator *state)
{
    char data[64];
    int there;
    MPI_Status status;
    while (PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, state->private, &there, &status) == MPI_SUCCESS &&
           there) {
        PMPI_Recv(data, (int)sizeof data, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, state->private,
                  MPI_STATUS_IGNORE);
        state->received++;
    }
}

void star_peers_take_rest(struct star_communicator *state)
{
    int64_t mine, all = 1;
    while (all != 0) {
        take_all(state);
        mine = state->sent - state->received;
        if (PMPI_Allreduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, state->private) != MPI_SUCCESS)
            return;
    }
}
