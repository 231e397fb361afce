/* SPDX-License-Identifier: BSD-3-Clause
 * The search that fills a decision map: what is measured when, with which methods, and where between two
 * sizes the winner changes. It knows no MPI: a meter measures for it, and in the tests a made-up one.
 *
 * (Faraj and Yuan, section 5, for the grid of sizes and the binary search between them.) */
#pragma once

#include "algorithms/methods.h"
#include "map/map.h"
#include "search/race.h"

/* What is measured at a time. */
struct star_trial {
    enum star_operation operation;
    int ranks;
    int64_t bytes;
};

/* Who measures. Its functions return 0 or a negative error; what is opened is closed in any case. */
struct star_meter {
    void *context;
    /* Makes TRIAL the one that is measured, and lists all methods that apply there, native first.
     * STAR_ENEEDS: it cannot be measured, and is left out, as one is at which nothing gave a time. */
    int (*open)(void *context, const struct star_trial *trial, struct star_methods *applicable,
                struct star_why *why);
    /* These are to run at it, numbered from 0; READY: those who can. */
    int (*enter)(void *context, const struct star_method *method, int methods, bool *ready,
                 struct star_why *why);
    /* Runs them in ORDER. SECONDS of each run: INFINITY: it was disturbed; NAN: its result was wrong. */
    int (*run)(void *context, const int *order, int runs, double *seconds, struct star_why *why);
    void (*close)(void *context);
    /* Seconds since the search began, and until it has to end: then, 0 or less, nothing more is measured. */
    double (*now)(void *context);
    double (*left)(void *context);
    /* DONE of ALL points of the grid, or, with ALL of 0, of those that were added: the map has a new one. */
    int (*tell)(void *context, const struct star_trial *trial, int done, int all, struct star_why *why);
};

enum { STAR_SIZES_MOST = 64, STAR_COMMUNICATORS_MOST = 64 };

struct star_grid {
    bool operation[STAR_OPERATIONS];
    int ranks[STAR_COMMUNICATORS_MOST], communicators; /* ascending */
    int64_t bytes[STAR_SIZES_MOST];                    /* ascending */
    int sizes;
    int element; /* bytes of a reduction's element: its sizes are rounded up to whole ones */
};

struct star_search {
    struct star_map *map; /* what it holds already is not measured again */
    const struct star_grid *grid;
    struct star_race_rules rules;
    const struct star_meter *meter;
    uint64_t seed;
    bool crossovers; /* are looked for too */
    int done, all;   /* points of the grid */
    int left_out;    /* of those done: they cannot be measured, and are not in the map */
};

/* Measures what the map does not have yet, the largest communicator first, the ends of the range of sizes
 * before what lies between; then smooths ties, then looks for crossovers. 0 too when the time is over before
 * it is done. */
int star_search_run(struct star_search *search, struct star_why *why);

/* Of the bytes of an operation that reduces: the elements' own; else 1. */
int star_granule_of(const struct star_grid *grid, enum star_operation operation);
/* Puts the COUNT indices of a grid's sizes in the order of measuring: the ends, then again and again what
 * lies in the middle between two that were. */
void star_search_order(int *order, int count);

/* Between BELOW and ABOVE, neighbours of one communicator size, another method wins: the bytes to measure
 * next, whole GRANULES. 0: they are as near as can be; or they are near, and one of both winners ties with
 * the other; or there is no change. */
int64_t star_crossover_next(const struct star_map_point *below, const struct star_map_point *above,
                            int granule);
