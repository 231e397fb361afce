/* SPDX-License-Identifier: BSD-3-Clause
 * Every method of the neighbourhood exchange beside the one that one writes by hand, in turns within one run:
 * a grid of two dimensions that wraps, of doubles, with a halo of 1. halo [EDGE...], the inner points of a
 * block in each dimension. Prints the median over turns of the slowest rank, in microseconds, and its ratio
 * to that by hand. */
#include "halo/halo.h"
#include "algorithms/method.h"
#include "halo/neighborhood.h"
#include "patterns/border.h"
#include "patterns/exchange.h"
#include "patterns/transfer.h"
#include "util/quantile.h"
#include "util/why.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TURNS = 15, CALLS = 100, WARM = 20, METHODS_MOST = 64, EDGES_MOST = 8 };

/* MPI_Isend, MPI_Irecv, MPI_Waitall with derived types. */
struct by_hand {
    MPI_Comm comm;
    double *vector;
    int stride, left[2], right[2];
    MPI_Datatype row, column;
};

static void exchange_by_hand(const struct by_hand *h)
{
    MPI_Request request[8];
    MPI_Status status[8];
    ptrdiff_t n = h->stride, last = n - 1;
    PMPI_Irecv(h->vector + 1, 1, h->row, h->left[0], 1, h->comm, &request[0]);
    PMPI_Irecv(h->vector + last * n + 1, 1, h->row, h->right[0], 0, h->comm, &request[1]);
    PMPI_Irecv(h->vector + n, 1, h->column, h->left[1], 3, h->comm, &request[2]);
    PMPI_Irecv(h->vector + n + last, 1, h->column, h->right[1], 2, h->comm, &request[3]);
    PMPI_Isend(h->vector + n + 1, 1, h->row, h->left[0], 0, h->comm, &request[4]);
    PMPI_Isend(h->vector + (last - 1) * n + 1, 1, h->row, h->right[0], 1, h->comm, &request[5]);
    PMPI_Isend(h->vector + n + 1, 1, h->column, h->left[1], 2, h->comm, &request[6]);
    PMPI_Isend(h->vector + n + last - 1, 1, h->column, h->right[1], 3, h->comm, &request[7]);
    PMPI_Waitall(8, request, status);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* NULL is by hand. Microseconds a call, of the slowest rank. */
static double turn(const struct by_hand *h, struct star_exchange *exchange, int calls)
{
    double mine, slowest;
    PMPI_Barrier(h->comm);
    double begin = now();
    for (int i = 0; i < calls; i++) {
        if (exchange == NULL)
            exchange_by_hand(h);
        else if (star_exchange_run(exchange))
            PMPI_Abort(h->comm, 1);
    }
    mine = (now() - begin) / calls;
    PMPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, h->comm);
    return slowest;
}

/* MEDIAN[0] is by hand, MEDIAN[1 + m] method m; 0: it does not apply. */
static void measure(const struct by_hand *h, const struct star_border *border, int ranks, double *median)
{
    static double sample[METHODS_MOST][TURNS];
    struct star_exchange *exchange[METHODS_MOST] = {NULL};
    struct star_why why;
    for (int m = 0; m < star_neighborhoods_count; m++)
        if (star_neighborhood_applies(&star_neighborhoods[m], ranks, NULL) == 0 &&
            star_exchange_make(border, &star_neighborhoods[m], &exchange[m + 1], &why)) {
            fprintf(stderr, "halo: %s\n", why.text);
            PMPI_Abort(h->comm, 1);
        }
    for (int t = 0; t < TURNS; t++)
        for (int m = 0; m <= star_neighborhoods_count; m++)
            if (m == 0 || exchange[m]) {
                turn(h, exchange[m], WARM);
                sample[m][t] = turn(h, exchange[m], CALLS);
            }
    for (int m = 0; m <= star_neighborhoods_count; m++) {
        star_sort(sample[m], TURNS);
        median[m] = m == 0 || exchange[m] ? star_quantile(sample[m], TURNS, 0.5) : 0;
        star_exchange_free(exchange[m]);
    }
}

static void measure_edge(MPI_Comm comm, int edge, double *median)
{
    struct star_grid grid = {2, {0}, {true, true}};
    struct by_hand h = {.comm = comm, .stride = edge + 2};
    struct star_block block = {2, {edge + 2, edge + 2}, 1, 1, false};
    struct star_halo *halo = NULL;
    struct star_border *border = NULL;
    struct star_why why = {{0}};
    int rank, ranks;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &ranks);
    PMPI_Dims_create(ranks, 2, grid.size);
    h.vector = calloc((size_t)h.stride * (size_t)h.stride, sizeof *h.vector);
    struct star_neighbors neighbors = {rank, ranks, 2, h.left, h.right, STAR_BOTH_WAYS};
    if (h.vector == NULL || star_grid_neighbors(&grid, rank, 2, h.left, h.right) ||
        star_halo_make(&block, &neighbors, &halo, &why)) {
        fprintf(stderr, "halo: %s\n", why.text);
        PMPI_Abort(comm, 1);
    }
    struct star_vectors vectors = {halo, MPI_DOUBLE, h.vector, h.vector, comm, 10};
    PMPI_Type_contiguous(edge, MPI_DOUBLE, &h.row);
    PMPI_Type_vector(edge, 1, h.stride, MPI_DOUBLE, &h.column);
    PMPI_Type_commit(&h.row);
    PMPI_Type_commit(&h.column);
    if (star_border_make(&vectors, &border, &why))
        PMPI_Abort(comm, 1);
    measure(&h, border, ranks, median);
    star_border_free(border);
    PMPI_Type_free(&h.row);
    PMPI_Type_free(&h.column);
    free(halo);
    free(h.vector);
}

static void print(const int *edge, int edges, double median[][METHODS_MOST])
{
    printf("| method |");
    for (int e = 0; e < edges; e++)
        printf(" %d x %d |", edge[e], edge[e]);
    printf("\n|---|");
    for (int e = 0; e < edges; e++)
        printf("---|");
    for (int m = 0; m <= star_neighborhoods_count; m++) {
        char name[STAR_METHOD_TEXT] = "by hand";
        if (median[0][m] == 0)
            continue;
        if (m > 0)
            star_neighborhood_format(&star_neighborhoods[m - 1], name, sizeof name);
        printf("\n| `%s` |", name);
        for (int e = 0; e < edges; e++)
            printf(" %.2f (%.2f) |", median[e][m], median[e][m] / median[e][0]);
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    static double median[EDGES_MOST][METHODS_MOST];
    int edge[EDGES_MOST] = {8, 64, 512}, edges = argc > 1 ? 0 : 3, rank;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    PMPI_Comm_rank(comm, &rank);
    for (int a = 1; a < argc && edges < EDGES_MOST; a++)
        edge[edges++] = atoi(argv[a]);
    for (int e = 0; e < edges; e++)
        measure_edge(comm, edge[e], median[e]);
    if (rank == 0)
        print(edge, edges, median);
    PMPI_Comm_free(&comm);
    PMPI_Finalize();
    return 0;
}
