/* SPDX-License-Identifier: BSD-3-Clause */
#include "matrix/peers.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static struct {
    MPI_Group group; /* of MPI_COMM_WORLD, or of the first session's processes */
#if MPI_VERSION >= 4
    MPI_Session session; /* the first, with its processes */
    MPI_Group of_session;
#endif
    int comm_key, window_key;
    void (*freed)(const struct star_peers *peers);
    /* Two threads must not make the same. MPI libraries may hold locks of their own while they call forget(),
     * so that must not wait for this one. */
    pthread_mutex_t making;
    atomic_uint_fast64_t forgotten; /* how many */
} known = {
    .group = MPI_GROUP_NULL,
#if MPI_VERSION >= 4
    .session = MPI_SESSION_NULL,
    .of_session = MPI_GROUP_NULL,
#endif
    .making = PTHREAD_MUTEX_INITIALIZER,
    .forgotten = 1,
};

/* What this thread asked for lately, by the handles' bits: finding an attribute takes longer than counting.
 */
enum { LATELY = 16 };
static _Thread_local struct {
    MPI_Comm comm;
    const struct star_peers *peers;
    uint_fast64_t forgotten; /* so many then */
} lately[LATELY] __attribute__((tls_model("initial-exec")));

static void forget(struct star_peers *peers)
{
    atomic_fetch_add(&known.forgotten, 1);
    known.freed(peers);
    free(peers->world);
    free(peers->next);
    free(peers);
}

static int forget_comm(MPI_Comm comm, int key, void *peers, void *state)
{
    (void)comm, (void)key, (void)state;
    forget(peers);
    return MPI_SUCCESS;
}

static int forget_window(MPI_Win window, int key, void *peers, void *state)
{
    (void)window, (void)key, (void)state;
    forget(peers);
    return MPI_SUCCESS;
}

#if MPI_VERSION >= 4
void star_peers_session(MPI_Session session)
{
    pthread_mutex_lock(&known.making);
    if (known.session == MPI_SESSION_NULL &&
        PMPI_Group_from_session_pset(session, "mpi://WORLD", &known.of_session) == MPI_SUCCESS)
        known.session = session;
    pthread_mutex_unlock(&known.making);
}

bool star_peers_session_ends(MPI_Session session)
{
    bool was_asked = false;
    pthread_mutex_lock(&known.making);
    if (session == known.session) {
        was_asked = known.group == known.of_session;
        known.session = MPI_SESSION_NULL;
        PMPI_Group_free(&known.of_session);
    }
    pthread_mutex_unlock(&known.making);
    return was_asked;
}

static bool find_group_of_session(void)
{
    known.group = known.of_session;
    return known.session != MPI_SESSION_NULL;
}
#else
static bool find_group_of_session(void)
{
    return false;
}
#endif

static bool find_group(void)
{
    int ready = 0;
    if (PMPI_Initialized(&ready) != MPI_SUCCESS || !ready)
        return find_group_of_session();
    return PMPI_Comm_group(MPI_COMM_WORLD, &known.group) == MPI_SUCCESS;
}

bool star_peers_begin(void (*freed)(const struct star_peers *peers), int *rank)
{
    known.freed = freed;
    return find_group() && PMPI_Group_rank(known.group, rank) == MPI_SUCCESS &&
           PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget_comm, &known.comm_key, NULL) ==
               MPI_SUCCESS &&
           PMPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, forget_window, &known.window_key, NULL) ==
               MPI_SUCCESS;
}

/* True where each rank has the same number in MPI_COMM_WORLD, then nothing is kept. */
static bool are_same(const int *world, int size)
{
    for (int r = 0; r < size; r++)
        if (world[r] != r)
            return false;
    return true;
}

/* The ranks of GROUP. */
static bool translate(struct star_peers *peers, MPI_Group group)
{
    PMPI_Group_size(group, &peers->size);
    int *ranks = malloc(((size_t)peers->size + 1) * sizeof *ranks);
    peers->world = malloc(((size_t)peers->size + 1) * sizeof *peers->world);
    bool made = ranks != NULL && peers->world != NULL;
    for (int r = 0; made && r < peers->size; r++)
        ranks[r] = r;
    made = made &&
           PMPI_Group_translate_ranks(group, peers->size, ranks, known.group, peers->world) == MPI_SUCCESS;
    for (int r = 0; made && r < peers->size; r++)
        peers->world[r] = peers->world[r] == MPI_UNDEFINED ? -1 : peers->world[r];
    free(ranks);
    if (made && are_same(peers->world, peers->size)) {
        free(peers->world);
        peers->world = NULL;
    }
    return made;
}

static bool find_cart(struct star_peers *peers, MPI_Comm comm)
{
    int dimensions;
    PMPI_Cartdim_get(comm, &dimensions);
    peers->nexts = 2 * dimensions;
    peers->next = malloc(((size_t)peers->nexts + 1) * sizeof *peers->next);
    for (int d = 0; peers->next && d < dimensions; d++)
        PMPI_Cart_shift(comm, d, 1, &peers->next[2 * (size_t)d], &peers->next[2 * (size_t)d + 1]);
    return peers->next != NULL;
}

