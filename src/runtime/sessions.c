/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/sessions.h"
#include "exec/library.h"
#include "exec/native.h"
#include "runtime/agree.h"
#include "runtime/matrix.h"
#include "runtime/session.h"

#include <pthread.h>

#if MPI_VERSION >= 4
/* 0: it cannot be known. */
static int count_processes(MPI_Session session)
{
    MPI_Group all;
    int size = 0;
    if (PMPI_Group_from_session_pset(session, "mpi://WORLD", &all) != MPI_SUCCESS)
        return 0;
    PMPI_Group_size(all, &size);
    PMPI_Group_free(&all);
    return size;
}

/* Which are open, and whether one is kept. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void star_sessions_begin(MPI_Session session)
{
    pthread_mutex_lock(&lock);
    if (star_runtime.sessions++ == 0 && !star_runtime.session_kept)
        star_runtime.session = session;
    pthread_mutex_unlock(&lock);
    if (!star_runtime.started && star_start_is_asked())
        star_runtime.world_size = count_processes(session);
}

/* Nobody can tell which of several sessions a communicator is of. */
static bool is_of_only_session(void)
{
    return star_runtime.sessions == 1 && star_runtime.session != MPI_SESSION_NULL;
}

/* A rank cannot know alone whether others have begun; and where threads make communicators of all processes
 * at once, it may be another one that is the first on each rank: then nobody begins. */
static bool begin_together(MPI_Comm comm)
{
    star_matrix_find();
    star_start_watching("MPI_Comm_create_from_group", comm);
    bool same, first = is_of_only_session() && !atomic_exchange(&star_runtime.started, true);
    bool begins = star_agree(comm, first, 0, &same);
    if (first && !begins)
        star_runtime.started = false;
    return begins;
}

/* One process alone has nobody to agree with, and MPICH 4.0 has begun no network for it, at which it would
 * wait. The program may free its own at any time: then the world is what messages travel on. */
void star_sessions_made(star_force_split *split, MPI_Comm made)
{
    int size;
    if (!star_start_is_asked() || made == MPI_COMM_NULL || PMPI_Comm_size(made, &size) != MPI_SUCCESS ||
        size != star_runtime.world_size || size == 1 || star_dialect_here()->reduces_by_init_only ||
        !star_start_is_possible() || !begin_together(made))
        return;
    star_runtime.session_world = made;
    star_start_in_world(split, "MPI_Comm_create_from_group");
    star_runtime.session_world = star_active_by_name ? star_runtime.messages : MPI_COMM_NULL;
}

/* By MPI_Init. */
static bool is_open_otherwise(void)
{
    int begun, ended;
    return PMPI_Initialized(&begun) == MPI_SUCCESS && begun && PMPI_Finalized(&ended) == MPI_SUCCESS &&
           !ended;
}

/* Messages that nobody took are left to MPI_Session_finalize: MPI_Comm_free may take them for a mistake. */
static void end_world(bool kept)
{
    star_finish();
    star_runtime.session_world = MPI_COMM_NULL;
    if (kept)
        star_native.Session_finalize(&star_runtime.session);
    star_runtime.session_kept = false;
    star_runtime.session = MPI_SESSION_NULL;
}

/* Others may have to wait for this rank in what it does by another session, before they end this one, too: so
 * ranks meet only when they have nothing else to do. */
bool star_sessions_end(MPI_Session session)
{
    pthread_mutex_lock(&lock);
    int left = --star_runtime.sessions;
    bool world = star_runtime.session_world != MPI_COMM_NULL, own = session == star_runtime.session;
    bool kept = star_runtime.session_kept, over = left == 0 && !is_open_otherwise();
    bool keeps = world && own && !over;
    star_runtime.session_kept = kept || keeps;
    if (!world && own)
        star_runtime.session = MPI_SESSION_NULL;
    pthread_mutex_unlock(&lock);
    if (world && over && (own || kept))
        end_world(kept);
    return !keeps;
}

void star_sessions_before_finalize(void)
{
    if (star_runtime.session_world == MPI_COMM_NULL)
        star_finish();
    else if (star_runtime.session_kept && star_runtime.sessions == 0)
        end_world(true);
}
#else
void star_sessions_before_finalize(void)
{
    star_finish();
}
#endif
