/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/reorder.h"
#include "exec/native.h"
#include "place/edges.h"
#include "place/reorder.h"
#include "runtime/agree.h"
#include "runtime/communicator.h"
#include "runtime/nodes.h"
#include "runtime/places.h"
#include "runtime/seats.h"
#include "runtime/session.h"
#include "runtime/watch.h"
#include "subject/say.h"
#include "util/fpenv.h"
#include "util/hash.h"
#include "util/voice.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What rank 0 tells a rank: which one it becomes, or */
enum { STAYS = -1, TAKES_NO_PART = -2 };
/* Bytes that finding an order takes for each edge, as matrix.c and others have it. */
enum { BYTES_OF_EDGE = 256 };

struct asking {
    MPI_Comm comm;
    const char *function;
    struct star_communicator *state;
    int size, rank;
    bool able;
    /* Rank 0: */
    int64_t *told;
    int ranks; /* of the topology: the first of COMM */
    struct star_matrix_entry *entries;
    size_t count;
};

/* Is it known, on all ranks alike, that they run on several machines? */
static bool are_apart(MPI_Comm comm, int size)
{
    return star_places_are_known() ? star_places_differ(comm, size) : star_nodes_differ(comm, size);
}

static bool begin(struct asking *asking, const char *function, MPI_Comm comm)
{
    int64_t how = star_runtime.settings.reorder;
    *asking = (struct asking){.comm = comm, .function = function};
    if (!star_active || how == STAR_REORDER_OFF || star_runtime.messages == MPI_COMM_NULL ||
        !star_communicator_is_served(comm, &asking->state))
        return false;
    PMPI_Comm_size(comm, &asking->size);
    PMPI_Comm_rank(comm, &asking->rank);
    if (how != STAR_REORDER_ALWAYS && !are_apart(comm, asking->size))
        return false;
    star_watch_enter(function, comm);
    if (asking->rank == 0)
        asking->told = calloc((size_t)asking->size, sizeof *asking->told);
    asking->able = asking->rank != 0 || asking->told != NULL;
    return true;
}

static void end(struct asking *asking)
{
    free(asking->told);
    free(asking->entries);
}

static size_t edges_most(void)
{
    return (size_t)star_memory_most() / BYTES_OF_EDGE;
}

/* Do all ranks ask, rightly and for the SAME, and has none switched tuning off? */
static bool all_ask(const struct asking *asking, bool right, uint64_t what)
{
    bool same, awake;
    return star_agree_anew(asking->comm, asking->able && right, what, &same, &awake) && same && awake;
}

static bool make_entries(struct asking *asking, int ranks, size_t count)
{
    asking->ranks = ranks;
    asking->entries = malloc((count + 1) * sizeof *asking->entries);
    return asking->entries != NULL;
}

static uint64_t hash_ints(uint64_t hash, const int *ints, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hash = star_hash_add(hash, (uint64_t)(unsigned)ints[i]);
    return hash;
}

static uint64_t hash_entries(const struct asking *asking)
{
    uint64_t hash = star_hash_add(star_hash_empty, (uint64_t)asking->ranks), weight;
    for (size_t i = 0; i < asking->count; i++) {
        const struct star_matrix_entry *entry = &asking->entries[i];
        memcpy(&weight, &entry->bytes, sizeof weight);
        hash = star_hash_add(hash, (uint64_t)(unsigned)entry->from << 32 | (unsigned)entry->to);
        hash = star_hash_add(hash ^ hash >> 29, weight);
    }
    return hash;
}

/* The last order that was found for the communicator: who makes one such may make many. */
struct star_found_order {
    uint64_t asked;
    struct star_reordered found;
    int order[];
};

/* It must pay more than an error of the model. */
static const double least_gain = 0.3;

