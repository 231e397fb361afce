/* SPDX-License-Identifier: BSD-3-Clause
 * The objects behind the handles of startune_patterns.h, and what runs a request. */
#pragma once

#include "algorithms/method.h"
#include "patterns/choice.h"
#include "functions/history.h"
#include "functions/object.h"
#include "patterns/refuse.h"
#include "patterns/work.h"
#include "startune_patterns.h"
#include "util/export.h"

#include <stdbool.h>

enum { STAR_DIMENSIONS_MOST = 8 };

struct star_attribute {
    struct star_object object;
    char name[STAR_MAX_NAME];
    int count;
    int *values;
    char (*value_names)[STAR_MAX_NAME];
};

struct star_attrset {
    struct star_object object;
    int count;
    struct star_attribute **attributes;
};

struct star_function {
    struct star_object object;
    char name[STAR_MAX_NAME];
    struct star_attrset *attrset; /* or NULL */
    int *values;                  /* of each of its attributes */
    bool overlaps;                /* has something to do in wait */
    struct star_work work;        /* of the program's */
};

struct star_pattern;

struct star_fnctset {
    struct star_object object;
    char name[STAR_MAX_NAME];
    int count;
    struct star_function **functions;
    struct star_attrset *attrset;
    const struct star_pattern *pattern; /* how its functions run */
    enum star_operation operation;      /* of the predefined ones for MPI's */
    void *history;                      /* of star_own_remember; or NULL */
    bool untold;                        /* later runs are not to hear of it */
};

enum star_map {
    STAR_MAP_HALO,
    STAR_MAP_LIST,
    STAR_MAP_REDUCE,
    STAR_MAP_ALLTOALL,
    STAR_MAP_ALL,
    STAR_MAP_IN_PLACE
};

struct star_vmap {
    struct star_object object;
    enum star_map map;
    int width;                /* halo */
    int size;                 /* list: so many ranks */
    int *counts, *displs;     /* list */
    int sendcount, recvcount; /* alltoall */
    MPI_Op op;                /* reduce */
};

struct star_vector {
    struct star_object object;
    int ndims, dims[STAR_DIMENSIONS_MOST], values; /* VALUES 0 as 1 */
    bool fortran;                                  /* in Fortran's order */
    int64_t elements;
    int element_bytes;
    bool owns_datatype;
    struct star_vmap *vmap;
    MPI_Datatype datatype; /* its own, which lives as long as it; of reductions the program's */
    MPI_Datatype given;    /* the program's, which may have been freed: to be compared only */
    void *data;
    void *owned;                     /* what was allocated for it: pointers and elements; else NULL */
    const struct star_request *user; /* a predefined function of this one is under way on it */
};

/* Have they one datatype? What the program freed has a handle that another one may have got. */
static inline bool star_vector_is_of_same(const struct star_vector *a, const struct star_vector *b)
{
    return a->given == b->given && a->element_bytes == b->element_bytes;
}

struct star_process_topology {
    struct star_object object;
    MPI_Comm comm;
    int rank, size, ndims, pairs;
    int *left, *right, *flip; /* of each pair */
    int *coords;
    int direction;
};

struct star_timer {
    struct star_object object;
    int64_t measure;
    int count, turn;
    int missed;                     /* so many regions in a row were without the one whose turn it is */
    struct star_request **requests; /* no references: a request that is freed is forgotten */
    bool running, timed;
    int64_t began;
};

/* By what a request's functions are compared: their own time, what the program tells, or what
 * star_measure_new numbers. */
enum { STAR_MEASURE_OWN, STAR_MEASURE_TOLD, STAR_MEASURE_OTHERS };

struct star_request {
    struct star_object object;
    STAR_Request handle;
    struct star_vector *send, *receive;     /* or NULL */
    struct star_process_topology *topology; /* or NULL: this rank by itself */
    struct star_fnctset *fnctset;
    int root;
    struct star_private *private;
    MPI_Comm comm; /* of these */
    struct star_choice *choice;
    int ready;                /* the function that was made ready last; −1: none */
    int64_t measure, wanted;  /* of the choice's runs, and of the next run */
    int64_t own_measure;      /* where it has no timer and the program tells none */
    struct star_timer *timer; /* or NULL */
    bool in_region;           /* it has begun since its timer was started */
    void *state;              /* of the function-set's pattern */
    int64_t began;            /* when the run did */
    int64_t ended;            /* when progress found it done */
    double told;              /* seconds of the run as the program measured them; negative: not yet */
    int running;              /* function of the run that is under way; or of the last one */
    int64_t asked;            /* calls of STAR_Request_progress of that run */
    bool active;              /* between init and wait, or what progress found to be the end */
    bool open;                /* a run has begun that was not measured yet, whoever found its end */
    bool in_parts;            /* the program's parts of STAR_Request_start_overlap run */
    bool pending;             /* the run is over; the program has not said yet what it took */
    bool timed;               /* the run is */
    bool told_once;           /* the program measures */
    bool inside;              /* one of the program's functions runs */
};

/* What the functions of a function-set need: patterns/pattern_*.c hold one of these each. All return
 * STAR_SUCCESS or a code, and have said why. NULL: there is nothing to do. */
struct star_pattern {
    /* Gives a predefined function-set its functions; false when out of memory. */
    bool (*fill)(struct star_fnctset *fnctset);
    /* Do vectors and topology suit? Local. */
    int (*check)(const struct star_request *request, const char *call);
    /* What all functions share. Collective; all ranks return the same. */
    int (*make)(struct star_request *request, const char *call);
    /* The group of a function; the tuner compares one of each group first. NULL: there is one. */
    int (*group)(const struct star_function *function, int number);
    /* Makes a function ready to run, which it stays. Collective, and the same on all ranks. */
    int (*prepare)(struct star_request *request, int function);
    int (*init)(struct star_request *request, int function, const char *call);
    int (*progress)(struct star_request *request, int function, bool *done);
    int (*wait)(struct star_request *request, int function, const char *call);
    /* Collective. */
    void (*free)(struct star_request *request);
    /* The name of what runs, where that is not the function's: it writes STAR_MAX_NAME characters. */
    void (*describe)(const struct star_request *request, char *name);
    /* Bytes that this rank sends in a run. NULL: they are not known. */
    int64_t (*bytes)(const struct star_request *request);
    /* What the request is about, in a word of ROOM bytes at most; false: that is not known. */
    bool (*problem)(const struct star_request *request, char *word, size_t room);
    /* How near problems of the past are to the request's; NULL: the program says when to ask. */
    star_weigher *weigh;
};

/* May it not be begun, freed or given a timer? */
static inline bool star_request_is_under_way(const struct star_request *request)
{
    return request->active || request->in_parts || request->inside;
}
