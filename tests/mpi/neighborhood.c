/* SPDX-License-Identifier: BSD-3-Clause
 * Every method of the neighbourhood exchange against what a global array says: neighborhood [full
 * [DIMENSIONS]]. Blocks of different ranks differ in length. In the end windows, requests, datatypes, … have
 * been freed. */
#include "halo/neighborhood.h"
#include "algorithms/method.h"
#include "halo/halo.h"
#include "objects.h"
#include "patterns/border.h"
#include "patterns/exchange.h"
#include "patterns/transfer.h"
#include "util/why.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIMENSIONS = 4, PAIRS_MOST = 40, UNTOUCHED = -1 };

struct trial {
    struct star_grid grid;
    int width, values;
    int reach; /* of neighbours: in how many dimensions they may differ */
    bool fortran, two_vectors;
    enum star_ways ways;
};

/* One rank's part of it. */
struct part {
    const struct trial *trial;
    MPI_Comm comm;
    int rank, ranks;
    int coordinate[DIMENSIONS], start[DIMENSIONS], inner[DIMENSIONS], total[DIMENSIONS];
    struct star_block block;
    struct star_halo *halo;
    double *from, *into;
};

static int failures, exchanges;

static int inner_of(const struct trial *trial, int d, int coordinate)
{
    return trial->width + (coordinate + d) % 3;
}

static size_t cells(const struct star_block *block)
{
    size_t cells = 1;
    for (int d = 0; d < block->dimensions; d++)
        cells *= (size_t)block->size[d];
    return cells;
}

static size_t place_of(const struct star_block *block, const int *point, int value)
{
    size_t place = 0;
    if (!block->fortran) {
        for (int d = 0; d < block->dimensions; d++)
            place = place * (size_t)block->size[d] + (size_t)point[d];
        return place * (size_t)block->values + (size_t)value;
    }
    place = (size_t)value;
    for (int d = block->dimensions - 1; d >= 0; d--)
        place = place * (size_t)block->size[d] + (size_t)point[d];
    return place;
}

static bool next_point(const struct star_block *block, int *point)
{
    for (int d = block->dimensions - 1; d >= 0; d--) {
        if (++point[d] < block->size[d])
            return true;
        point[d] = 0;
    }
    return false;
}

/* The global array. */
static double value_at(const struct part *part, const int *global, int value, int round)
{
    double place = 0;
    for (int d = 0; d < part->block.dimensions; d++)
        place = place * part->total[d] + global[d];
    return (place * part->block.values + value) * 4 + round + 1;
}

/* What a point holds after an exchange. */
static double expected_at(const struct part *part, const int *point, int value, int round)
{
    const struct trial *trial = part->trial;
    int outside = 0, side = 0, global[DIMENSIONS];
    for (int d = 0; d < part->block.dimensions; d++) {
        int inside = point[d] - trial->width, size = trial->grid.size[d];
        int step = inside < 0 ? -1 : inside >= part->inner[d] ? 1 : 0, there = part->coordinate[d] + step;
        outside += step != 0;
        side += step;
        if ((there < 0 || there >= size) && !trial->grid.periodic[d])
            return UNTOUCHED;
        global[d] = (part->start[d] + inside + part->total[d]) % part->total[d];
    }
    bool comes = trial->ways == STAR_BOTH_WAYS || (side < 0) == (trial->ways == STAR_LEFT_TO_RIGHT);
    if (outside > trial->reach || (outside > 0 && !comes))
        return UNTOUCHED;
    return value_at(part, global, value, round);
}

static void fill(const struct part *part, int round)
{
    int point[DIMENSIONS] = {0};
    do {
        bool inner = true;
        int global[DIMENSIONS];
        for (int d = 0; d < part->block.dimensions; d++) {
            global[d] = part->start[d] + point[d] - part->block.width;
            inner =
                inner && point[d] >= part->block.width && point[d] < part->block.size[d] - part->block.width;
        }
        for (int v = 0; v < part->block.values; v++) {
            double *from = &part->from[place_of(&part->block, point, v)];
            *from = inner ? value_at(part, global, v, round) : UNTOUCHED;
            if (part->into != part->from)
                part->into[place_of(&part->block, point, v)] = UNTOUCHED;
        }
    } while (next_point(&part->block, point));
}

