/* SPDX-License-Identifier: BSD-3-Clause
 * Communicators with a topology, whose ranks may be reordered: reordered ROUNDS SEED most|some|never
 * [threads]. Grids and graphs are drawn at random, and made with `reorder` and without. Whatever a rank
 * learns of its neighbours, and what they send, must be what it is in the one without, whichever process the
 * rank is. Some orders MUST be others than natively, or none ever. */
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16, EDGES = 64, FACTS = 600, DIMENSIONS = 3 };

/* What one thread does; DRAWN is the same on all ranks of WORLD, which is its own. */
struct work {
    MPI_Comm world;
    uint64_t drawn;
    int rounds, made, others;
};

/* What a rank of a communicator knows. */
struct facts {
    int count, at[FACTS];
};

static int failures, handled, keyval;
static MPI_Errhandler handler;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void check(int right, const char *what, int which)
{
    if (right)
        return;
    pthread_mutex_lock(&lock);
    if (failures++ < 10)
        fprintf(stderr, "FAILED: %s %d\n", what, which);
    pthread_mutex_unlock(&lock);
}

static int draw(struct work *work, int below)
{
    work->drawn = work->drawn * 6364136223846793005u + 1442695040888963407u;
    return (int)((work->drawn >> 33) % (uint64_t)below);
}

static void note(struct facts *facts, int fact)
{
    if (facts->count < FACTS)
        facts->at[facts->count] = fact;
    facts->count++;
}

static void note_all(struct facts *facts, const int *list, int count)
{
    for (int i = 0; i < count; i++)
        note(facts, list[i]);
}

/* Whoever becomes a rank, the RANK is told the same: MADE has the facts of PLAIN, where the ranks are those
 * of OLD. The processes that take part are the same, too. */
static void compare(struct work *work, MPI_Comm old, MPI_Comm made, MPI_Comm plain, const struct facts *own,
                    const struct facts *plainly)
{
    static const struct facts none;
    int rank = -1, size, ranks[MOST], result, moved = 0, taken[MOST] = {0}, members = 0, old_rank;
    struct facts *all = calloc(2 * MOST, sizeof *all);
    MPI_Comm_size(old, &size);
    MPI_Comm_rank(old, &old_rank);
    check((made == MPI_COMM_NULL) == (plain == MPI_COMM_NULL), "takes part", old_rank);
    if (made != MPI_COMM_NULL) {
        MPI_Comm_rank(made, &rank);
        MPI_Comm_compare(old, made, &result);
    }
    MPI_Allgather(&rank, 1, MPI_INT, ranks, 1, MPI_INT, old);
    MPI_Allgather(made != MPI_COMM_NULL ? own : &none, FACTS + 1, MPI_INT, all, FACTS + 1, MPI_INT, old);
    MPI_Allgather(plain != MPI_COMM_NULL ? plainly : &none, FACTS + 1, MPI_INT, all + MOST, FACTS + 1,
                  MPI_INT, old);
    for (int p = 0; p < size; p++) {
        if (ranks[p] < 0)
            continue;
        members++;
        check(ranks[p] < size && !taken[ranks[p]]++, "no permutation: rank", ranks[p]);
        moved += ranks[p] != p;
        int most = all[p].count < FACTS ? all[p].count : FACTS;
        check(all[p].count == all[MOST + ranks[p]].count &&
                  memcmp(all[p].at, all[MOST + ranks[p]].at, (size_t)most * sizeof(int)) == 0,
              "other facts of rank", ranks[p]);
    }
    for (int r = 0; r < members; r++)
        check(taken[r] == 1, "nobody is rank", r);
    if (made != MPI_COMM_NULL)
        check(result == (members < size ? MPI_UNEQUAL
                         : moved        ? MPI_SIMILAR
                                        : MPI_CONGRUENT),
              "MPI_Comm_compare", result);
    work->made++;
    work->others += moved > 0;
    free(all);
}