static bool calculate(const struct asking *asking, const struct star_seats *seats,
                      struct star_found_order *order)
{
    STAR_FPENV_DEFAULT;
    struct star_matrix *matrix = NULL;
    star_edges_weigh(asking->entries, asking->count);
    bool made = star_matrix_make(asking->ranks, asking->entries, asking->count, &matrix, NULL) == 0 &&
                star_reorder(matrix, seats, least_gain, order->order, &order->found, NULL) == 0;
    star_matrix_free(matrix);
    return made;
}

static bool search(const struct asking *asking, struct star_found_order *order)
{
    struct star_ranks_seats found;
    bool made = star_seats_find(asking->comm, asking->size, &found);
    const struct star_seats seats = {found.topology, found.machine, &star_runtime.assumed};
    made = made && calculate(asking, &seats, order);
    star_seats_free(&found);
    return made;
}

static void say(const struct asking *asking, const struct star_reordered *found)
{
    STAR_FPENV_DEFAULT;
    if (star_runtime.settings.log != STAR_LOG_DECISIONS)
        return;
    if (found->moved == 0)
        fprintf(
            star_voice(),
            "startune: %s on %d ranks: the order stays (no other is expected to take %.0f %% less time)\n",
            asking->function, asking->ranks, 100 * least_gain);
    else if (found->before > 0)
        fprintf(star_voice(),
                "startune: %s on %d ranks: %d change places (messages between hosts are expected to take "
                "%.0f %% less time)\n",
                asking->function, asking->ranks, found->moved, 100 * (1 - found->after / found->before));
    else
        fprintf(star_voice(), "startune: %s on %d ranks: %d change places (the setting reorder)\n",
                asking->function, asking->ranks, found->moved);
}

static bool find_order(const struct asking *asking, struct star_found_order *known)
{
    bool anyhow = star_runtime.settings.reorder == STAR_REORDER_ALWAYS;
    if (anyhow) {
        star_reorder_anyhow(known->order, asking->ranks);
        known->found = (struct star_reordered){.moved = asking->ranks};
    }
    return anyhow || search(asking, known);
}

/* On rank 0: the order, or NULL where it stays. */
static const int *order_of(const struct asking *asking)
{
    struct star_found_order *known = asking->state->order;
    uint64_t asked = hash_entries(asking);
    if (known == NULL || known->asked != asked) {
        free(known);
        known = malloc(sizeof *known + (size_t)asking->ranks * sizeof *known->order);
        if (known != NULL && !find_order(asking, known)) {
            free(known);
            known = NULL;
        }
        asking->state->order = known;
        if (known != NULL)
            known->asked = asked;
    }
    if (known != NULL)
        say(asking, &known->found);
    return known != NULL && known->found.moved > 0 ? known->order : NULL;
}

/* Rank 0 decides, and *PERMUTED is made. */
static bool permute(struct asking *asking, bool made, MPI_Comm *permuted)
{
    int64_t mine = STAYS;
    if (asking->rank == 0) {
        const int *order = made && asking->state != NULL ? order_of(asking) : NULL;
        for (int r = 0; r < asking->size; r++)
            asking->told[r] = order == NULL ? STAYS : r < asking->ranks ? order[r] : TAKES_NO_PART;
    }
    return star_agree_share(asking->comm, 0, asking->told, &mine) && mine != STAYS &&
           star_permute(asking->comm, (int)mine, permuted);
}

static bool grid_is_right(const struct asking *asking, int dimensions, const int *sizes, const int *periodic)
{
    if (dimensions < 1 || sizes == NULL || periodic == NULL)
        return false;
    int ranks = star_grid_ranks(dimensions, sizes, asking->size);
    return ranks > 1 && (size_t)ranks * (size_t)dimensions <= edges_most() / 2;
}

static uint64_t hash_grid(int dimensions, const int *sizes, const int *periodic)
{
    uint64_t hash = hash_ints(star_hash_empty, sizes, (size_t)dimensions);
    for (int d = 0; d < dimensions; d++)
        hash = star_hash_add(hash, periodic[d] != 0);
    return hash;
}

