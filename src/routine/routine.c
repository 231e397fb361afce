/* SPDX-License-Identifier: BSD-3-Clause
 * A communicator's state is its attribute, made at its first call. Nothing is tuned: the first call that the
 * map gives to another method than the MPI library's makes a private duplicate, and runners are kept as the
 * runtime keeps them. Settings are not read, and mock-ups are not exported. */
#include "routine/routine.h"
#include "algorithms/method.h"
#include "exec/native.h"
#include "exec/run.h"
#include "exec/segment.h"
#include "runtime/agree.h"
#include "runtime/device.h"
#include "runtime/mockups.h"
#include "runtime/operations.h"
#include "runtime/ranks.h"
#include "runtime/runners.h"
#include "runtime/session.h"
#include "runtime/state.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HOST_ROOM = 256, MEGABYTES = 256 /* as the setting `memory` has it */ };

static atomic_int keyval = MPI_KEYVAL_INVALID;
static atomic_bool ended; /* MPI_Finalize has begun */

int64_t star_mockup_scratch(enum star_mockup mockup, const struct star_communicator *state,
                            const struct star_facts *facts)
{
    (void)mockup, (void)state, (void)facts;
    return -1;
}

int star_mockup_run(enum star_mockup mockup, const struct star_communicator *state,
                    const struct star_call *call, const struct star_facts *facts, char *scratch)
{
    (void)mockup, (void)state, (void)call, (void)facts, (void)scratch;
    return MPI_ERR_INTERN;
}

/* The program frees a communicator, or MPI_Finalize MPI_COMM_SELF, before all others. */
static int forget(MPI_Comm comm, int key, void *value, void *extra)
{
    struct star_communicator *state = value;
    (void)comm, (void)key, (void)extra;
    if (state == NULL) {
        ended = true;
        return PMPI_Comm_free(&star_runtime.self);
    }
    star_runners_free(state);
    star_segment_free(state->route.segment);
    free(state->node);
    star_network_free(state->network);
    if (state->private != MPI_COMM_NULL && !ended)
        PMPI_Comm_free(&state->private);
    free(state);
    return MPI_SUCCESS;
}

static int begin(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int error = MPI_SUCCESS;
    pthread_mutex_lock(&lock);
    if (keyval == MPI_KEYVAL_INVALID) {
        int made;
        error = PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &made, NULL);
        if (!error && !star_agree_alone(&star_runtime.self))
            error = MPI_ERR_NO_MEM;
        star_runtime.settings.memory = (int64_t)MEGABYTES << 20;
        if (!error)
            error = PMPI_Comm_set_attr(MPI_COMM_SELF, made, NULL);
        if (!error)
            keyval = made;
    }
    pthread_mutex_unlock(&lock);
    return error;
}

/* Communicators. */

/* Ranks of another MPI_COMM_WORLD may have another routine, or none. */
static bool has_strangers(MPI_Comm comm, int size, bool *failed)
{
    int *world = star_world_ranks(comm, size);
    bool strangers = false;
    *failed = world == NULL;
    for (int r = 0; world != NULL && r < size; r++)
        strangers = strangers || world[r] == MPI_UNDEFINED;
    free(world);
    return strangers;
}

static int make_state(MPI_Comm comm, struct star_communicator **made)
{
    struct star_communicator *state = calloc(1, sizeof *state);
    int inter, error = state ? PMPI_Comm_test_inter(comm, &inter) : MPI_ERR_NO_MEM;
    bool failed = false;
    if (!error)
        error = PMPI_Comm_size(comm, &state->size);
    if (!error)
        error = PMPI_Comm_rank(comm, &state->rank);
    if (!error) {
        state->private = MPI_COMM_NULL;
        state->native_only = inter || state->size == 1 || has_strangers(comm, state->size, &failed);
        error = failed ? MPI_ERR_NO_MEM : PMPI_Comm_set_attr(comm, keyval, state);
    }
    if (error)
        free(state);
    else
        *made = state;
    return error;
}

/* NULL: native says what is wrong with the communicator. */
static int state_of(MPI_Comm comm, struct star_communicator **state)
{
    int exists, error = MPI_SUCCESS;
    *state = NULL;
    if (comm == MPI_COMM_NULL)
        return MPI_SUCCESS;
    if (keyval == MPI_KEYVAL_INVALID)
        error = begin();
    if (!error)
        error = PMPI_Comm_get_attr(comm, keyval, state, &exists);
    if (error || exists)
        return error;
    /* A rank alone must not go native: without its state it could not follow the others. */
    error = make_state(comm, state);
    return error ? PMPI_Comm_call_errhandler(comm, error), error : MPI_SUCCESS;
}

