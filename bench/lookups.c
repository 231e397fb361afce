/* SPDX-License-Identifier: BSD-3-Clause
 * How long each encoding of a map takes to answer: random look-ups, in memory and by generated C, on the map
 * that noisy_map.c writes. Prints nanoseconds a look-up, the least of several runs; then how many leaves
 * trees have that need not be exact. */
#include "encoders/rivals.h"
#include "algorithms/operations.h"
#include "generated_lookups.h"
#include "map/grid.h"
#include "map/map.h"
#include "noisy.h"
#include "util/clock.h"

#include <stdlib.h>

enum { LOOKUPS = 10000000, RUNS = 5 };

struct place {
    int ranks;
    int64_t bytes;
};

/* As many places as look-ups, so that no branch can learn them. */
static struct place *make_places(const struct star_grid *grid)
{
    struct place *places = malloc(LOOKUPS * sizeof *places);
    uint64_t state = 1;
    for (int i = 0; places && i < LOOKUPS; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        places[i].ranks = (int)grid->ranks[(state >> 33) % (uint64_t)grid->rows];
        places[i].bytes = grid->bytes[(state >> 13) % (uint64_t)grid->columns];
    }
    return places;
}

static double in_memory(const struct star_encoding *encoding, const struct place *places, long *sum)
{
    int64_t least = INT64_MAX;
    for (int run = 0; run < RUNS; run++) {
        int64_t begin = star_now();
        for (int i = 0; i < LOOKUPS; i++)
            *sum += star_encoding_choose(encoding, places[i].ranks, places[i].bytes);
        int64_t time = star_now() - begin;
        least = time < least ? time : least;
    }
    return (double)least / LOOKUPS;
}

static double generated(int (*decide)(long long, long long), const struct place *places, long *sum)
{
    int64_t least = INT64_MAX;
    for (int run = 0; run < RUNS; run++) {
        int64_t begin = star_now();
        for (int i = 0; i < LOOKUPS; i++)
            *sum += decide(places[i].ranks, places[i].bytes);
        int64_t time = star_now() - begin;
        least = time < least ? time : least;
    }
    return (double)least / LOOKUPS;
}

/* Quadtrees that need not be exact are what `startune map encode` prints. */
static void print_loose_trees(const struct star_grid *grid)
{
    static const double penalties[] = {0.05, 0.02, 0.01, 0.005, 0};
    printf("\n%-10s %10s %10s %8s\n", "encoder", "penalty", "mean", "leaves");
    for (size_t i = 0; i < sizeof penalties / sizeof *penalties; i++) {
        const struct star_looseness looseness = {.penalty = penalties[i]};
        struct star_encoding encoding;
        struct star_verdict verdict;
        if (star_encoding_make(&bench_cart, grid, &looseness, &encoding, NULL))
            return;
        if (star_encoding_judge(&encoding, grid, &verdict) == 0)
            printf("%-10s %8.1f %% %8.2f %% %8d\n", encoding.encoder->name, 100 * looseness.penalty,
                   100 * verdict.mean, star_encoding_form(&encoding)->leaves);
        star_encoding_free(&encoding);
    }
}

int main(void)
{
    const struct star_looseness exact = {.accuracy = 1};
    struct star_map *map = noisy_map(28, 48, 0.05, 1);
    struct star_grid grid;
    if (map == NULL || star_grid_make(map, STAR_BCAST, &grid, NULL))
        return EXIT_FAILURE;
    struct place *places = make_places(&grid);
    if (places == NULL)
        return EXIT_FAILURE;
    printf("%d look-ups on %d x %d cells, %d methods; ns each\n", LOOKUPS, grid.rows, grid.columns,
           grid.methods);
    printf("%-10s %10s %10s %8s %8s\n", "encoder", "in memory", "generated", "leaves", "bytes");
    for (int i = 0; i < bench_encoder_count; i++) {
        struct star_encoding encoding;
        long first = 0, second = 0;
        if (star_encoding_make(bench_encoders[i], &grid, &exact, &encoding, NULL))
            return EXIT_FAILURE;
        double memory = in_memory(&encoding, places, &first), code = generated(decisions[i], places, &second);
        const struct star_form *form = star_encoding_form(&encoding);
        printf("%-10s %10.1f %10.1f %8d %8zu%s\n", bench_encoders[i]->name, memory, code, form->leaves,
               form->bytes, first == second ? "" : "  the two differ");
        star_encoding_free(&encoding);
    }
    print_loose_trees(&grid);
    free(places);
    star_grid_free(&grid);
    star_map_free(map);
    return EXIT_SUCCESS;
}