bool star_reorder_grid(MPI_Comm comm, int dimensions, const int *sizes, const int *periodic,
                       MPI_Comm *permuted)
{
    struct asking asking;
    int64_t began = star_now();
    if (!begin(&asking, "MPI_Cart_create", comm))
        return false;
    bool right = grid_is_right(&asking, dimensions, sizes, periodic);
    bool asked = all_ask(&asking, right, right ? hash_grid(dimensions, sizes, periodic) : 0), made = false;
    if (asked && asking.rank == 0) {
        int ranks = star_grid_ranks(dimensions, sizes, asking.size);
        made = make_entries(&asking, ranks, 2 * (size_t)ranks * (size_t)dimensions);
        asking.count = made ? star_grid_edges(dimensions, sizes, periodic, asking.entries) : 0;
    }
    bool reordered = asked && permute(&asking, made, permuted);
    end(&asking);
    star_spent(began);
    return reordered;
}

static bool are_ranks(const int *list, size_t count, int size)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] < 0 || list[i] >= size)
            return false;
    return true;
}

static bool graph_is_right(const struct asking *asking, int nodes, const int *index, const int *edges)
{
    if (nodes < 2 || nodes > asking->size || index == NULL || index[0] < 0)
        return false;
    for (int node = 1; node < nodes; node++)
        if (index[node] < index[node - 1])
            return false;
    size_t count = (size_t)index[nodes - 1];
    return count <= edges_most() && (count == 0 || (edges != NULL && are_ranks(edges, count, nodes)));
}

bool star_reorder_graph(MPI_Comm comm, int nodes, const int *index, const int *edges, MPI_Comm *permuted)
{
    struct asking asking;
    int64_t began = star_now();
    if (!begin(&asking, "MPI_Graph_create", comm))
        return false;
    bool right = graph_is_right(&asking, nodes, index, edges), made = false;
    size_t count = right ? (size_t)index[nodes - 1] : 0;
    uint64_t what = right ? hash_ints(hash_ints(star_hash_empty, index, (size_t)nodes), edges, count) : 0;
    bool asked = all_ask(&asking, right, what);
    if (asked && asking.rank == 0) {
        made = make_entries(&asking, nodes, count);
        asking.count = made ? star_graph_edges(nodes, index, edges, asking.entries) : 0;
    }
    bool reordered = asked && permute(&asking, made, permuted);
    end(&asking);
    star_spent(began);
    return reordered;
}

/* Collective: rank 0 gets the COUNT edges that each rank has, MINE of which are to be freed; NULL: there is
 * no memory for them, or something is wrong with them. WHAT must be the same on all ranks. */
static bool gather(struct asking *asking, struct star_edge *mine, size_t count, uint64_t what,
                   MPI_Comm *permuted)
{
    struct star_gathering gathering = {0};
    bool able = asking->rank != 0 || star_gathering_open(&gathering, asking->size);
    bool gathered = all_ask(asking, able && mine != NULL, what) &&
                    star_gather_edges(asking->comm, mine, count, edges_most(), asking->told, &gathering);
    bool made = gathered && asking->rank == 0 && make_entries(asking, asking->size, gathering.total);
    if (made) {
        asking->count = gathering.total;
        for (size_t i = 0; i < gathering.total; i++) {
            const struct star_edge *edge = &gathering.all[i];
            asking->entries[i] = (struct star_matrix_entry){edge->from, edge->to, edge->weight, 1};
        }
    }
    star_gathering_close(&gathering);
    free(mine);
    return gathered && permute(asking, made, permuted);
}

/* Weights are given, or stand for none; the same on all ranks, or the call is wrong. */
static bool are_weights(const int *weights, size_t count)
{
    if (count == 0 || weights == MPI_UNWEIGHTED)
        return true;
    if (weights == NULL || weights == MPI_WEIGHTS_EMPTY)
        return false;
    for (size_t i = 0; i < count; i++)
        if (weights[i] < 0)
            return false;
    return true;
}

