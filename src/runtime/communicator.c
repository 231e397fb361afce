/* SPDX-License-Identifier: BSD-3-Clause
 * The state of a communicator: an attribute, so that it goes with the communicator and never outlives it. */
#include "runtime/agree.h"
#include "runtime/seen.h"

#include <pthread.h>
#include <stdlib.h>

/* All communicators that are never tuned share this state. */
static struct star_communicator untunable = {.native_only = true};

/* The tuned ones that live, for the end of the program. */
static struct star_communicator *tuned;
static pthread_mutex_t tuned_lock = PTHREAD_MUTEX_INITIALIZER;

atomic_uint_fast64_t star_generation = 1;
_Thread_local struct star_seen_communicator star_seen_lately[STAR_COMMUNICATORS_SEEN];

/* Communicators that the program is freeing, the innermost first. Delete functions of its own attributes may
 * call on them, on some ranks before ours is deleted and on others behind it: all such calls are native's. */
struct dying {
    MPI_Comm comm;
    const struct dying *outer;
};
static _Thread_local const struct dying *dying __attribute__((tls_model("initial-exec")));

static bool is_dying(MPI_Comm comm)
{
    const struct dying *one = dying;
    while (one != NULL && one->comm != comm)
        one = one->outer;
    return one != NULL;
}

static void forget_seen(void)
{
    atomic_fetch_add_explicit(&star_generation, 1, memory_order_release);
}

/* The ranks of MPI_COMM_WORLD, in their order. To translate them takes Open MPI a look at each for each. */
static bool is_world(MPI_Comm comm, int size)
{
    int result;
    if (comm == MPI_COMM_WORLD)
        return true;
    return size == star_runtime.world_size &&
           PMPI_Comm_compare(comm, MPI_COMM_WORLD, &result) == MPI_SUCCESS && result == MPI_CONGRUENT;
}

static int *all_ranks(int size)
{
    int *rank = malloc((size_t)size * sizeof *rank);
    for (int r = 0; rank != NULL && r < size; r++)
        rank[r] = r;
    return rank;
}

int *star_world_ranks(MPI_Comm comm, int size)
{
    if (is_world(comm, size))
        return all_ranks(size);
    MPI_Group group = MPI_GROUP_NULL, world = MPI_GROUP_NULL;
    int *own = all_ranks(size), *found = malloc((size_t)size * sizeof *found);
    bool good = own && found && !PMPI_Comm_group(comm, &group) && !PMPI_Comm_group(MPI_COMM_WORLD, &world);
    good = good && PMPI_Group_translate_ranks(group, size, own, world, found) == MPI_SUCCESS;
    if (group != MPI_GROUP_NULL)
        PMPI_Group_free(&group);
    if (world != MPI_GROUP_NULL)
        PMPI_Group_free(&world);
    free(own);
    if (good)
        return found;
    free(found);
    return NULL;
}

/* NULL: this rank cannot find out what it is. */
static struct star_communicator *make_state(MPI_Comm comm)
{
    int size, inter;
    if (PMPI_Comm_test_inter(comm, &inter) || PMPI_Comm_size(comm, &size))
        return NULL;
    if (inter || size == 1)
        return &untunable;
    /* Ranks of another MPI_COMM_WORLD have settings of their own, or no startune. Each rank of such a
     * communicator finds one, so that all leave it to the MPI library. */
    int *world = star_world_ranks(comm, size);
    bool strangers = false;
    for (int r = 0; world != NULL && r < size; r++)
        strangers = strangers || world[r] == MPI_UNDEFINED;
    free(world);
    if (strangers)
        return &untunable;
    struct star_communicator *state = world != NULL ? calloc(1, sizeof *state) : NULL;
    if (state == NULL)
        return NULL;
    state->size = size;
    state->private = state->checking = MPI_COMM_NULL;
    state->checked = star_runtime.settings.checked;
    PMPI_Comm_rank(comm, &state->rank);
    return state;
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
    if (comm == MPI_COMM_NULL || is_dying(comm))
        return MPI_SUCCESS; /* native's, which says what is wrong with a null handle */
    int exists, error = PMPI_Comm_get_attr(comm, star_runtime.keyval, &state, &exists);
    if (error != MPI_SUCCESS)
        return error;
    if (!exists) {
        /* A rank alone must not go native: without its state it could not follow the others. */
        state = make_state(comm);
        if (state == NULL)
            return PMPI_Comm_call_errhandler(comm, MPI_ERR_NO_MEM), MPI_ERR_NO_MEM;
        error = PMPI_Comm_set_attr(comm, star_runtime.keyval, state);
        if (error != MPI_SUCCESS)
            return error;
    }
    *star_communicator_slot(comm) = (struct star_seen_communicator){comm, now, state};
    *found = served(state);
    return MPI_SUCCESS;
}

static void link_tuned(struct star_communicator *state)
{
    pthread_mutex_lock(&tuned_lock);
    state->next = tuned;
    if (tuned != NULL)
        tuned->previous = state;
    tuned = state;
    pthread_mutex_unlock(&tuned_lock);
}