/* What holds for any of them. Open MPI 5.0 gives attributes of the old one to PLAIN. */
static void check_made(MPI_Comm old, MPI_Comm made, MPI_Comm plain, int topology)
{
    int status, exists, natively = 0, rank, size, sum, mine = 1, was;
    void *value;
    MPI_Errhandler inherited;
    MPI_Comm_get_errhandler(old, &inherited);
    check(inherited == handler, "the old error handler", 0);
    MPI_Errhandler_free(&inherited);
    if (made == MPI_COMM_NULL)
        return;
    MPI_Topo_test(made, &status);
    check(status == topology, "MPI_Topo_test", status);
    MPI_Comm_get_attr(made, keyval, &value, &exists);
    if (plain != MPI_COMM_NULL)
        MPI_Comm_get_attr(plain, keyval, &value, &natively);
    check(!exists || natively, "an attribute", 0);
    MPI_Comm_get_errhandler(made, &inherited);
    check(inherited == handler, "the error handler", 0);
    MPI_Errhandler_free(&inherited);
    MPI_Comm_rank(made, &rank);
    MPI_Comm_size(made, &size);
    pthread_mutex_lock(&lock);
    was = handled;
    MPI_Send(&mine, 1, MPI_INT, size, 0, made);
    check(handled == was + 1, "is not called: the error handler", 0);
    pthread_mutex_unlock(&lock);
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, made);
    check(sum == size, "MPI_Allreduce", sum);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 3, &mine, 1, MPI_INT, (rank + size - 1) % size, 3,
                 made, MPI_STATUS_IGNORE);
    check(mine == (rank + size - 1) % size, "MPI_Sendrecv", mine);
}

static void free_both(MPI_Comm *made, MPI_Comm *plain)
{
    if (*made != MPI_COMM_NULL)
        MPI_Comm_free(made);
    if (*plain != MPI_COMM_NULL)
        MPI_Comm_free(plain);
}

/* Neighbours' numbers, as they arrive. */
static void note_exchanges(MPI_Comm comm, struct facts *facts, int in, int out)
{
    int rank, sent[EDGES], come[EDGES];
    MPI_Comm_rank(comm, &rank);
    for (int i = 0; i < EDGES; i++) {
        sent[i] = 100 * rank + i;
        come[i] = -1;
    }
    MPI_Neighbor_alltoall(sent, 1, MPI_INT, come, 1, MPI_INT, comm);
    note_all(facts, come, in);
    for (int i = 0; i < EDGES; i++)
        come[i] = -1;
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, come, 1, MPI_INT, comm);
    note_all(facts, come, in);
    note(facts, out);
}

static void look_at_grid(MPI_Comm comm, int dimensions, const int *sizes, struct facts *facts)
{
    int rank, ranks, found, size[DIMENSIONS], periodic[DIMENSIONS], at[DIMENSIONS], place[DIMENSIONS], from,
        to;
    memset(facts, 0, sizeof *facts);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    MPI_Cartdim_get(comm, &found);
    check(found == dimensions, "MPI_Cartdim_get", found);
    MPI_Cart_get(comm, dimensions, size, periodic, at);
    note_all(facts, size, dimensions);
    note_all(facts, periodic, dimensions);
    note_all(facts, at, dimensions);
    MPI_Cart_rank(comm, at, &found);
    check(found == rank, "MPI_Cart_rank", found);
    for (int r = 0; r < ranks; r++) { /* the last dimension's are next to each other */
        MPI_Cart_coords(comm, r, dimensions, place);
        int number = 0;
        for (int d = 0; d < dimensions; d++)
            number = number * sizes[d] + place[d];
        check(number == r, "MPI_Cart_coords", r);
        check(r != rank || memcmp(place, at, (size_t)dimensions * sizeof *at) == 0, "other coordinates", r);
    }
    for (int d = 0; d < dimensions; d++) {
        MPI_Cart_shift(comm, d, 1, &from, &to);
        note(facts, from);
        note(facts, to);
    }
    note_exchanges(comm, facts, 2 * dimensions, 2 * dimensions);
    const int remain[DIMENSIONS] = {1};
    MPI_Comm line;
    MPI_Cart_sub(comm, remain, &line);
    MPI_Comm_rank(line, &found);
    check(found == at[0], "MPI_Cart_sub", found);
    MPI_Comm_free(&line);
}