static int compare_hosts(const void *left, const void *right)
{
    const char *a = *(const char *const *)left, *b = *(const char *const *)right;
    int order = strcmp(a, b);
    return order != 0 ? order : (a > b) - (a < b);
}

/* The node of each rank, by first appearance of its host; returns how many they are, 0: out of memory. */
static int number_nodes(const char *host, int size, int *node)
{
    const char **by_name = malloc((size_t)size * sizeof *by_name);
    int nodes = 0;
    if (by_name == NULL)
        return 0;
    for (int r = 0; r < size; r++) {
        by_name[r] = host + (ptrdiff_t)r * HOST_ROOM;
        node[r] = r;
    }
    qsort(by_name, (size_t)size, sizeof *by_name, compare_hosts);
    for (int i = 0, first = 0; i < size; i++) {
        if (strcmp(by_name[first], by_name[i]) != 0)
            first = i;
        node[(by_name[i] - host) / HOST_ROOM] = (int)((by_name[first] - host) / HOST_ROOM);
    }
    for (int r = 0; r < size; r++) /* from the first rank there to the node's number */
        node[r] = node[r] == r ? nodes++ : node[node[r]];
    free(by_name);
    return nodes;
}

/* Where the ranks run. HOST has room for all their names. False when out of memory, or on an MPI error. */
static bool find_places(struct star_communicator *state, const struct star_topology *topology, char *host)
{
    char own[HOST_ROOM] = "";
    gethostname(own, sizeof own - 1);
    int *node = malloc((size_t)state->size * sizeof *node);
    int error = star_native.Allgather(own, HOST_ROOM, MPI_CHAR, host, HOST_ROOM, MPI_CHAR, state->private);
    int nodes = node != NULL && !error ? number_nodes(host, state->size, node) : 0;
    if (nodes > 1)
        state->node = node;
    else /* one node is none */
        free(node);
    return nodes > 0 && star_routine_network(topology, host, HOST_ROOM, state->size, &state->network) == 0;
}

/* The private duplicate, at the first call that needs it. Collective; false: all stays native. */
static bool prepare(struct star_communicator *state, const struct star_topology *topology, MPI_Comm comm)
{
    struct star_agreed agreed;
    bool same;
    char *host = malloc((size_t)state->size * HOST_ROOM);
    int error =
        star_agree_private(comm, host != NULL && !star_device_possible(), false, 0, &agreed, &state->private);
    state->route = star_route_alone(state->private);
    if (!error) {
        bool found = find_places(state, topology, host);
        error = !star_agree(state->private, found, 0, &same);
    }
    free(host);
    if (!error)
        state->route.segment =
            star_segment_make(&state->route, state->node, true, star_seat_here(state->size, false));
    state->tuned = !error;
    state->native_only = error != 0;
    return state->tuned;
}

static int run(const struct star_call *call, struct star_communicator *state, const struct star_facts *facts,
               const struct star_method *method)
{
    struct star_call in_place = *call;
    in_place.sendbuf = MPI_IN_PLACE;
    if (star_is_in_place(call))
        call = &in_place;
    struct star_shared_runner *runner = star_runner_acquire(state, method, facts);
    if (runner == NULL)
        return star_servers[call->operation].native(call);
    int error = star_runner_run(state, runner, call, facts);
    star_runner_release(state, runner);
    if (error == STAR_EXECUTE_APART)
        return star_servers[call->operation].native(call);
    if (error)
        PMPI_Comm_call_errhandler(call->comm, error);
    return error;
}

int star_routine_call(const struct star_call *call, star_choice *choose, const struct star_topology *topology)
{
    const struct star_server *server = &star_servers[call->operation];
    struct star_facts facts = {.granule = 1, .commutative = true};
    struct star_communicator *state;
    int error = state_of(call->comm, &state);
    if (error)
        return error;
    if (state == NULL || state->native_only || !server->facts(call, state, &facts))
        return server->native(call);
    const struct star_method *method = choose(state->size, facts.bytes > 0 ? facts.bytes : 0);
    if (method->algorithm == NULL || (!state->tuned && !prepare(state, topology, call->comm)))
        return server->native(call);
    return run(call, state, &facts, method);
}
