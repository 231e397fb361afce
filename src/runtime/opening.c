/* SPDX-License-Identifier: BSD-3-Clause
 * A communicator becomes tuned. What that takes is one reduction over its ranks: no communicator is made. */
#include "runtime/opening.h"
#include "exec/run.h"
#include "exec/segment.h"
#include "runtime/agree.h"
#include "runtime/backlog.h"
#include "runtime/begun.h"
#include "runtime/device.h"
#include "runtime/ids.h"
#include "runtime/nodes.h"
#include "runtime/number.h"
#include "runtime/opened.h"
#include "runtime/pause.h"
#include "runtime/places.h"
#include "runtime/ranks.h"
#include "runtime/session.h"
#include "runtime/sharing.h"
#include "runtime/talk.h"
#include "runtime/warn.h"
#include "topology/network.h"

#include <stdlib.h>

/* Why no further communicator is tuned. What is wrong on another rank alone is not known here. */
static void warn_of_native(const struct star_communicator *state)
{
    if (star_device_unknowable())
        star_warn(STAR_WARN_DEVICE, state->rank,
                  "buffers may lie in a device's memory, and nothing tells which: communicators stay native");
    else if (state->crowded)
        star_warn(STAR_WARN_COMMUNICATORS, state->rank,
                  "%lld communicators are tuned already: further ones stay native (setting communicators)",
                  (long long)star_runtime.settings.communicators);
    else if (state->able && state->private == MPI_COMM_NULL && star_runtime.messages == MPI_COMM_NULL)
        star_warn(STAR_WARN_COMMUNICATORS, state->rank,
                  "no further communicator can be made: the program's further ones stay native");
    else
        star_warn(STAR_WARN_COMMUNICATORS, state->rank,
                  "on some rank memory or tags of messages are short, or buffers may lie in a device's "
                  "memory: a communicator stays native");
}

/* Where its messages travel on MPI_COMM_WORLD's duplicate: the ranks there, and tags of its own. */
static bool find_route(struct star_communicator *state, MPI_Comm comm)
{
    bool world = star_is_of_world(comm, state->size);
    state->world = world ? NULL : star_world_ranks(comm, state->size);
    state->route = (struct star_route){
        .comm = star_runtime.messages, .whole = comm, .ranks = state->world, .tag = star_id_tag(state->id)};
    return (world || state->world != NULL) && (state->id == STAR_NO_ID || state->route.tag >= 0);
}

enum { LEFT_MOST = 256 };

void star_communicator_open(struct star_communicator *state, MPI_Comm comm)
{
    bool no_nodes, no_network;
    if (state->open)
        return;
    int64_t begin = star_now();
    state->open = true;
    state->devices = star_device_taken();
    star_communicator_link(state);
    state->node = star_nodes_of(comm, state->size, &no_nodes);
    state->network = star_network_for(comm, state->size, &no_network);
    state->crowded =
        atomic_fetch_add(&star_runtime.tuned_communicators, 1) >= star_runtime.settings.communicators;
    state->able = !no_nodes && !no_network && !star_device_unknowable() && !state->crowded;
    state->talk = star_talk_new();
    if (star_runtime.messages != MPI_COMM_NULL)
        state->able = find_route(state, comm) && state->able;
    else
        state->able = state->able && star_runtime.left < LEFT_MOST;
    star_spent(begin);
}

/* Messages of talks may still be under way in it. MPICH 4.2 then refuses to free it, and a new communicator
 * could receive them in its place. So it is left to MPI_Finalize; where many are, no further one is made. */
void star_communicator_free_private(struct star_communicator *state)
{
    if (state->talked)
        star_runtime.left++;
    else
        PMPI_Comm_free(&state->private);
}

void star_communicator_close(struct star_communicator *state)
{
    if (!state->open)
        return;
    star_begun_leave(state);
    star_talk_end(state);
    star_sharing_end(state);
    star_segment_free(state->route.segment);
    state->route.segment = NULL;
    free(state->world);
    free(state->node);
    star_network_free(state->network);
    state->node = state->world = NULL;
    state->network = NULL;
    state->open = state->able = false;
    atomic_fetch_sub(&star_runtime.tuned_communicators, 1);
}

void star_communicator_stay_native(struct star_communicator *state)
{
    warn_of_native(state);
    star_backlog_settle(state);
    star_backlog_leave(state);
    star_communicator_close(state);
    state->native_only = true;
}

bool star_communicator_numbered(struct star_communicator *state, MPI_Comm comm)
{
    if (state->id == STAR_NO_ID && star_communicator_number(state, comm, true))
        state->route.tag = star_id_tag(state->id);
    return state->id != STAR_NO_ID && (!state->open || state->route.tag >= 0);
}

/* Where each communicator has a duplicate of its own. */
static bool duplicate(struct star_communicator *state, MPI_Comm comm, struct star_agreed *agreed)
{
    int error = star_agree_private(comm, state->able, true, state->sites, agreed, &state->private);
    state->route = (struct star_route){.comm = state->private, .whole = comm};
    return error == MPI_SUCCESS;
}

static bool agree(struct star_communicator *state, MPI_Comm comm, struct star_agreed *agreed)
{
    if (star_runtime.messages == MPI_COMM_NULL)
        return duplicate(state, comm, agreed);
    agreed->able = star_agree_anew(comm, state->able, state->sites, &agreed->same, &agreed->awake);
    return agreed->able && agreed->awake && star_communicator_numbered(state, comm);
}

/* The ranks of each node share memory. That takes little beside agreeing on contexts. */
static void share_memory(struct star_communicator *state)
{
    if (state->shares || !star_runtime.settings.shared_memory || !star_nodes_are_known())
        return;
    state->shares = true;
    int64_t begin = star_now();
    bool able = (int64_t)star_segment_room() <= star_memory_most();
    state->route.segment = star_segment_make(&state->route, state->node, able,
                                             star_seat_here(state->size, star_runtime.crowded));
    star_spent(begin);
}

bool star_communicator_tune(struct star_communicator *state, MPI_Comm comm)
{
    struct star_agreed agreed;
    star_communicator_open(state, comm);
    int64_t begin = star_now();
    bool made = agree(state, comm, &agreed);
    star_spent(begin);
    star_pause_found(state, agreed.awake);
    if (agreed.able && !agreed.awake)
        return false;
    if (!made) {
        star_communicator_stay_native(state);
        return false;
    }
    if (!agreed.same)
        star_communicator_forget_sites(state);
    star_communicator_tuned(state);
    share_memory(state);
    return true;
}
