/* SPDX-License-Identifier: BSD-3-Clause
 * Decision maps: communicator size × bytes → method, with what was measured. (Pješivac-Grbović et al., MPI
 * Collective Algorithm Selection and Quadtree Encoding, EuroPVM/MPI 2006.) */
#ifndef STAR_MAP_MAP_H
#define STAR_MAP_MAP_H

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

/* The method that the map gives for any number of ranks and bytes: that of the point of the nearest
 * communicator size and there of the nearest bytes, both by their ratio; of two as near the smaller one.
 * NULL: the map knows nothing of the operation. */
const struct star_method *star_map_choose(const struct star_map *map, enum star_operation operation,
                                          int ranks, int64_t bytes);
/* The same for ranks of which SHAPE tells more: where the winner does not apply, the fastest method of that
 * point that does; NULL: none does. */
const struct star_method *star_map_choose_for(const struct star_map *map, enum star_operation operation,
                                              const struct star_shape *shape, int64_t bytes);
/* Is BELOW as near to VALUE as ABOVE or nearer, by their ratios? Nothing counts as half a byte. */
bool star_map_is_nearer(int64_t below, int64_t value, int64_t above);
/* The nearest point itself. */
const struct star_map_point *star_map_nearest(const struct star_map *map, enum star_operation operation,
                                              int ranks, int64_t bytes);
/* The winner of POINT, which is one of OPERATION's. */
const struct star_method *star_map_winner(const struct star_map_operation *operation,
                                          const struct star_map_point *point);

/* Between two neighbouring sizes of one communicator size the winner changes. It is exact where they are
 * neighbours as numbers too. */
struct star_map_crossover {
    const struct star_map_point *below, *above;
    bool exact;
};
/* Calls VISIT for each crossover of OPERATION until it returns non-zero, which is returned. */
int star_map_crossovers(const struct star_map *map, enum star_operation operation,
                        int (*visit)(const struct star_map_crossover *crossover, void *context),
                        void *context);
/* Does the map say what to run without a call's bytes? It has no crossover then: for each number of ranks one
 * method wins at all sizes. */
bool star_map_needs_no_bytes(const struct star_map *map, enum star_operation operation);

/* The text format, a record a line (docs/reference/formats.md). A map is read back as it was written, to the
 * last bit. */
void star_map_write(const struct star_map *map, struct star_text *text);
/* BYTES need no end; NAME stands for the file in reasons. STAR_EINPUT names file and line. */
int star_map_parse(const char *bytes, size_t length, const char *name, struct star_map **map,
                   struct star_why *why);
/* Files: "-" is read from standard input. STAR_EINPUT, STAR_ESYSTEM, STAR_EMEMORY. */
int star_map_read(const char *path, struct star_map **map, struct star_why *why);
/* Writes beside PATH and renames, so that PATH is never half a map. */
int star_map_save(const struct star_map *map, const char *path, struct star_why *why);

#endif
