/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/communicator.h"
#include "runtime/aside.h"
#include "runtime/backlog.h"
#include "runtime/brief.h"
#include "runtime/making.h"
#include "runtime/freeing.h"
#include "runtime/ids.h"
#include "runtime/idup.h"
#include "runtime/info.h"
#include "runtime/ledger.h"
#include "runtime/number.h"
#include "runtime/opened.h"
#include "runtime/opening.h"
#include "runtime/ranks.h"
#include "runtime/repeat.h"
#include "runtime/runners.h"
#include "runtime/seen.h"
#include "runtime/session.h"
#include "runtime/siblings.h"
#include "runtime/watch.h"
#include "util/spare.h"

#include <stdlib.h>
#include <string.h>

atomic_uint_fast64_t star_generation = 1;
_Thread_local struct star_seen_communicator star_seen_lately[STAR_COMMUNICATORS_SEEN];

static void forget_seen(void)
{
    atomic_fetch_add_explicit(&star_generation, 1, memory_order_release);
}

/* A rank alone must not go native: the others would wait for it where ranks agree. Where memory is short it
 * takes one of these, and says there that it is not able. */
STAR_SPARES(struct star_communicator, spare, 32);

static struct star_communicator *new_state(void)
{
    struct star_communicator *state = star_spare_new(&spare);
    if (state != NULL)
        state->private = state->checking = MPI_COMM_NULL;
    return state;
}

/* Ranks of another MPI_COMM_WORLD have settings of their own, or no startune. Each rank of such a
 * communicator finds one, so that all leave it to the MPI library. */
static bool is_natives(MPI_Comm comm, int *size)
{
    int inter;
    return PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS || PMPI_Comm_size(comm, size) != MPI_SUCCESS ||
           inter || *size == 1 || !star_ranks_are_known(comm, *size);
}

/* Finds out, at its first call, what COMM is. */
static void know(struct star_communicator *state, MPI_Comm comm)
{
    state->native_only = is_natives(comm, &state->size) || PMPI_Comm_rank(comm, &state->rank) != MPI_SUCCESS;
    state->checked = !state->native_only && star_runtime.settings.checked;
    state->known = true;
}

/* The state that hangs on COMM, or a new one. NULL with MPI_SUCCESS: there is no memory left at all, and
 * calls are native's. */
static int find_state(MPI_Comm comm, struct star_communicator **found)
{
    int exists, error = PMPI_Comm_get_attr(comm, star_runtime.keyval, found, &exists);
    if (error != MPI_SUCCESS || exists)
        return error;
    *found = star_aside_find(comm);
    if (*found != NULL)
        return MPI_SUCCESS;
    *found = new_state();
    if (*found == NULL)
        return MPI_SUCCESS;
    int64_t calls = star_brief_take(comm);
    if (calls > 0)
        (*found)->calls = calls;
    if (comm == star_all())
        (*found)->id = STAR_ID_OF_WORLD;
    if (PMPI_Comm_set_attr(comm, star_runtime.keyval, *found) != MPI_SUCCESS)
        star_aside_put(comm, *found);
    return MPI_SUCCESS;
}

/* Is it one that may be tuned? All of its ranks find the same, but where one has no memory at all: such a
 * rank goes along, and says that it is not able. */
bool star_communicator_is_served(MPI_Comm comm, struct star_communicator **state)
{
    uint64_t now = atomic_load_explicit(&star_generation, memory_order_acquire);
    *state = star_communicator_seen(comm);
    if (*state != NULL)
        return !(*state)->native_only;
    if (comm == MPI_COMM_NULL || star_is_being_freed(comm) || find_state(comm, state) != MPI_SUCCESS)
        return false;
    if (*state == NULL)
        return true;
    if (!(*state)->known)
        know(*state, comm);
    *star_communicator_slot(comm) = (struct star_seen_communicator){comm, now, *state};
    return !(*state)->native_only;
}

/* Whoever makes many communicators uses each for a while, and those made of it: then a number, which takes an
 * agreement, waits until one is tuned. Where nothing is called there but operations at which ranks may not
 * wait for each other, that is never. TOGETHER: all ranks of COMM make one. They count alike where they have
 * agreed on a number for COMM, since then each of them has memory for its state; and that it has none they
 * know as well. */
static bool is_one_of_many(MPI_Comm comm, struct star_communicator *parent)
{
    enum { FEW = 16 };
    if (parent == NULL) /* no memory: then COMM has no number, but that of all ranks */
        return comm != star_all();
    return parent->id == STAR_NO_ID || ++parent->children > FEW;
}