static void try_grid(struct work *work, MPI_Comm old)
{
    int size, dimensions = 1 + draw(work, DIMENSIONS), sizes[DIMENSIONS], periodic[DIMENSIONS], ranks = 1;
    struct facts own, plainly;
    MPI_Comm made, plain;
    MPI_Comm_size(old, &size);
    for (int d = 0; d < dimensions; d++) {
        sizes[d] = 1 + draw(work, size / ranks);
        ranks *= sizes[d];
        periodic[d] = draw(work, 2);
    }
    MPI_Cart_create(old, dimensions, sizes, periodic, 1, &made);
    MPI_Cart_create(old, dimensions, sizes, periodic, 0, &plain);
    check_made(old, made, plain, MPI_CART);
    if (made != MPI_COMM_NULL)
        look_at_grid(made, dimensions, sizes, &own);
    if (plain != MPI_COMM_NULL)
        look_at_grid(plain, dimensions, sizes, &plainly);
    compare(work, old, made, plain, &own, &plainly);
    free_both(&made, &plain);
}

static void look_at_graph(MPI_Comm comm, struct facts *facts)
{
    int rank, nodes, edges, count, index[MOST], edge[MOST * EDGES], neighbor[EDGES];
    memset(facts, 0, sizeof *facts);
    MPI_Comm_rank(comm, &rank);
    MPI_Graphdims_get(comm, &nodes, &edges);
    MPI_Graph_get(comm, nodes, edges, index, edge);
    note_all(facts, index, nodes);
    note_all(facts, edge, edges);
    MPI_Graph_neighbors_count(comm, rank, &count);
    MPI_Graph_neighbors(comm, rank, count, neighbor);
    note_all(facts, neighbor, count);
    note_exchanges(comm, facts, count, count);
}

/* Symmetric, as it should be, and as messages need it. */
static void try_graph(struct work *work, MPI_Comm old)
{
    int size, nodes, joined[MOST][MOST] = {{0}}, index[MOST], edge[MOST * MOST], filled = 0;
    struct facts own, plainly;
    MPI_Comm made, plain;
    MPI_Comm_size(old, &size);
    nodes = 1 + draw(work, size);
    for (int i = draw(work, 2 * nodes); i > 0; i--) {
        int one = draw(work, nodes), other = draw(work, nodes);
        joined[one][other] = joined[other][one] = one != other;
    }
    for (int i = 0; i < nodes; i++) {
        for (int j = 0; j < nodes; j++)
            if (joined[i][j])
                edge[filled++] = j;
        index[i] = filled;
    }
    MPI_Graph_create(old, nodes, index, edge, 1, &made);
    MPI_Graph_create(old, nodes, index, edge, 0, &plain);
    check_made(old, made, plain, MPI_GRAPH);
    if (made != MPI_COMM_NULL)
        look_at_graph(made, &own);
    if (plain != MPI_COMM_NULL)
        look_at_graph(plain, &plainly);
    compare(work, old, made, plain, &own, &plainly);
    free_both(&made, &plain);
}

static int by_number(const void *a, const void *b)
{
    return memcmp(a, b, 2 * sizeof(int));
}

/* SORTED: MPI_Dist_graph_create promises no order of neighbours. */
static void look_at_edges(MPI_Comm comm, int sorted, struct facts *facts)
{
    int in, out, weighted, rank, source[EDGES], in_weight[EDGES] = {0}, to[EDGES], out_weight[EDGES] = {0};
    int sent[EDGES], come[EDGES], pairs[2][EDGES][2];
    memset(facts, 0, sizeof *facts);
    MPI_Comm_rank(comm, &rank);
    MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    MPI_Dist_graph_neighbors(comm, in, source, weighted ? in_weight : MPI_UNWEIGHTED, out, to,
                             weighted ? out_weight : MPI_UNWEIGHTED);
    for (int i = 0; i < in; i++) {
        pairs[0][i][0] = source[i];
        pairs[0][i][1] = in_weight[i];
        come[i] = -1;
    }
    for (int i = 0; i < out; i++) {
        pairs[1][i][0] = to[i];
        pairs[1][i][1] = out_weight[i];
        sent[i] = 100 * rank + to[i];
    }
    MPI_Neighbor_alltoall(sent, 1, MPI_INT, come, 1, MPI_INT, comm);
    for (int i = 0; i < in; i++)
        check(come[i] == 100 * source[i] + rank, "MPI_Neighbor_alltoall from", source[i]);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, come, 1, MPI_INT, comm);
    for (int i = 0; i < in; i++)
        check(come[i] == source[i], "MPI_Neighbor_allgather from", source[i]);
    if (sorted) {
        qsort(pairs[0], (size_t)in, sizeof pairs[0][0], by_number);
        qsort(pairs[1], (size_t)out, sizeof pairs[1][0], by_number);
    }
    note(facts, in);
    note(facts, out);
    note(facts, weighted);
    note_all(facts, pairs[0][0], 2 * in);
    note_all(facts, pairs[1][0], 2 * out);
}

