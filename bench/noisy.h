/* SPDX-License-Identifier: BSD-3-Clause
 * A synthetic map of bcast, noisy as measured ones are: times from textbook formulas, each with a random
 * factor. The bench takes it, too. */
#ifndef STAR_BENCH_NOISY_H
#define STAR_BENCH_NOISY_H

#include "map/map.h"

#include <math.h>
#include <stdio.h>

/* How many messages follow each other, of how many bytes, for P ranks. */
static inline double noisy_seconds(int shape, int ranks, double bytes, double segment)
{
    static const double latency = 5e-5, per_byte = 8e-8; /* of the order of Fast Ethernet */
    double pieces = segment > 0 && bytes > segment ? ceil(bytes / segment) : 1, piece = bytes / pieces;
    double depth = ceil(log2(ranks)), rounds[] = {ranks - 1.0, depth, 2 * depth, 2 * depth + 1, ranks - 1.0};
    double after[] = {ranks - 1.0, depth, 2, 1, 1}; /* rounds that each further piece adds */
    double share = shape == 3 ? 0.5 : 1;            /* split binary: half the message each way */
    return (rounds[shape] + (pieces - 1) * after[shape]) * (latency + share * piece * per_byte) +
           share * 1e-6;
}

static inline double noisy_factor(uint64_t *state, double noise)
{
    double sum = 0;
    for (int i = 0; i < 12; i++) {
        *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        sum += (double)(*state >> 11) / (double)(UINT64_C(1) << 53);
    }
    return exp(noise * (sum - 6)); /* about normal */
}

enum { NOISY_METHODS = 17 };

/* "bcast:chain,segment=8K": five shapes, three of which are cut in segments of nothing, 1K, 2K, 8K and 16K.
 */
static inline void noisy_method(int index, int *shape, double *segment, struct star_method *method)
{
    static const char *const names[] = {"linear", "binomial", "binary", "split_binary", "chain"};
    static const int segments[] = {0, 1024, 2048, 8192, 16384};
    char spelling[STAR_METHOD_TEXT];
    *shape = index < 2 ? index : 2 + (index - 2) / 5;
    int cut = index < 2 ? 0 : segments[(index - 2) % 5];
    *segment = cut;
    snprintf(spelling, sizeof spelling, cut ? "bcast:%s,segment=%d" : "bcast:%s", names[*shape], cut);
    if (star_method_parse(spelling, method, NULL))
        method->algorithm = NULL;
}

/* ROWS communicator sizes from 2 on × COLUMNS sizes from 1 byte on, about 2.5 in each power of two. NULL: out
 * of memory.
 */
static inline struct star_map *noisy_map(int rows, int columns, double noise, uint64_t seed)
{
    struct star_map *map = star_map_new();
    int64_t last = 0;
    for (int column = 0; map && column < columns; column++) {
        int64_t bytes = (int64_t)exp2(column * 18.5 / (columns - 1));
        last = bytes > last ? bytes : last + 1;
        for (int row = 0; row < rows; row++)
            for (int i = 0; i < NOISY_METHODS; i++) {
                struct star_method method;
                int shape;
                double segment;
                noisy_method(i, &shape, &segment, &method);
                double seconds =
                    noisy_seconds(shape, row + 2, (double)last, segment) * noisy_factor(&seed, noise);
                int index = star_map_method(map, &method);
                struct star_map_point *point = star_map_point(map, STAR_BCAST, row + 2, last);
                struct star_map_timing *timing = index >= 0 && point ? star_map_timing(point, index) : NULL;
                if (timing == NULL || star_map_add_samples(timing, &seconds, 1))
                    return NULL;
                star_map_crown(point);
            }
    }
    return map;
}

#endif