static void unlink_tuned(struct star_communicator *state)
{
    pthread_mutex_lock(&tuned_lock);
    if (state->next != NULL)
        state->next->previous = state->previous;
    if (state->previous != NULL)
        state->previous->next = state->next;
    else
        tuned = state->next;
    pthread_mutex_unlock(&tuned_lock);
}

void star_communicator_forget_sites(struct star_communicator *state)
{
    state->site_mismatch = true;
    star_repeats_forget(state);
    star_warn(STAR_WARN_SITES, state->rank,
              "ranks call from different places: call sites are not told apart");
}

/* Why no further communicator is tuned. What is wrong on another rank alone is not known here. */
static void warn_of_native(const struct star_communicator *state, bool device, int others, bool able)
{
    if (device)
        star_warn(
            STAR_WARN_DEVICE, state->rank,
            "buffers may lie in a device's memory, which the MPI library takes: communicators stay native");
    else if (others >= star_runtime.settings.communicators)
        star_warn(STAR_WARN_COMMUNICATORS, state->rank,
                  "%lld communicators are tuned already: further ones stay native (setting communicators)",
                  (long long)star_runtime.settings.communicators);
    else
        star_warn(STAR_WARN_COMMUNICATORS, state->rank,
                  able ? "no further communicator can be made: the program's further ones stay native"
                       : "on some rank memory is short, or buffers may lie in a device's memory: "
                         "communicators stay native");
}

bool star_communicator_tune(struct star_communicator *state, MPI_Comm comm)
{
    struct star_agreed agreed;
    bool no_nodes, no_network;
    int *node = star_nodes_of(comm, state->size, &no_nodes);
    struct star_network *network = star_network_for(comm, state->size, &no_network);
    int others = atomic_fetch_add(&star_runtime.tuned_communicators, 1);
    bool device = star_device_possible();
    bool able = !no_nodes && !no_network && !device && others < star_runtime.settings.communicators;
    int error = star_agree_private(comm, able, true, state->sites, &agreed, &state->private);
    star_pause_found(state, agreed.awake);
    if (agreed.able && !agreed.awake) {
        atomic_fetch_sub(&star_runtime.tuned_communicators, 1);
        free(node);
        star_network_free(network);
        return false;
    }
    if (error || !agreed.able || state->private == MPI_COMM_NULL) {
        atomic_fetch_sub(&star_runtime.tuned_communicators, 1);
        state->native_only = true;
        free(node);
        star_network_free(network);
        warn_of_native(state, device, others, agreed.able);
        return false;
    }
    if (!agreed.same)
        star_communicator_forget_sites(state);
    state->node = node;
    state->network = network;
    state->tuned = true;
    star_repeats_begin(state);
    link_tuned(state);
    return true;
}

/* Remembers what was learned, and frees all but the state itself. */
static void retire(struct star_communicator *state)
{
    if (state->rank == 0)
        star_ledger_add_communicator(state);
    star_info_retire(state);
    star_repeats_end(state);
    for (struct star_context *next, *context = state->contexts.first; context != NULL; context = next) {
        next = context->next;
        star_context_free(state, context);
    }
    star_contexts_forget(&state->contexts);
    star_runners_free(state);
    free(state->node);
    star_network_free(state->network);
    free(state->networks);
    state->node = NULL;
    state->network = NULL;
    state->networks = NULL;
}

void star_communicators_each(void (*visit)(const struct star_communicator *state, void *into), void *into)
{
    pthread_mutex_lock(&tuned_lock);
    for (const struct star_communicator *state = tuned; state; state = state->next)
        visit(state, into);
    pthread_mutex_unlock(&tuned_lock);
}

void star_communicators_retire(void)
{
    while (tuned != NULL) {
        struct star_communicator *state = tuned;
        unlink_tuned(state);
        retire(state);
        /* Its duplicate is left to MPI_Finalize: ranks may come here in different orders. */
        state->tuned = false;
        state->native_only = true;
    }
}

int star_communicator_free(MPI_Comm *comm, int (*native)(MPI_Comm *))
{
    const struct dying one = {.comm = comm != NULL ? *comm : MPI_COMM_NULL, .outer = dying};
    forget_seen();
    dying = &one;
    int error = native(comm);
    dying = one.outer;
    return error;
}

/* The program frees the communicator. */
int star_communicator_freed(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)extra;
    struct star_communicator *state = value;
    forget_seen();
    if (state == &untunable)
        return MPI_SUCCESS;
    if (state->tuned) {
        unlink_tuned(state);
        retire(state);
        PMPI_Comm_free(&state->private);
        atomic_fetch_sub(&star_runtime.tuned_communicators, 1);
    }
    if (state->checking != MPI_COMM_NULL)
        PMPI_Comm_free(&state->checking);
    free(state);
    return MPI_SUCCESS;
}