static struct star_edge *new_edges(size_t count)
{
    bool fits = count <= edges_most() && count <= INT_MAX / sizeof(struct star_edge);
    return fits ? malloc((count + 1) * sizeof(struct star_edge)) : NULL;
}

/* How many edges; −1: the arguments are wrong. */
static int64_t count_edges(const struct asking *asking, const struct star_sources *mine)
{
    int64_t count = 0;
    if (mine->count < 0 || (mine->count > 0 && (mine->source == NULL || mine->degree == NULL)))
        return -1;
    for (int i = 0; i < mine->count; i++) {
        if (mine->degree[i] < 0)
            return -1;
        count += mine->degree[i];
    }
    bool right = are_ranks(mine->source, (size_t)mine->count, asking->size) &&
                 (count == 0 ||
                  (mine->destination != NULL && are_ranks(mine->destination, (size_t)count, asking->size))) &&
                 are_weights(mine->weight, (size_t)count);
    return right ? count : -1;
}

bool star_reorder_sources(MPI_Comm comm, const struct star_sources *mine, MPI_Comm *permuted)
{
    struct asking asking;
    int64_t began = star_now();
    if (!begin(&asking, "MPI_Dist_graph_create", comm))
        return false;
    int64_t count = count_edges(&asking, mine);
    bool weighted = mine->weight != MPI_UNWEIGHTED;
    struct star_edge *edges = count >= 0 ? new_edges((size_t)count) : NULL;
    for (int i = 0, at = 0; edges != NULL && i < mine->count; i++)
        for (int end = at + mine->degree[i]; at < end; at++)
            edges[at] =
                (struct star_edge){mine->source[i], mine->destination[at], weighted ? mine->weight[at] : 1};
    bool reordered = gather(&asking, edges, count >= 0 ? (size_t)count : 0, weighted, permuted);
    end(&asking);
    star_spent(began);
    return reordered;
}

static bool is_way_right(int count, const int *list, const int *weights, int size)
{
    return count >= 0 && (count == 0 || (list != NULL && are_ranks(list, (size_t)count, size))) &&
           are_weights(weights, (size_t)count);
}

/* Each edge is told of at both of its ends: where it begins is enough. */
static struct star_edge *edges_from(const struct asking *asking, const struct star_adjacent *mine)
{
    bool right = is_way_right(mine->sources, mine->source, mine->source_weight, asking->size) &&
                 is_way_right(mine->destinations, mine->destination, mine->destination_weight, asking->size);
    struct star_edge *edges = right ? new_edges((size_t)mine->destinations) : NULL;
    bool weighted = mine->destination_weight != MPI_UNWEIGHTED;
    for (int i = 0; edges != NULL && i < mine->destinations; i++)
        edges[i] = (struct star_edge){asking->rank, mine->destination[i],
                                      weighted ? mine->destination_weight[i] : 1};
    return edges;
}

bool star_reorder_adjacent(MPI_Comm comm, const struct star_adjacent *mine, MPI_Comm *permuted,
                           struct star_adjacent *theirs, int **memory)
{
    struct asking asking;
    int64_t began = star_now();
    *memory = NULL;
    if (!begin(&asking, "MPI_Dist_graph_create_adjacent", comm))
        return false;
    struct star_edge *edges = edges_from(&asking, mine);
    uint64_t weighted =
        2 * (mine->source_weight != MPI_UNWEIGHTED) + (mine->destination_weight != MPI_UNWEIGHTED);
    bool reordered =
        gather(&asking, edges, edges != NULL ? (size_t)mine->destinations : 0, weighted, permuted);
    if (reordered && !star_permute_adjacent(*permuted, asking.rank, mine, theirs, memory)) {
        star_native.Comm_free(permuted);
        free(*memory);
        reordered = false;
    }
    end(&asking);
    star_spent(began);
    return reordered;
}