static void check(const struct part *part, int round, const char *method)
{
    int point[DIMENSIONS] = {0}, wrong = 0;
    do {
        bool inner = true;
        for (int d = 0; d < part->block.dimensions; d++)
            inner =
                inner && point[d] >= part->block.width && point[d] < part->block.size[d] - part->block.width;
        for (int v = 0; v < part->block.values; v++) {
            size_t at = place_of(&part->block, point, v);
            double should = expected_at(part, point, v, round);
            double apart = inner || part->into == part->from ? should : UNTOUCHED;
            wrong += part->from[at] != apart;
            wrong += part->into[at] != (inner && part->into != part->from ? UNTOUCHED : should);
        }
    } while (next_point(&part->block, point));
    if (wrong && failures++ < 10) {
        const struct trial *t = part->trial;
        fprintf(stderr, "FAILED: %s, rank %d of %d, round %d: %d wrong values; grid", method, part->rank,
                part->ranks, round, wrong);
        for (int d = 0; d < t->grid.dimensions; d++)
            fprintf(stderr, " %d%s", t->grid.size[d], t->grid.periodic[d] ? " periodic" : "");
        fprintf(stderr, "; width %d, %d values, reach %d, ways %d%s%s\n", t->width, t->values, t->reach,
                (int)t->ways, t->fortran ? ", Fortran" : "", t->two_vectors ? ", two vectors" : "");
    }
}

static bool expect(int error, const char *what, const char *method, const struct star_why *why)
{
    if (error && failures++ < 10)
        fprintf(stderr, "FAILED: %s: %s: %d %s\n", method, what, error, why ? why->text : "");
    return error == 0;
}

static void run_in_pieces(struct star_exchange *exchange, const char *method)
{
    bool begun = expect(star_exchange_init(exchange), "init", method, NULL);
    for (int i = 0; begun && i < 3; i++)
        begun = expect(star_exchange_progress(exchange), "progress", method, NULL);
    if (begun)
        expect(star_exchange_wait(exchange), "wait", method, NULL);
}

static void try_method(const struct part *part, const struct star_border *border,
                       const struct star_neighborhood *method)
{
    char text[STAR_METHOD_TEXT];
    struct star_why why = {{0}};
    struct star_exchange *exchange = NULL;
    star_neighborhood_format(method, text, sizeof text);
    int error = star_exchange_make(border, method, &exchange, &why);
    if (star_neighborhood_applies(method, part->ranks, &why)) {
        expect(error != STAR_ENEEDS, "is not refused", text, &why);
        return;
    }
    if (!expect(error, "make", text, &why))
        return;
    for (int round = 0; round < 3; round++) {
        fill(part, round);
        if (round == 1)
            run_in_pieces(exchange, text);
        else
            expect(star_exchange_run(exchange), "run", text, NULL);
        check(part, round, text);
    }
    star_exchange_free(exchange);
    exchanges++;
}

static bool open_part(struct part *part)
{
    const struct trial *trial = part->trial;
    int left[PAIRS_MOST], right[PAIRS_MOST], dimensions = trial->grid.dimensions, rest = part->rank;
    int pairs = trial->reach == 1 ? dimensions : star_halo_pairs(dimensions, true);
    if (dimensions == 3 && trial->reach == 2)
        pairs = 9;
    part->block = (struct star_block){dimensions, {0}, trial->width, trial->values, trial->fortran};
    for (int d = dimensions - 1; d >= 0; rest /= trial->grid.size[d], d--) {
        part->coordinate[d] = rest % trial->grid.size[d];
        part->inner[d] = inner_of(trial, d, part->coordinate[d]);
        part->block.size[d] = part->inner[d] + 2 * trial->width;
        part->start[d] = part->total[d] = 0;
        for (int c = 0; c < trial->grid.size[d]; c++) {
            part->start[d] += c < part->coordinate[d] ? inner_of(trial, d, c) : 0;
            part->total[d] += inner_of(trial, d, c);
        }
    }
    star_grid_neighbors(&trial->grid, part->rank, pairs, left, right);
    struct star_neighbors neighbors = {part->rank, part->ranks, pairs, left, right, trial->ways};
    struct star_why why = {{0}};
    size_t all = cells(&part->block) * (size_t)trial->values;
    part->from = malloc(all * sizeof *part->from);
    part->into = trial->two_vectors ? malloc(all * sizeof *part->into) : part->from;
    return expect(star_halo_make(&part->block, &neighbors, &part->halo, &why), "halo", "", &why);
}

static void close_part(struct part *part)
{
    if (part->into != part->from)
        free(part->into);
    free(part->from);
    free(part->halo);
}