/* The same on all ranks. */
struct edges {
    int count, from[EDGES], to[EDGES], weight[EDGES], teller[EDGES], weighted;
};

static void draw_edges(struct work *work, int size, struct edges *edges)
{
    edges->count = draw(work, 4) == 0 ? 0 : draw(work, EDGES / 2);
    edges->weighted = draw(work, 2);
    for (int i = 0; i < edges->count; i++) {
        edges->from[i] = draw(work, size);
        edges->to[i] = draw(work, size);
        edges->weight[i] = draw(work, 1000);
        edges->teller[i] = draw(work, size);
    }
}

static int *weights_of(int *weights, int weighted, int count)
{
    return !weighted ? MPI_UNWEIGHTED : count == 0 ? MPI_WEIGHTS_EMPTY : weights;
}

static void finish_edges(struct work *work, MPI_Comm old, MPI_Comm *made, MPI_Comm *plain, int sorted)
{
    struct facts own, plainly;
    check_made(old, *made, *plain, MPI_DIST_GRAPH);
    look_at_edges(*made, sorted, &own);
    look_at_edges(*plain, sorted, &plainly);
    compare(work, old, *made, *plain, &own, &plainly);
    free_both(made, plain);
}

/* Each edge is told of by anybody. */
static void try_sources(struct work *work, MPI_Comm old)
{
    int rank, size, n = 0, source[EDGES], degree[EDGES], to[EDGES], weight[EDGES];
    struct edges edges;
    MPI_Comm made, plain;
    MPI_Comm_size(old, &size);
    MPI_Comm_rank(old, &rank);
    draw_edges(work, size, &edges);
    for (int i = 0; i < edges.count; i++)
        if (edges.teller[i] == rank) {
            source[n] = edges.from[i];
            degree[n] = 1;
            to[n] = edges.to[i];
            weight[n++] = edges.weight[i];
        }
    const int *weights = weights_of(weight, edges.weighted, n);
    MPI_Dist_graph_create(old, n, source, degree, to, weights, MPI_INFO_NULL, 1, &made);
    MPI_Dist_graph_create(old, n, source, degree, to, weights, MPI_INFO_NULL, 0, &plain);
    finish_edges(work, old, &made, &plain, 1);
}

/* Each is told of at both ends, in an order of its own, which is kept. */
static void try_adjacent(struct work *work, MPI_Comm old)
{
    int rank, size, in = 0, out = 0, source[EDGES], in_weight[EDGES], to[EDGES], out_weight[EDGES];
    struct edges edges;
    MPI_Comm made, plain;
    MPI_Comm_size(old, &size);
    MPI_Comm_rank(old, &rank);
    draw_edges(work, size, &edges);
    for (int i = 0; i < edges.count; i++) {
        if (edges.to[i] == rank) {
            source[in] = edges.from[i];
            in_weight[in++] = edges.weight[i];
        }
        if (edges.from[i] == rank) {
            to[out] = edges.to[i];
            out_weight[out++] = edges.weight[i];
        }
    }
    const int *ins = weights_of(in_weight, edges.weighted, in),
              *outs = weights_of(out_weight, edges.weighted, out);
    MPI_Dist_graph_create_adjacent(old, in, source, ins, out, to, outs, MPI_INFO_NULL, 1, &made);
    MPI_Dist_graph_create_adjacent(old, in, source, ins, out, to, outs, MPI_INFO_NULL, 0, &plain);
    finish_edges(work, old, &made, &plain, 0);
}

