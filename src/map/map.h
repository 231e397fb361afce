/* SPDX-License-Identifier: BSD-3-Clause
 * Decision maps: communicator size × bytes → method, with what was measured. (Pješivac-Grbović et al., MPI
 * Collective Algorithm Selection and Quadtree Encoding, EuroPVM/MPI 2006.) */
#pragma once

#include "algorithms/method.h"

/* What a file may hold, so that an absurd one is refused early. */
enum {
    STAR_MAP_VERSION = 1,
    STAR_MAP_RANKS_MOST = 1 << 24,
    STAR_MAP_TEXT = 160,
    STAR_MAP_METHODS_MOST = 1024 /* of an operation: each time is looked up among them */
};

/* Where it was measured. A text is empty, and a number 0, where that is not known. */
struct star_map_machine {
    char startune[STAR_MAP_TEXT]; /* its version, which measured */
    char date[STAR_MAP_TEXT];     /* 2026-01-31 */
    char mpi[STAR_MAP_TEXT];      /* the MPI library's name and version: "Open MPI 4.1.4" */
    char topology[STAR_MAP_TEXT]; /* the name of the topology's file */
    int nodes, ranks_per_node;
};

/* What was measured of one method at one point. */
struct star_map_timing {
    int method;      /* the index in the operation's methods */
    double median;   /* seconds; NAN: not known, which is good in guessed points only */
    int count;       /* of the calls that the median is of; 0: interpolated */
    double *samples; /* COUNT seconds in the order of measuring, or NULL where they were not kept */
    bool tied;       /* does not differ significantly from the winner */
};

struct star_map_point {
    int ranks;
    int64_t bytes; /* as the operation measures them (star_operations); 0 where it has none */
    bool searched; /* added by the search for a crossover; else it lies on the grid asked for */
    bool guessed;  /* not measured: interpolated from neighbours */
    int winner;    /* the timing of the method that is used; it needs not have the least median */
    struct star_map_timing *timing;
    int timings, room;
};

/* Points are sorted by ranks, then bytes; there are no two of the same. */
struct star_map_operation {
    struct star_method *method; /* each once */
    int methods;
    struct star_map_point *point;
    int points, room; /* no points: the map knows nothing of the operation */
};

struct star_map {
    struct star_map_machine machine;
    struct star_map_operation of[STAR_OPERATIONS];
};

struct star_map *star_map_new(void); /* empty; NULL: out of memory */
void star_map_free(struct star_map *map);

/* Sets a text of the machine, cut and cleaned so that it fits one line of the file. */
void star_map_fact(char *fact, const char *text);

/* The point, added where it is not there; NULL: out of memory. Points move when one is added. */
struct star_map_point *star_map_point(struct star_map *map, enum star_operation operation, int ranks,
                                      int64_t bytes);
/* The point, or NULL where it is not there. */
struct star_map_point *star_map_find(const struct star_map *map, enum star_operation operation, int ranks,
                                     int64_t bytes);
/* The index of the first point that does not stand before the place; the number of points where all do. */
int star_map_first_from(const struct star_map_operation *of, int ranks, int64_t bytes);
/* The index of the method in its operation's list, added where it is not there; STAR_EMEMORY. */
int star_map_method(struct star_map *map, const struct star_method *method);
/* The timing of method number METHOD at POINT, added (empty, with a median of NAN) where it is not there;
 * NULL: out of memory. Timings move when one is added. */
struct star_map_timing *star_map_timing(struct star_map_point *point, int method);
/* Appends COUNT samples in seconds to those of TIMING, and works out the median again. STAR_EMEMORY. */
int star_map_add_samples(struct star_map_timing *timing, const double *samples, int count);
/* Makes the timing of the least median the winner. Ties stay as they are, but that the winner is none. */
void star_map_crown(struct star_map_point *point);
/* Takes all timings of the point away: until it gets others, it has no winner. */
void star_map_clear(struct star_map_point *point);
/* Takes the point away again. */
void star_map_drop(struct star_map *map, enum star_operation operation, struct star_map_point *point);
/* Takes all points of the operation away: the map knows nothing of it. */
void star_map_forget(struct star_map *map, enum star_operation operation);
