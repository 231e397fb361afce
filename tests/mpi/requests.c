/* SPDX-License-Identifier: BSD-3-Clause
 * Requests, by the public interface: requests SCENARIO. Each scenario compares with what MPI itself, or plain
 * arithmetic, says. Rank 0 prints "right" and the name of the scenario where all ranks found all right. */
#include "requests.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int rank, size, wrong;

enum { WIDE = 5, HIGH = 4, HALO = 1, ROWS = WIDE + 2 * HALO, COLUMNS = HIGH + 2 * HALO };

/* The value of a point of the whole grid at a time: no two are alike. */
static double value_at(int row, int column, int time)
{
    return row * 1000.0 + column + time * 1e6;
}

struct grid {
    MPI_Comm cart;
    int dims[2], coords[2];
};

static struct grid make_grid(MPI_Comm comm, int periodic)
{
    struct grid grid = {.dims = {0, 0}};
    int ranks, mine;
    MPI_Comm_size(comm, &ranks);
    MPI_Dims_create(ranks, 2, grid.dims);
    MPI_Cart_create(comm, 2, grid.dims, (int[]){periodic, periodic}, 0, &grid.cart);
    MPI_Comm_rank(grid.cart, &mine);
    MPI_Cart_coords(grid.cart, mine, 2, grid.coords);
    return grid;
}

/* The inner points hold their values, the halo −1. */
static void fill(const struct grid *grid, double (*block)[COLUMNS], int time)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            bool inner = i >= HALO && i < ROWS - HALO && j >= HALO && j < COLUMNS - HALO;
            block[i][j] =
                inner ? value_at(grid->coords[0] * WIDE + i - HALO, grid->coords[1] * HIGH + j - HALO, time)
                      : -1;
        }
}

/* The halo of a periodic grid, corners or not, holds what the whole grid has there. */
static bool is_filled(const struct grid *grid, double (*block)[COLUMNS], int time, bool corners)
{
    int rows = grid->dims[0] * WIDE, columns = grid->dims[1] * HIGH;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            bool corner = (i < HALO || i >= ROWS - HALO) && (j < HALO || j >= COLUMNS - HALO);
            int row = (grid->coords[0] * WIDE + i - HALO + rows) % rows;
            int column = (grid->coords[1] * HIGH + j - HALO + columns) % columns;
            double right = corner && !corners ? -1 : value_at(row, column, time);
            if (block[i][j] != right)
                return false;
        }
    return true;
}

static void neighborhood(bool extended)
{
    struct grid grid = make_grid(MPI_COMM_WORLD, 1);
    static double block[ROWS][COLUMNS];
    STAR_Vector vector;
    STAR_Topology topology;
    STAR_Request request;
    GOOD(STAR_Vector_register(2, (int[]){ROWS, COLUMNS}, HALO, MPI_DOUBLE, block, &vector));
    GOOD(extended ? STAR_Topology_create_extended(grid.cart, &topology)
                  : STAR_Topology_create(grid.cart, &topology));
    GOOD(STAR_Request_create(vector, topology, STAR_FNCTSET_NEIGHBORHOOD, &request));
    /* What it was made from is not needed any more. */
    GOOD(STAR_Vector_deregister(&vector));
    GOOD(STAR_Topology_free(&topology));
    EXPECT(vector == STAR_VECTOR_NULL && topology == STAR_TOPOLOGY_NULL);
    for (int time = 0; time < 600; time++) {
        fill(&grid, block, time);
        if (time % 3 == 0) {
            GOOD(STAR_Request_begin(request));
            /* A few times, or until it is over. */
            for (int i = 0; (time % 2 || i < time % 7) && STAR_Request_progress(request) == STAR_CONTINUE;
                 i++)
                ;
            GOOD(STAR_Request_wait(request));
        } else
            GOOD(STAR_Request_run(request));
        EXPECT(is_filled(&grid, block, time, extended));
    }
    int count, current;
    char name[STAR_MAX_NAME];
    GOOD(STAR_Request_get_functions(request, &count, &current));
    EXPECT(count >= 20 && current >= 0 && current < count);
    GOOD(STAR_Request_get_function(request, current, name, NULL));
    EXPECT(strncmp(name, "neighborhood:", 13) == 0);
    GOOD(STAR_Request_free(&request));
    EXPECT(request == STAR_REQUEST_NULL);
    MPI_Comm_free(&grid.cart);
}