static int class_of(int error, MPI_Comm *made)
{
    int class;
    MPI_Error_class(error, &class);
    if (error == MPI_SUCCESS && *made != MPI_COMM_NULL)
        MPI_Comm_free(made);
    return class;
}

/* What the MPI library refuses, if it does, it refuses as it does without reordering. */
static void try_refused(MPI_Comm old)
{
    int size, many[2], periodic[2] = {0}, negative = -1, error[2], index = 1;
    MPI_Comm made;
    MPI_Comm_size(old, &size);
    many[0] = size;
    many[1] = 2;
    MPI_Comm_set_errhandler(old, MPI_ERRORS_RETURN);
    for (int reorder = 0; reorder < 2; reorder++)
        error[reorder] = class_of(MPI_Cart_create(old, 2, many, periodic, reorder, &made), &made);
    check(error[0] != MPI_SUCCESS && error[0] == error[1], "MPI_Cart_create too large", error[1]);
    for (int reorder = 0; reorder < 2; reorder++)
        error[reorder] = class_of(MPI_Graph_create(old, 1, &index, &negative, reorder, &made), &made);
    check(error[0] == error[1], "MPI_Graph_create to nobody", error[1]);
    MPI_Comm_set_errhandler(old, handler);
}

static void *try_all(void *argument)
{
    struct work *work = argument;
    int rank, size;
    MPI_Comm_rank(work->world, &rank);
    MPI_Comm_size(work->world, &size);
    for (int round = 0; round < work->rounds; round++) {
        MPI_Comm old;
        int parts = draw(work, 3) == 0 ? 2 : 1, turned = draw(work, 2);
        uint64_t drawn = work->drawn; /* each part goes on with it by itself */
        MPI_Comm_split(work->world, rank % parts, turned ? -rank : rank, &old);
        MPI_Comm_set_errhandler(old, handler);
        MPI_Comm_set_attr(old, keyval, &failures);
        try_grid(work, old);
        try_graph(work, old);
        try_sources(work, old);
        try_adjacent(work, old);
        MPI_Comm_free(&old);
        work->drawn = drawn;
    }
    return NULL;
}

static void count_error(MPI_Comm *comm, int *error, ...)
{
    (void)comm, (void)error;
    handled++; /* by whoever has the lock */
}

int main(int argc, char **argv)
{
    enum { THREADS = 2 };
    struct work work[THREADS];
    pthread_t thread[THREADS];
    int provided, threads = argc > 4 ? THREADS : 1, made = 0, others = 0, all, size;
    MPI_Init_thread(&argc, &argv, threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    if (threads > 1 && provided < MPI_THREAD_MULTIPLE) {
        MPI_Finalize();
        return 77;
    }
    MPI_Comm_create_errhandler(count_error, &handler);
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    try_refused(MPI_COMM_WORLD);
    for (int t = 0; t < threads; t++) {
        work[t] = (struct work){.rounds = atoi(argv[1]), .drawn = (uint64_t)(atoi(argv[2]) + 77 * t)};
        MPI_Comm_dup(MPI_COMM_WORLD, &work[t].world);
    }
    for (int t = 1; t < threads; t++)
        pthread_create(&thread[t], NULL, try_all, &work[t]);
    try_all(&work[0]);
    for (int t = 0; t < threads; t++) {
        if (t > 0)
            pthread_join(thread[t], NULL);
        made += work[t].made;
        others += work[t].others;
        MPI_Comm_free(&work[t].world);
    }
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (strcmp(argv[3], "most") == 0 && size > 2)
        check(2 * others > made, "few orders are others:", others);
    if (strcmp(argv[3], "some") == 0)
        check(others > 0, "no order is another one", 0);
    if (strcmp(argv[3], "never") == 0)
        check(others == 0, "orders are others:", others);
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_free_keyval(&keyval);
    MPI_Errhandler_free(&handler);
    MPI_Finalize();
    return all != 0;
}
