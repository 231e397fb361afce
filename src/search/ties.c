/* SPDX-License-Identifier: BSD-3-Clause */
#include "search/ties.h"
#include "search/times.h"

#include <math.h>
#include <stdlib.h>

/* Fewer samples say nothing; and more passes change nothing more, or go in circles. */
enum { SAMPLES_LEAST = 3, PASSES_MOST = 8 };

static bool ties_with(const struct star_map_timing *timing, const struct star_map_timing *winner)
{
    if (timing == winner || timing->samples == NULL || winner->samples == NULL ||
        timing->count < SAMPLES_LEAST)
        return false;
    return star_slower_by_chance(timing->samples, timing->count, winner->samples, winner->count) >=
           STAR_TIE_CHANCE;
}

void star_ties_find(struct star_map_point *point, const bool *in)
{
    int best = -1;
    for (int i = 0; i < point->timings; i++)
        if (in[i] && (best < 0 || point->timing[i].median < point->timing[best].median))
            best = i;
    if (best < 0)
        return;
    point->winner = best;
    for (int i = 0; i < point->timings; i++)
        point->timing[i].tied = ties_with(&point->timing[i], &point->timing[best]);
}

/* The grid points next door: the next smaller and larger size, and communicator size. */
struct doors {
    const struct star_map_point *at[4];
};

static bool is_nearer(int64_t value, const struct star_map_point *than, int64_t other, int64_t here)
{
    return than == NULL || llabs(value - here) < llabs(other - here);
}

static struct doors doors_of(const struct star_map_operation *of, const struct star_map_point *point)
{
    struct doors doors = {{NULL}};
    for (int i = 0; i < of->points; i++) {
        const struct star_map_point *other = &of->point[i];
        if (other->searched || other == point)
            continue;
        if (other->ranks == point->ranks) {
            const struct star_map_point **door = &doors.at[other->bytes > point->bytes];
            if (is_nearer(other->bytes, *door, *door ? (*door)->bytes : 0, point->bytes))
                *door = other;
        } else if (other->bytes == point->bytes) {
            const struct star_map_point **door = &doors.at[2 + (other->ranks > point->ranks)];
            if (is_nearer(other->ranks, *door, *door ? (*door)->ranks : 0, point->ranks))
                *door = other;
        }
    }
    return doors;
}

static int wins_next_door(const struct doors *doors, int method)
{
    int wins = 0;
    for (int i = 0; i < 4; i++)
        wins += doors->at[i] && doors->at[i]->timing[doors->at[i]->winner].method == method;
    return wins;
}

static double fastest_of(const struct star_map_point *point)
{
    double fastest = point->timing[point->winner].median;
    for (int i = 0; i < point->timings; i++)
        if (point->timing[i].tied)
            fastest = fmin(fastest, point->timing[i].median);
    return fastest;
}

/* Returns whether another one wins. */
static bool choose(struct star_map_point *point, const struct doors *doors, double share)
{
    double most = fastest_of(point) * (1 + share);
    int best = point->winner, was = point->winner;
    for (int i = 0; i < point->timings; i++) {
        const struct star_map_timing *timing = &point->timing[i], *than = &point->timing[best];
        if (!timing->tied || timing->median > most)
            continue;
        int wins = wins_next_door(doors, timing->method), others = wins_next_door(doors, than->method);
        if (wins > others || (wins == others && i != was && best != was && timing->median < than->median))
            best = i;
    }
    point->winner = best;
    if (best != was) {
        point->timing[best].tied = false;
        point->timing[was].tied = true;
    }
    return best != was;
}

void star_ties_smooth(struct star_map *map, enum star_operation operation, double share)
{
    struct star_map_operation *of = &map->of[operation];
    bool changed = true;
    for (int pass = 0; changed && pass < PASSES_MOST; pass++) {
        changed = false;
        for (int i = 0; i < of->points; i++) {
            if (of->point[i].searched || of->point[i].timings == 0)
                continue;
            struct doors doors = doors_of(of, &of->point[i]);
            changed = choose(&of->point[i], &doors, share) || changed;
        }
    }
}
