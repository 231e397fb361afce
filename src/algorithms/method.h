/* SPDX-License-Identifier: BSD-3-Clause
 * Algorithms, knobs and methods; and plans from methods.
 *
 * Sources: STAR-MPI is Faraj, Yuan, Lowenthal: Self Tuned Adaptive Routines for MPI Collective Operations,
 * ICS 2006; "Faraj and Yuan" is An Empirical Approach for Efficient All-to-All Personalized Communication on
 * Ethernet Switched Clusters, ICPP 2005. */
#pragma once

#include "algorithms/operations.h"
#include "util/text.h"

struct star_builder; /* plan/build.h */
struct star_team;    /* parts/team.h */
struct star_blocks;
struct star_prefix; /* parts/prefix.h */

/* A parameter of an algorithm. VALUES are what the tuner tries; MORE are further ones that `check`, the
 * conformance tests and `bench --all` run; any other value within the limits may be asked for. */
enum { STAR_KNOBS_MAX = 4, STAR_KNOB_VALUES_MAX = 8 };
struct star_values {
    int count;
    int32_t at[STAR_KNOB_VALUES_MAX];
};
struct star_knob {
    const char *name;    /* NULL: no knob */
    const char *help;    /* what it does, and which values it takes */
    int64_t least, most; /* limits of a number; sync takes its words too */
    int64_t preset;      /* the value when the method does not name it */
    struct star_values values, more;
    bool is_sync; /* takes the words of its values, and barriers:N */
    bool is_bytes;
    const char *zero;         /* the word for 0; NULL: none */
    const char *const *words; /* values are words, numbered from 0; NULL ends them */
    const char *group; /* other values than 0 make a group of their own, of this name; NULL: they do not */
};

/* An operation done by others of the MPI library: runtime/mockups.c has them. */
enum star_mockup {
    STAR_MOCKUP_NONE,
    STAR_MOCKUP_ALLTOALL_ALLTOALLV,
    STAR_MOCKUP_ALLGATHER_GATHER_BCAST,
    STAR_MOCKUP_ALLGATHER_ALLTOALL,
    STAR_MOCKUP_ALLGATHER_ALLREDUCE,
    STAR_MOCKUP_ALLGATHER_ALLGATHERV,
    STAR_MOCKUP_ALLREDUCE_REDUCE_BCAST,
    STAR_MOCKUP_ALLREDUCE_REDUCE_SCATTER_BLOCK_ALLGATHER,
    STAR_MOCKUP_ALLREDUCE_REDUCE_SCATTER_ALLGATHERV,
    STAR_MOCKUP_BCAST_SCATTER_ALLGATHER,
    STAR_MOCKUP_BCAST_ALLGATHERV,
    STAR_MOCKUP_GATHER_ALLGATHER,
    STAR_MOCKUP_GATHER_GATHERV,
    STAR_MOCKUP_SCATTER_BCAST,
    STAR_MOCKUP_SCATTER_SCATTERV,
    STAR_MOCKUP_REDUCE_ALLREDUCE,
    STAR_MOCKUP_REDUCE_REDUCE_SCATTER_GATHERV,
    STAR_MOCKUP_REDUCE_SCATTER_BLOCK_REDUCE_THEN_SCATTER,
    STAR_MOCKUP_REDUCE_SCATTER_BLOCK_REDUCE_SCATTER,
    STAR_MOCKUP_REDUCE_SCATTER_BLOCK_ALLREDUCE,
    STAR_MOCKUP_SCAN_EXSCAN,
    STAR_MOCKUPS
};