void star_communicator_made(const char *function, MPI_Comm comm, MPI_Comm made, bool together)
{
    struct star_communicator *parent, *state = NULL;
    int size, inter;
    star_freeing_ends(made);
    star_brief_take(made); /* which was freed where nobody saw it */
    if (!star_active || star_runtime.messages == MPI_COMM_NULL ||
        (together && star_is_brief(comm) && star_brief_put(made)) ||
        !star_communicator_is_served(comm, &parent))
        return;
    if (together && is_one_of_many(comm, parent)) {
        star_brief_put(made);
        return;
    }
    if (made == MPI_COMM_NULL || PMPI_Comm_test_inter(made, &inter) != MPI_SUCCESS || inter ||
        PMPI_Comm_size(made, &size) != MPI_SUCCESS || size == 1)
        return;
    int64_t begin = star_now();
    star_watch_enter(function, made);
    bool able = find_state(made, &state) == MPI_SUCCESS;
    star_communicator_number(state, made, able);
    star_spent(begin);
}

void star_communicator_idup(MPI_Comm comm)
{
    struct star_communicator *state;
    if (!star_active_by_name || star_is_being_freed(comm) || find_state(comm, &state) != MPI_SUCCESS ||
        state == NULL)
        return;
    star_idup_began(state);
}

bool star_communicator_meets(MPI_Comm comm, struct star_communicator **found)
{
    int size;
    *found = NULL;
    if (comm == MPI_COMM_NULL || star_is_being_freed(comm) || is_natives(comm, &size))
        return false;
    if (find_state(comm, found) != MPI_SUCCESS)
        *found = NULL;
    if (*found != NULL && !(*found)->known)
        know(*found, comm);
    return true;
}

static struct star_communicator *served(struct star_communicator *state)
{
    return star_is_natives(state) ? NULL : state;
}

int star_communicator_of(MPI_Comm comm, struct star_communicator **found)
{
    *found = NULL;
    uint64_t now = atomic_load_explicit(&star_generation, memory_order_acquire);
    struct star_communicator *state = star_communicator_seen(comm);
    if (state != NULL) {
        *found = served(state);
        return MPI_SUCCESS;
    }
    if (comm == MPI_COMM_NULL || star_is_being_freed(comm))
        return MPI_SUCCESS; /* native's, which says what is wrong with a null handle */
    int error = find_state(comm, &state);
    if (error != MPI_SUCCESS || state == NULL)
        return error;
    if (!state->known)
        know(state, comm);
    *star_communicator_slot(comm) = (struct star_seen_communicator){comm, now, state};
    *found = served(state);
    return MPI_SUCCESS;
}

static void forget_contexts(struct star_communicator *state)
{
    for (struct star_context *next, *context = state->contexts.first; context != NULL; context = next) {
        next = context->next;
        star_context_free(state, context);
    }
    star_contexts_forget(&state->contexts);
}

/* What was learned is remembered, and all given back but the state itself. */
static void end(struct star_communicator *state)
{
    if (state->listed) {
        star_ledger_add_communicator(state);
        star_info_retire(state);
    }
    star_backlog_leave(state); /* first: it goes on in what others call, who find the state no more */
    star_repeats_end(state);
    forget_contexts(state);
    star_runners_free(state);
    free(state->networks);
    free(state->order);
    state->networks = NULL;
    state->order = NULL;
    star_communicator_close(state);
    star_communicator_unlink(state);
}

void star_communicators_retire(void)
{
    struct star_communicator *state;
    while ((state = star_communicators_first()) != NULL) {
        end(state);
        /* A duplicate is left to MPI_Finalize: ranks may come here in different orders. */
        state->tuned = false;
        state->native_only = true;
    }
}

/* Before any of the program's attributes: MPICH returns what the last delete function returned, and ours must
 * not hide that the program's refused. */
static int take_off(MPI_Comm comm)
{
    struct star_communicator *state;
    int exists;
    if (!star_active_by_name)
        return MPI_SUCCESS;
    int error = PMPI_Comm_get_attr(comm, star_runtime.keyval, &state, &exists);
    if (error || exists)
        return error ? error : PMPI_Comm_delete_attr(comm, star_runtime.keyval);
    state = star_aside_take(comm);
    return state != NULL ? star_communicator_freed(comm, star_runtime.keyval, state, NULL) : MPI_SUCCESS;
}

int star_communicator_free(MPI_Comm *comm, int (*native)(MPI_Comm *))
{
    MPI_Comm one = comm != NULL ? *comm : MPI_COMM_NULL;
    bool brief = star_brief_take(one) >= 0;
    if (!brief)
        forget_seen();
    if (!star_freeing_begins(one))
        return native(comm);
    int error = brief ? MPI_SUCCESS : take_off(one);
    if (error == MPI_SUCCESS)
        error = native(comm);
    star_freeing_ends(one);
    return error;
}

/* The program frees the communicator, or the MPI library at its end. */
int star_communicator_freed(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)extra;
    struct star_communicator *state = value;
    int64_t begin = star_now();
    forget_seen();
    end(state);
    if (state->private != MPI_COMM_NULL)
        star_communicator_free_private(state);
    if (state->checking != MPI_COMM_NULL)
        PMPI_Comm_free(&state->checking);
    star_spare_free(&spare, state);
    star_spent(begin);
    return MPI_SUCCESS;
}
