/* SPDX-License-Identifier: BSD-3-Clause
 * Borders that do not fit are refused by all ranks alike, in one line; two that do are crossed at once; a
 * window that one rank's library made elsewhere is used by none; and exchanges of one border share what they
 * need. */
#include "algorithms/method.h"
#include "halo/halo.h"
#include "halo/neighborhood.h"
#include "patterns/border.h"
#include "patterns/exchange.h"
#include "patterns/transfer.h"
#include "util/why.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks, failures;

static void check(bool right, const char *what, const char *text)
{
    if (!right && failures++ < 10)
        fprintf(stderr, "FAILED: rank %d: %s: %s\n", rank, what, text);
}

/* A ring of blocks of ROWS x 4 points with a halo of 1, but for what the cases below change on rank 0. */
struct ring {
    const char *name, *says;
    int rows, left, right; /* of rank 0; −2: as on the other ranks */
    bool other_type;
};

static struct star_halo *halo_of(const struct ring *ring, int rows)
{
    int left[] = {(rank + ranks - 1) % ranks, rank}, right[] = {(rank + 1) % ranks, rank};
    if (rank == 0 && ring->left != -2)
        left[0] = ring->left;
    if (rank == 0 && ring->right != -2)
        right[0] = ring->right;
    struct star_block block = {2, {4, rank == 0 ? ring->rows : rows}, 1, 1, false};
    struct star_neighbors neighbors = {rank, ranks, 2, left, right, STAR_BOTH_WAYS};
    struct star_halo *halo = NULL;
    struct star_why why = {{0}};
    check(star_halo_make(&block, &neighbors, &halo, &why) == 0, "halo", why.text);
    return halo;
}

static void expect_refusal(const struct ring *ring, MPI_Comm comm)
{
    struct star_halo *halo = halo_of(ring, 4);
    struct star_why why = {{0}}, first;
    struct star_border *border = NULL;
    double vector[100];
    struct star_vectors vectors = {
        halo, ring->other_type && rank == 0 ? MPI_INT : MPI_DOUBLE, vector, vector, comm, 0};
    int error = star_border_make(&vectors, &border, &why);
    check(error == STAR_EINPUT, ring->name, "is not refused");
    check(strstr(why.text, ring->says) != NULL, ring->name, why.text);
    first = why;
    PMPI_Bcast(first.text, sizeof first.text, MPI_CHAR, 0, comm);
    check(strcmp(first.text, why.text) == 0, ring->name, "ranks have different reasons");
    free(halo);
}

/* The inner points of both vectors are the rank's number; both are exchanged, begun one after the other. */
static void cross_two_at_once(const struct star_neighborhood *method, MPI_Comm comm)
{
    static const struct ring even = {"", "", 6, -2, -2, false};
    struct star_halo *halo = halo_of(&even, 6);
    struct star_exchange *exchange[2] = {NULL, NULL};
    struct star_border *border[2] = {NULL, NULL};
    double vector[2][4][6];
    char text[STAR_METHOD_TEXT];
    struct star_why why = {{0}};
    star_neighborhood_format(method, text, sizeof text);
    for (int v = 0; v < 2; v++) {
        for (int i = 0; i < 24; i++)
            vector[v][i / 6][i % 6] = rank + 1000 * v;
        struct star_vectors vectors = {halo, MPI_DOUBLE, vector[v], vector[v], comm, 4 * v};
        check(star_border_make(&vectors, &border[v], &why) == 0, text, why.text);
        check(star_exchange_make(border[v], method, &exchange[v], &why) == 0, text, why.text);
    }
    for (int v = 0; v < 2; v++)
        check(star_exchange_init(exchange[v]) == 0, text, "init");
    for (int v = 0; v < 2; v++)
        check(star_exchange_wait(exchange[v]) == 0, text, "wait");
    for (int v = 0; v < 2; v++) {
        check(vector[v][0][1] == (rank + ranks - 1) % ranks + 1000 * v, text, "low halo");
        check(vector[v][3][4] == (rank + 1) % ranks + 1000 * v, text, "high halo");
        star_exchange_free(exchange[v]);
        star_border_free(border[v]);
    }
    free(halo);
}

/* MPI's own, in front of it: the last rank's windows begin 8 bytes before the memory they were made of. */
static bool shifted;
int PMPI_Win_get_attr(MPI_Win window, int key, void *value, int *found)
{
    static char *base;
    int error = MPI_Win_get_attr(window, key, (void *)&base, found);
    base -= shifted && key == MPI_WIN_BASE && rank == ranks - 1 ? 8 : 0;
    memcpy(value, &base, sizeof base);
    return error;
}

