/* SPDX-License-Identifier: BSD-3-Clause
 * Operations, algorithms, knobs and methods; the repository of all of them; and plans from methods.
 *
 * Sources: STAR-MPI is Faraj, Yuan, Lowenthal: Self Tuned Adaptive Routines for MPI Collective Operations,
 * ICS 2006; "Faraj and Yuan" is An Empirical Approach for Efficient All-to-All Personalized Communication on
 * Ethernet Switched Clusters, ICPP 2005. */
#ifndef STAR_ALGORITHMS_METHOD_H
#define STAR_ALGORITHMS_METHOD_H

#include "plan/plan.h"
#include "plan/simulate.h"
#include "util/text.h"

enum star_operation { STAR_ALLTOALL, STAR_OPERATIONS };

struct star_operation_info {
    const char *name; /* as in a method's spelling */
    const char *mpi;  /* the MPI function */
    /* What the simulator must find when SIZE ranks ran the operation with BLOCK bytes. */
    struct star_expectation (*expect)(int size, int64_t block);
};
extern const struct star_operation_info star_operations[STAR_OPERATIONS];

/* A parameter of an algorithm. VALUES are what the tuner tries; MORE are further ones that `check`, the
 * conformance tests and `bench --all` run; any other value within the limits may be asked for. */
enum { STAR_KNOBS_MAX = 4, STAR_KNOB_VALUES_MAX = 8 };
struct star_values {
    int count;
    int64_t at[STAR_KNOB_VALUES_MAX];
};
struct star_knob {
    const char *name;    /* NULL: no knob */
    const char *help;    /* what it does, and which values it takes */
    int64_t least, most; /* limits of a number; sync takes its words too */
    int64_t preset;      /* the value when the method does not name it */
    struct star_values values, more;
    bool is_sync;
};

struct star_algorithm {
    enum star_operation operation;
    const char *name;
    const char *moves;     /* what goes where, in one line */
    const char *optimises; /* the group: what the algorithm saves (STAR-MPI, section 3.3) */
    const char *cost;      /* with Faraj and Yuan's α, β, θ, δ, γ; n bytes a pair, P ranks */
    const char *source;    /* where it is described */
    const char *needs;     /* limits on P in words, or NULL */
    bool power_of_two;     /* P must be one */
    int64_t most_bytes;    /* the tuner leaves it out above; 0: no bound */
    struct star_knob knobs[STAR_KNOBS_MAX];
    /* Adds this rank's rounds for SHAPE to BUILDER; KNOB[i] is the value of knobs[i]. NULL: the MPI library's
     * own. */
    void (*build)(struct star_builder *builder, const struct star_shape *shape, const int64_t *knob);
};

/* The repository: every algorithm of every operation, native first in each. */
extern const struct star_algorithm *const star_repository[];
extern const int star_repository_count;

/* What is actually run: an algorithm with a value for each of its knobs. */
struct star_method {
    const struct star_algorithm *algorithm;
    int64_t knob[STAR_KNOBS_MAX];
};

enum { STAR_METHOD_TEXT = 128 };

static inline bool star_is_native(const struct star_method *method)
{
    return method->algorithm->build == NULL;
}

/* Reads "alltoall:ring,sync=light". STAR_EINPUT names what is wrong and the nearest valid word. */
int star_method_parse(const char *text, struct star_method *method, struct star_why *why);
/* The canonical spelling: knobs that stand at their preset are left out. */
const char *star_method_format(const struct star_method *method, char *buffer, size_t room);
bool star_method_equal(const struct star_method *a, const struct star_method *b);
/* 0, or STAR_ENEEDS with the reason: does the method work for SIZE ranks? */
int star_method_applies(const struct star_method *method, int size, struct star_why *why);
/* Methods of one group optimise the same thing: equal for equal groups. The sync knob splits groups. */
const char *star_method_group(const struct star_method *method, char *buffer, size_t room);
/* The value of knob NAME, or OTHERWISE when the algorithm has no such knob. */
int64_t star_method_knob(const struct star_method *method, const char *name, int64_t otherwise);

struct star_method star_native_of(enum star_operation operation);

/* Calls VISIT for each method of OPERATION, native first, until it returns non-zero, which is returned.
 * ALL: with the values that the tuner does not try by itself. */
int star_methods_each(enum star_operation operation, bool all,
                      int (*visit)(const struct star_method *method, void *context), void *context);
/* Whether the tuner tries the method by itself, at BYTES: star_method_applies, and the range of its sizes. */
bool star_method_is_candidate(const struct star_method *method, int size, int64_t bytes);

/* Builds the plan of SHAPE's rank. Errors: STAR_ENEEDS, STAR_ELIMIT, STAR_EMEMORY. Native has no plan. */
int star_method_plan(const struct star_method *method, const struct star_shape *shape, int64_t temp_limit,
                     struct star_plan **plan, struct star_why *why);

/* Builds all ranks' plans and proves them (simulate.h). RESULT may be NULL. */
int star_method_prove(const struct star_method *method, int size, int64_t block,
                      struct star_simulation *result, struct star_why *why);

/* What `list` says of an algorithm: "radix=2" or "sync=none|light|barrier|barriers:N". */
const char *star_knob_format(const struct star_knob *knob, int64_t value, char *buffer, size_t room);

#endif