static void faces(void)
{
    neighborhood(false);
}

static void diagonals(void)
{
    neighborhood(true);
}

/* Exchanges on communicators that come and go, and that overlap each other. */
static void communicators(void)
{
    for (int round = 0; round < 40; round++) {
        MPI_Comm part;
        static double block[2][ROWS][COLUMNS];
        STAR_Request requests[2];
        MPI_Comm_split(MPI_COMM_WORLD, rank % (1 + round % 3), round % 2 ? rank : -rank, &part);
        struct grid grid = make_grid(part, 1);
        STAR_Topology topology;
        GOOD(STAR_Topology_create(grid.cart, &topology));
        for (int i = 0; i < 2; i++) {
            STAR_Vector vector;
            GOOD(STAR_Vector_register(2, (int[]){ROWS, COLUMNS}, HALO, MPI_DOUBLE, block[i], &vector));
            GOOD(STAR_Request_create(vector, topology, STAR_FNCTSET_NEIGHBORHOOD, &requests[i]));
            GOOD(STAR_Vector_deregister(&vector));
        }
        for (int time = 0; time < 12; time++) {
            for (int i = 0; i < 2; i++)
                fill(&grid, block[i], 2 * time + i);
            GOOD(STAR_Request_begin(requests[0]));
            GOOD(STAR_Request_begin(requests[1]));
            GOOD(STAR_Request_wait(requests[0]));
            GOOD(STAR_Request_wait(requests[1]));
            for (int i = 0; i < 2; i++)
                EXPECT(is_filled(&grid, block[i], 2 * time + i, false));
        }
        for (int i = 0; i < 2; i++)
            GOOD(STAR_Request_free(&requests[i]));
        GOOD(STAR_Topology_free(&topology));
        MPI_Comm_free(&grid.cart);
        MPI_Comm_free(&part);
    }
}

/* Messages that no MPI library sends before they are received. */
enum { LONG = 20000 };
static double long_block[3][LONG];

/* Rank 0 asks again and again whether it is over; the others wait for its word before they wait. */
static void run_asked(STAR_Request request, int run)
{
    enum { ASKED = 5000 };
    int word = run;
    for (int i = 0; i < LONG; i++) {
        long_block[1][i] = rank * 1e6 + run;
        long_block[0][i] = long_block[2][i] = -1;
    }
    GOOD(STAR_Request_begin(request));
    for (int i = 0; rank == 0 && i < ASKED; i++)
        STAR_Request_progress(request);
    MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
    EXPECT(word == run);
    GOOD(STAR_Request_wait(request));
}

/* Progress waits for nobody, whatever the function. */
static void progress_is_local(void)
{
    MPI_Comm ring;
    STAR_Topology topology;
    STAR_Vector vector;
    STAR_Request request;
    int low, high, state = 1;
    MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){size, 1}, (int[]){1, 1}, 0, &ring);
    MPI_Cart_shift(ring, 0, 1, &low, &high);
    GOOD(STAR_Topology_create(ring, &topology));
    GOOD(STAR_Vector_register(2, (int[]){3, LONG}, HALO, MPI_DOUBLE, long_block, &vector));
    GOOD(STAR_Request_create(vector, topology, STAR_FNCTSET_NEIGHBORHOOD, &request));
    for (int run = 0; run < 1000 && state != 0; run++) {
        run_asked(request, run);
        EXPECT(long_block[0][LONG / 2] == low * 1e6 + run && long_block[2][1] == high * 1e6 + run);
        GOOD(STAR_Request_get_state(request, &state));
    }
    EXPECT(state == 0);
    GOOD(STAR_Request_free(&request));
    GOOD(STAR_Vector_deregister(&vector));
    GOOD(STAR_Topology_free(&topology));
    MPI_Comm_free(&ring);
}