static void expect_no_window(const struct star_neighborhood *method, MPI_Comm comm)
{
    static const struct ring even = {"", "", 6, -2, -2, false};
    struct star_halo *halo = halo_of(&even, 6);
    double vector[4][6];
    struct star_vectors vectors = {halo, MPI_DOUBLE, vector, vector, comm, 0};
    struct star_border *border = NULL;
    struct star_exchange *exchange = NULL;
    struct star_why why = {{0}};
    char text[STAR_METHOD_TEXT];
    star_neighborhood_format(method, text, sizeof text);
    check(star_border_make(&vectors, &border, &why) == 0, text, why.text);
    shifted = true;
    check(star_exchange_make(border, method, &exchange, &why) == STAR_ESYSTEM, text, "a shifted window");
    shifted = false;
    star_border_free(border);
    free(halo);
}

static int graphs;
int PMPI_Dist_graph_create_adjacent(MPI_Comm comm, int sources, const int *source, const int *source_weight,
                                    int targets, const int *target, const int *target_weight, MPI_Info info,
                                    int reorder, MPI_Comm *graph)
{
    graphs++;
    return MPI_Dist_graph_create_adjacent(comm, sources, source, source_weight, targets, target,
                                          target_weight, info, reorder, graph);
}

/* Packed messages that are no window lie in one buffer, whatever the method. */
static void check_buffer(const struct star_exchange *exchange, const struct star_neighborhood *method,
                         const char *text)
{
    static const char *buffer;
    if (!exchange->packs || star_transfers[method->value[STAR_BY_TRANSFER]].one_sided)
        return;
    if (buffer == NULL)
        buffer = exchange->sent_buffer;
    check(exchange->sent_buffer == buffer, text, "another buffer");
}

/* All methods on one border, one after the other; those that ran before are kept. */
static void share_a_border(MPI_Comm comm)
{
    enum { MOST = 100 };
    static const struct ring even = {"", "", 6, -2, -2, false};
    struct star_halo *halo = halo_of(&even, 6);
    struct star_exchange *exchange[MOST] = {NULL};
    struct star_border *border = NULL;
    struct star_why why = {{0}};
    double vector[4][6];
    struct star_vectors vectors = {halo, MPI_DOUBLE, vector, vector, comm, 0};
    check(star_border_make(&vectors, &border, &why) == 0, "a border", why.text);
    graphs = 0;
    for (int round = 0; round < 2; round++)
        for (int m = 0; m < star_neighborhoods_count; m++) {
            char text[STAR_METHOD_TEXT];
            star_neighborhood_format(&star_neighborhoods[m], text, sizeof text);
            if (star_neighborhood_applies(&star_neighborhoods[m], ranks, NULL) != 0)
                continue;
            if (round == 0)
                check(star_exchange_make(border, &star_neighborhoods[m], &exchange[m], &why) == 0, text,
                      why.text);
            for (int i = 0; i < 24; i++)
                vector[i / 6][i % 6] = rank + 1000 * m;
            check(star_exchange_run(exchange[m]) == 0, text, "run");
            check(vector[0][1] == (rank + ranks - 1) % ranks + 1000 * m, text, "low halo");
            check(vector[3][4] == (rank + 1) % ranks + 1000 * m, text, "high halo");
            check_buffer(exchange[m], &star_neighborhoods[m], text);
        }
    check(graphs == 1, "graphs of neighbours", "not one");
    for (int m = 0; m < star_neighborhoods_count; m++)
        star_exchange_free(exchange[m]);
    star_border_free(border);
    free(halo);
}

static void try_method(const struct star_neighborhood *method, MPI_Comm comm)
{
    cross_two_at_once(method, comm);
    if (star_transfers[method->value[STAR_BY_TRANSFER]].one_sided)
        expect_no_window(method, comm);
}

int main(int argc, char **argv)
{
    static const struct ring rings[] = {
        {"vectors of other lengths", "do not fit", 9, -2, -2, false},
        {"a neighbour that is not one", "do not fit", 4, -2, STAR_NOBODY, false},
        {"a neighbour that is itself", "is its own neighbour at one side", 4, -2, 0, false},
        {"sides that are not opposite", "left of one must be right of the other", 4, 1, 2, false},
        {"elements of other lengths", "do not fit", 4, -2, -2, true},
    };
    int all = 0;
    MPI_Init(&argc, &argv);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (size_t r = 0; r < sizeof rings / sizeof rings[0]; r++)
        expect_refusal(&rings[r], MPI_COMM_WORLD);
    for (int m = 0; m < star_neighborhoods_count; m++)
        if (star_neighborhood_applies(&star_neighborhoods[m], ranks, NULL) == 0)
            try_method(&star_neighborhoods[m], MPI_COMM_WORLD);
    share_a_border(MPI_COMM_WORLD);
    PMPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    PMPI_Finalize();
    return all != 0;
}