static bool find_graph(struct star_peers *peers, MPI_Comm comm)
{
    PMPI_Graph_neighbors_count(comm, peers->rank, &peers->nexts);
    peers->next = malloc(((size_t)peers->nexts + 1) * sizeof *peers->next);
    return peers->next != NULL &&
           PMPI_Graph_neighbors(comm, peers->rank, peers->nexts, peers->next) == MPI_SUCCESS;
}

static bool find_distributed(struct star_peers *peers, MPI_Comm comm)
{
    int in, weighted;
    PMPI_Dist_graph_neighbors_count(comm, &in, &peers->nexts, &weighted);
    int *others = malloc(((size_t)(in > peers->nexts ? in : peers->nexts) + 1) * 3 * sizeof *others);
    peers->next = malloc(((size_t)peers->nexts + 1) * sizeof *peers->next);
    bool made = others != NULL && peers->next != NULL;
    if (made) {
        int *weights = others + in, *weights_out = weights + in;
        made = PMPI_Dist_graph_neighbors(comm, in, others, weights, peers->nexts, peers->next, weights_out) ==
               MPI_SUCCESS;
    }
    free(others);
    return made;
}

static bool find_next(struct star_peers *peers, MPI_Comm comm)
{
    int kind = MPI_UNDEFINED;
    PMPI_Topo_test(comm, &kind);
    return kind == MPI_CART         ? find_cart(peers, comm)
           : kind == MPI_GRAPH      ? find_graph(peers, comm)
           : kind == MPI_DIST_GRAPH ? find_distributed(peers, comm)
                                    : true;
}

/* NULL without memory, and on an MPI error. */
static struct star_peers *make(MPI_Group group)
{
    struct star_peers *peers = calloc(1, sizeof *peers);
    if (peers != NULL && translate(peers, group))
        return peers;
    if (peers != NULL)
        free(peers->world);
    free(peers);
    return NULL;
}

static struct star_peers *make_of_comm(MPI_Comm comm)
{
    MPI_Group group;
    int inter = 0;
    PMPI_Comm_test_inter(comm, &inter);
    if ((inter ? PMPI_Comm_remote_group(comm, &group) : PMPI_Comm_group(comm, &group)) != MPI_SUCCESS)
        return NULL;
    struct star_peers *peers = make(group);
    PMPI_Group_free(&group);
    if (peers == NULL)
        return NULL;
    peers->inter = inter;
    PMPI_Comm_rank(comm, &peers->rank);
    if (PMPI_Comm_set_attr(comm, known.comm_key, peers) != MPI_SUCCESS) {
        free(peers->world);
        free(peers);
        return NULL;
    }
    return peers;
}

static size_t place_of(MPI_Comm comm)
{
    return (size_t)((uint64_t)(uintptr_t)comm * UINT64_C(0x9e3779b97f4a7c15) >> 60) % LATELY;
}

/* NULL on an MPI error, too. */
static struct star_peers *find_or_make(MPI_Comm comm)
{
    struct star_peers *peers = NULL;
    int found = 0;
    pthread_mutex_lock(&known.making);
    bool asked = PMPI_Comm_get_attr(comm, known.comm_key, &peers, &found) == MPI_SUCCESS;
    if (asked && !found)
        peers = make_of_comm(comm);
    pthread_mutex_unlock(&known.making);
    return asked ? peers : NULL;
}

const struct star_peers *star_peers_of(MPI_Comm comm)
{
    size_t place = place_of(comm);
    uint_fast64_t forgotten = atomic_load_explicit(&known.forgotten, memory_order_acquire);
    if (lately[place].comm == comm && lately[place].forgotten == forgotten)
        return lately[place].peers;
    lately[place].peers = find_or_make(comm);
    lately[place].comm = comm;
    lately[place].forgotten = forgotten;
    return lately[place].peers;
}

/* Asked only when the program calls such an operation: Open MPI 4.1 says of what MPI_Comm_create_group makes
 * of a Cartesian communicator that it is one, and divides by zero when asked for neighbours. */
const struct star_peers *star_peers_next(MPI_Comm comm)
{
    struct star_peers *peers = find_or_make(comm);
    pthread_mutex_lock(&known.making);
    bool found = peers != NULL && (peers->inter || peers->next != NULL || find_next(peers, comm));
    pthread_mutex_unlock(&known.making);
    return found ? peers : NULL;
}

static struct star_peers *make_of_window(MPI_Win window)
{
    MPI_Group group;
    if (PMPI_Win_get_group(window, &group) != MPI_SUCCESS)
        return NULL;
    struct star_peers *peers = make(group);
    PMPI_Group_free(&group);
    if (peers != NULL && PMPI_Win_set_attr(window, known.window_key, peers) != MPI_SUCCESS) {
        free(peers->world);
        free(peers);
        peers = NULL;
    }
    return peers;
}

const struct star_peers *star_peers_of_window(MPI_Win window)
{
    struct star_peers *peers = NULL;
    int found = 0;
    pthread_mutex_lock(&known.making);
    bool asked = PMPI_Win_get_attr(window, known.window_key, &peers, &found) == MPI_SUCCESS;
    if (asked && !found)
        peers = make_of_window(window);
    pthread_mutex_unlock(&known.making);
    return asked ? peers : NULL;
}