/* Two vectors that touch, of odd sizes: what a message writes beside its own vector spoils the other. */
static void touching(void)
{
    enum { POINTS = 7, LAST = POINTS - 1 };
    static struct {
        double reals[POINTS];
        int numbers[POINTS], behind;
    } block;
    MPI_Comm ring;
    STAR_Topology topology;
    STAR_Vector vectors[2];
    STAR_Request requests[2];
    int left, right, points = POINTS;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, (int[]){1}, 0, &ring);
    MPI_Cart_shift(ring, 0, 1, &left, &right);
    GOOD(STAR_Topology_create(ring, &topology));
    GOOD(STAR_Vector_register(1, &points, HALO, MPI_DOUBLE, block.reals, &vectors[0]));
    GOOD(STAR_Vector_register(1, &points, HALO, MPI_INT, block.numbers, &vectors[1]));
    for (int i = 0; i < 2; i++)
        GOOD(STAR_Request_create(vectors[i], topology, STAR_FNCTSET_NEIGHBORHOOD, &requests[i]));
    for (int time = 0; time < 300; time++) {
        for (int p = 0; p < POINTS; p++) {
            block.reals[p] = p == 0 || p == LAST ? -1 : rank + 0.5 + time;
            block.numbers[p] = p == 0 || p == LAST ? -1 : rank * 1000 + time;
        }
        block.behind = -2;
        for (int i = 0; i < 2; i++)
            GOOD(STAR_Request_run(requests[i]));
        for (int p = 0; p < POINTS; p++) {
            int from = p == 0 ? left : p == LAST ? right : rank;
            EXPECT(block.reals[p] == from + 0.5 + time);
            EXPECT(block.numbers[p] == from * 1000 + time);
        }
        EXPECT(block.behind == -2);
    }
    for (int i = 0; i < 2; i++) {
        GOOD(STAR_Request_free(&requests[i]));
        GOOD(STAR_Vector_deregister(&vectors[i]));
    }
    GOOD(STAR_Topology_free(&topology));
    MPI_Comm_free(&ring);
}

/* Memory of startune's: pointers of as many levels as there are dimensions, the elements in one piece. */
static void allocated(void)
{
    STAR_Vmap vmap;
    STAR_Vector vector;
    double ****data = NULL;
    GOOD(STAR_Vmap_halo_allocate(1, &vmap));
    GOOD(STAR_Vector_allocate_generic(3, (int[]){3, 4, 5}, 2, vmap, MPI_DOUBLE, &data, &vector));
    double *elements = &data[0][0][0][0];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 5; k++)
                for (int v = 0; v < 2; v++) {
                    EXPECT(&data[i][j][k][v] == &elements[((i * 4 + j) * 5 + k) * 2 + v]);
                    EXPECT(data[i][j][k][v] == 0);
                }
    GOOD(STAR_Vector_free(&vector));
    int *flat = NULL;
    GOOD(STAR_Vector_allocate(1, (int[]){7}, 2, MPI_INT, &flat, &vector));
    flat[6] = 1;
    GOOD(STAR_Vector_free(&vector));
    GOOD(STAR_Vmap_free(&vmap));
}

static const struct scenario scenarios[] = {{"faces", faces},
                                            {"diagonals", diagonals},
                                            {"communicators", communicators},
                                            {"progress-is-local", progress_is_local},
                                            {"touching", touching},
                                            {"allocated", allocated},
                                            {NULL, NULL}};

/* False: none has this name. */
static bool run(const struct scenario *of, const char *name)
{
    for (; of->name != NULL; of++)
        if (strcmp(of->name, name) == 0) {
            of->run();
            return true;
        }
    return false;
}

int main(int argc, char **argv)
{
    int all = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    wrong += STAR_Request_start != STAR_Request_run || STAR_Request_init != STAR_Request_begin;
    bool found = argc > 1 && (run(scenarios, argv[1]) || run(own_scenarios, argv[1]) ||
                              run(collective_scenarios, argv[1]) || run(fpenv_scenarios, argv[1]));
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0 && found && all == 0)
        printf("right: %s\n", argv[1]);
    MPI_Finalize();
    return !found || all != 0;
}
