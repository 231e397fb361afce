/* SPDX-License-Identifier: BSD-3-Clause
 * Where the MPI library makes no windows, and takes its time to say so, a request asks once of each memory,
 * whatever the number of one-sided functions, and does without. Startune's calls of PMPI come here. */
#include "startune.h"

#include <stdio.h>
#include <string.h>

enum { SIDE = 6, CALLS = 200, CALLS_MOST = 5000 };

static int created, allocated;

/* Keeps MPI's signature. NOLINTNEXTLINE(readability-non-const-parameter) */
int PMPI_Win_create(void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *window)
{
    (void)base, (void)size, (void)unit, (void)info, (void)comm, (void)window;
    created++;
    return MPI_ERR_WIN;
}

int PMPI_Win_allocate(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *window)
{
    (void)size, (void)unit, (void)info, (void)comm, (void)base, (void)window;
    allocated++;
    return MPI_ERR_WIN;
}

static int wrong;

static void expect(int good, const char *what)
{
    if (!good)
        fprintf(stderr, "FAILED: %s\n", what);
    wrong += !good;
}

/* With MPICH over UCX one-sided functions are left out: docs/explanation/halos.md. */
static int uses_windows(void)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(text, &length);
    return strstr(text, "ch4:ucx") == NULL;
}

/* Each rank holds its own number, its halo the neighbours'. */
static void exchange_until_one_is_chosen(MPI_Comm cart, STAR_Request request, double block[SIDE][SIDE])
{
    int rank, left, right, open = 1;
    MPI_Comm_rank(cart, &rank);
    MPI_Cart_shift(cart, 0, 1, &left, &right);
    for (int call = 0; call < CALLS || (open && call < CALLS_MOST); call++) {
        for (int i = 0; i < SIDE * SIDE; i++)
            block[i / SIDE][i % SIDE] = rank;
        expect(STAR_Request_run(request) == STAR_SUCCESS, "a request fails");
        expect(block[0][1] == left && block[SIDE - 1][1] == right, "a halo is wrong");
        STAR_Request_get_state(request, &open);
    }
    expect(!open, "none was chosen");
}

int main(int argc, char **argv)
{
    static double block[SIDE][SIDE];
    int ranks, sizes[2] = {SIDE, SIDE}, periods[2] = {1, 1};
    MPI_Comm cart;
    STAR_Topology topology;
    STAR_Vector vector;
    STAR_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){ranks, 1}, periods, 0, &cart);
    STAR_Topology_create(cart, &topology);
    STAR_Vector_register(2, sizes, 1, MPI_DOUBLE, block, &vector);
    STAR_Request_create(vector, topology, STAR_FNCTSET_NEIGHBORHOOD, &request);
    exchange_until_one_is_chosen(cart, request, block);
    expect(created <= 1 && allocated <= 1, "windows are asked for again and again");
    expect(created + allocated > 0 || !uses_windows(), "windows are made behind this program's back");
    STAR_Request_free(&request);
    STAR_Vector_deregister(&vector);
    STAR_Topology_free(&topology);
    MPI_Comm_free(&cart);
    MPI_Finalize();
    return wrong != 0;
}