static void try_all(const struct trial *trial, MPI_Comm comm)
{
    struct part part = {.trial = trial, .comm = comm};
    PMPI_Comm_rank(comm, &part.rank);
    PMPI_Comm_size(comm, &part.ranks);
    if (open_part(&part)) {
        struct star_vectors vectors = {part.halo, MPI_DOUBLE, part.from, part.into, comm, 100};
        struct star_border *border = NULL;
        struct star_why why = {{0}};
        if (expect(star_border_make(&vectors, &border, &why), "border", "", &why))
            for (int m = 0; m < star_neighborhoods_count; m++)
                try_method(&part, border, &star_neighborhoods[m]);
        star_border_free(border);
    }
    close_part(&part);
}

/* The shape that MPI_Dims_create gives; all ranks in the first dimension; or all in the last. */
static void shape(struct star_grid *grid, int dimensions, int ranks, int number)
{
    grid->dimensions = dimensions;
    for (int d = 0; d < DIMENSIONS; d++)
        grid->size[d] = number == 0 ? 0 : 1;
    if (number == 0)
        PMPI_Dims_create(ranks, dimensions, grid->size);
    else
        grid->size[number == 1 ? 0 : dimensions - 1] = ranks;
}

static void wrap(struct star_grid *grid, int number)
{
    for (int d = 0; d < grid->dimensions; d++)
        grid->periodic[d] = number == 1 || (number == 2 && d % 2 == 0);
}

enum { TRIALS = 54, SOME_TRIALS = 3 };

/* Trial NUMBER of TRIALS on so many ranks: every width with every period, number of values and shape. What is
 * left goes along in turns. */
static struct trial trial_of(int dimensions, int ranks, int number)
{
    static const enum star_ways ways[] = {STAR_BOTH_WAYS, STAR_LEFT_TO_RIGHT, STAR_BOTH_WAYS,
                                          STAR_RIGHT_TO_LEFT, STAR_BOTH_WAYS};
    struct trial trial = {.width = 1 + number % 3, .values = number / 9 % 2 ? 3 : 1};
    int turn = number + number / 3 + number / 9 + dimensions;
    shape(&trial.grid, dimensions, ranks, number / 18);
    wrap(&trial.grid, number / 3 % 3);
    trial.reach = turn % 2 ? 1 : dimensions;
    if (turn % 4 == 2 && dimensions == 3)
        trial.reach = 2;
    trial.fortran = turn % 5 == 2;
    trial.two_vectors = turn % 7 == 3;
    trial.ways = trial.reach == 1 ? ways[number % 5] : STAR_BOTH_WAYS;
    return trial;
}

/* ONLY in so many dimensions; 0: in all. */
static void try_ranks(MPI_Comm comm, int ranks, bool full, int only)
{
    for (int dimensions = only ? only : 1; dimensions <= (only ? only : DIMENSIONS); dimensions++)
        for (int n = 0; n < (full ? TRIALS : SOME_TRIALS); n++) {
            struct trial trial =
                trial_of(dimensions, ranks, full ? n : (19 * n + 5 * ranks + 7 * dimensions) % TRIALS);
            try_all(&trial, comm);
        }
}

/* Does any one-sided method apply? They need two ranks, and a library that does not lose their values. */
static bool has_windows(int ranks)
{
    const struct star_neighborhood *method = NULL;
    return star_neighborhood_parse("neighborhood:fence_put", &method, NULL) == 0 &&
           star_neighborhood_applies(method, ranks, NULL) == 0;
}

/* Each kind was made, and all of them were freed. */
static void check_objects(int ranks)
{
    for (int kind = 0; kind < OBJECTS; kind++) {
        bool wanted = (kind != WINDOWS && kind != GROUPS) || has_windows(ranks);
        if (objects_kept[kind] != 0 || (objects_made[kind] > 0) != wanted) {
            failures++;
            fprintf(stderr, "FAILED: %ld %s were made, and %ld are not freed\n", objects_made[kind],
                    object_names[kind], objects_kept[kind]);
        }
    }
}

int main(int argc, char **argv)
{
    int rank, ranks, all = 0;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    bool full = argc > 1 && strcmp(argv[1], "full") == 0;
    int only = full && argc > 2 ? (int)strtol(argv[2], NULL, 10) : 0;
    PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    try_ranks(comm, ranks, full, only >= 1 && only <= DIMENSIONS ? only : 0);
    PMPI_Comm_free(&comm);
    check_objects(ranks);
    PMPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d exchanges, %d failures\n", exchanges, all);
    PMPI_Finalize();
    return all != 0;
}