/* What tells algorithms apart that have one builder: all-gathers, reduce-scatters, prefix reductions, … */
struct star_part {
    void (*allgather)(struct star_builder *builder, const struct star_team *team,
                      const struct star_blocks *blocks);
    void (*reduce_scatter)(struct star_builder *builder, const struct star_team *team,
                           const struct star_blocks *in, struct star_place out);
    void (*prefix)(struct star_builder *builder, const struct star_team *team,
                   const struct star_prefix *prefix);
    int tree;      /* enum star_tree_kind */
    bool by_radix; /* of the tree: the first knob says it */
    bool free;     /* a tree that is free of contention, from the network */
    int mesh;      /* its dimensions, as star_mesh_of has them */
    int peers;     /* whom a rank exchanges with first, as the builder numbers it */
    bool at_once;  /* with all of them, not with one a round */
    bool gathers;  /* to the root, not from it */
    bool leaders;  /* one rank of each node works between nodes, not as many as can be */
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
    bool even;             /* P must be */
    bool nodes;            /* some ranks must share a node, and not all */
    bool shares;           /* ranks of one node must share memory, and, without NODES, all be on one */
    bool reads;            /* and may read each other's own */
    bool network;          /* the switches between the ranks must be known */
    bool levels;           /* all ranks must be on one node, whose levels are known */
    bool forwards;         /* what comes in one round leaves in the next */
    bool one_way;   /* of an operation that some ranks may leave before others have come: nobody waits for
                     * a rank that it need not wait for: data move from the root, or to it, alone */
    int most_ranks; /* 0: no bound */
    bool in_order;  /* also for operators that are not commutative */
    enum star_order order;
    enum star_mockup mockup;
    /* Of a mock-up: what it is likely to do, for the cost model, with the blocks of all ranks as one (ALL) or
     * with a block. */
    struct {
        const struct star_algorithm *algorithm;
        bool all;
    } like;
    int64_t least_bytes; /* the tuner leaves it out below */
    int64_t most_bytes;  /* and above; 0: no bound */
    struct star_knob knobs[STAR_KNOBS_MAX];
    struct star_part part;
    /* Adds this rank's rounds for SHAPE to BUILDER; SHAPE's knob[i] is the value of knobs[i]. NULL: the MPI
     * library's own, or a mock-up. */
    void (*build)(struct star_builder *builder, const struct star_shape *shape);
};

/* What is actually run: an algorithm with a value for each of its knobs. */
struct star_method {
    const struct star_algorithm *algorithm;
    int64_t knob[STAR_KNOBS_MAX];
};

enum { STAR_METHOD_TEXT = 128 };

static inline bool star_is_native(const struct star_method *method)
{
    return method->algorithm->build == NULL && method->algorithm->mockup == STAR_MOCKUP_NONE;
}

/* What SIZE ranks are at least told of: no root, one node, a commutative operator. */
static inline struct star_shape star_shape_of(int size, int64_t block)
{
    return (struct star_shape){
        .size = size, .block = block, .granule = 1, .commutative = true, .shares = true, .reads = true};
}

/* The operation of that name; STAR_EINPUT names the nearest one. */
int star_operation_parse(const char *name, enum star_operation *operation, struct star_why *why);
/* Reads "alltoall:ring,sync=light". STAR_EINPUT names what is wrong and the nearest valid word. */
int star_method_parse(const char *text, struct star_method *method, struct star_why *why);
/* The canonical spelling: knobs that stand at their preset are left out. */
const char *star_method_format(const struct star_method *method, char *buffer, size_t room);
bool star_method_equal(const struct star_method *a, const struct star_method *b);
/* Must the switches between the ranks be known for it? */
bool star_method_needs_network(const struct star_method *method);
/* 0, or STAR_ENEEDS with the reason: does the method work for the shape, whatever its bytes? */
int star_method_applies(const struct star_method *method, const struct star_shape *shape,
                        struct star_why *why);
/* Methods of one group optimise the same thing: equal for equal groups. The knob sync splits groups, and so
 * do those that name one: what they change may be all that matters on a network. */
const char *star_method_group(const struct star_method *method, char *buffer, size_t room);
/* Are its messages one-way, with the values of its knobs? */
bool star_method_is_one_way(const struct star_method *method);
/* The value of knob NAME, or OTHERWISE when the algorithm has no such knob. */
int64_t star_method_knob(const struct star_method *method, const char *name, int64_t otherwise);

struct star_method star_native_of(enum star_operation operation);

/* Calls VISIT for each method of OPERATION, native first, until it returns non-zero, which is returned.
 * ALL: with the values that the tuner does not try by itself. */
int star_methods_each(enum star_operation operation, bool all,
                      int (*visit)(const struct star_method *method, void *context), void *context);
/* Whether the tuner tries the method by itself, at BYTES as the operation measures them: star_method_applies,
 * and the range of its sizes. */
bool star_method_is_candidate(const struct star_method *method, const struct star_shape *shape,
                              int64_t bytes);

/* Builds the plan of SHAPE's rank; SHAPE's units are the operation's. Errors: STAR_ENEEDS, STAR_ELIMIT,
 * STAR_EMEMORY. Native and mock-ups have no plan. */
int star_method_plan(const struct star_method *method, const struct star_shape *shape, int64_t temp_limit,
                     struct star_plan **plan, struct star_why *why);
/* The plan that the cost model walks for the method: its own or, of a mock-up, that of what it is likely to
 * do, which moves about as much in about as many rounds. Native has none. As star_method_plan. */
int star_method_likeness(const struct star_method *method, const struct star_shape *shape, int64_t temp_limit,
                         struct star_plan **plan, struct star_why *why);

/* What `list` says of an algorithm: "radix=2" or "sync=none|light|barrier|barriers:N". */
const char *star_knob_format(const struct star_knob *knob, int64_t value, char *buffer, size_t room);
