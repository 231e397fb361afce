/* SPDX-License-Identifier: BSD-3-Clause
 * One call of one operation, run with any method, and compared byte by byte with what must be in memory
 * afterwards: the data, the gaps, and what lies in front of and behind the buffers. */
#ifndef TESTS_TRIAL_H
#define TESTS_TRIAL_H

#include "layouts.h"
#include "reductions.h"
#include "runtime/state.h"

enum { TRIAL_RANKS_MAX = 64, TRIAL_PLACEMENTS = 5, TRIAL_ENVIRONMENTS = 3 };

struct trial {
    enum star_operation operation;
    const struct kind *kind;           /* the datatypes; NULL: none, or the operator's */
    const struct reduction *reduction; /* of reductions; else NULL */
    int64_t units;                     /* of the kind, or elements of the operator's: how long a block is */
    int root;
    int counts;    /* operations with counts of their own: which ones */
    int placement; /* of ranks on nodes; 0: all on one */
    enum { IN_PLACE_NOWHERE, IN_PLACE, IN_PLACE_SOMEWHERE } in_place; /* the last: only some ranks say so */
    bool absolute;                                                    /* MPI_BOTTOM */
    bool large;                                                       /* MPI-4's large-count bindings */
    int environment; /* the program's floating-point environment; 0: the default one */
};

/* Whether MPI knows such a call on SIZE ranks. */
bool trial_is_legal(const struct trial *trial, int size);
/* Of each block, by the signature; of operations with counts of their own: the unit of the counts. */
int64_t trial_bytes(const struct trial *trial);
/* "allreduce:ring ranks=5 …", and back; 0 on success. */
enum { TRIAL_TEXT = 300 };
const char *trial_format(const struct trial *trial, const char *method, int size, char *text);
int trial_parse(const char *text, struct trial *trial, struct star_method *method, int *size);

/* MPI, and of the runtime what single calls need; and the end. */
void trial_start(int *argc, char ***argv);
void trial_end(void);

/* A communicator to run trials on. */
struct ground {
    MPI_Comm comm;
    struct star_communicator state;
    int placement;
    int node[TRIAL_RANKS_MAX];
    long *arrivals; /* how often a rank came to a barrier; shared by all */
    long barriers;  /* run so far */
};
void ground_open(struct ground *ground, MPI_Comm comm);
void ground_close(struct ground *ground);

/* A program's buffer: one or several blocks, amid guard bytes. */
struct part {
    struct layout layout;
    int blocks;                                           /* 0: the rank has none */
    int counts[TRIAL_RANKS_MAX], displs[TRIAL_RANKS_MAX]; /* of each block, in elements */
    MPI_Count large_counts[TRIAL_RANKS_MAX];
    MPI_Aint large_displs[TRIAL_RANKS_MAX];
    int byte_displs[TRIAL_RANKS_MAX]; /* the same in bytes, of alltoallw, */
    MPI_Aint large_byte_displs[TRIAL_RANKS_MAX];
    MPI_Datatype types[TRIAL_RANKS_MAX]; /* whose blocks have a type each */
    char *region, *start;                /* what the program gives to MPI lies at START */
    char *before, *after;                /* the whole region as it must be before and after */
    int64_t length;
};

struct scene {
    const struct trial *trial;
    struct ground *ground;
    struct part sent, received;
    MPI_Op op;
};
void scene_open(struct scene *scene, const struct trial *trial, struct ground *ground);
void scene_close(struct scene *scene);

/* Runs the trial, with a method or natively; what is wrong is printed to standard error where LOUD.
 * Collective. */
enum {
    SCENE_RIGHT,
    SCENE_WRONG,  /* the memory is */
    SCENE_FAILED, /* an MPI error on this rank: others may wait for ever */
    SCENE_REFUSED /* all ranks leave it to native, as they may */
};
int scene_run(struct scene *scene, const struct star_method *method, bool loud);
int scene_run_native(struct scene *scene, bool loud);
/* Does the method serve the trial? Or: is there something to serve at all? */
bool scene_applies(const struct scene *scene, const struct star_method *method);

#endif
