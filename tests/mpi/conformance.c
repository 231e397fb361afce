/* SPDX-License-Identifier: BSD-3-Clause
 * Every method of the repository, and the native routines, against the computed truth: P × sizes × datatypes
 * × operators × roots × in place × placements on nodes × floating-point environments. The ranks of
 * MPI_COMM_WORLD are split into communicators that work at the same time. */
#include "conformance.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "exec/library.h"
#include "exec/segment.h"
#include "plan/plan.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HANG_SECONDS = 40, LOUD_MOST = 12 };

static char doing[TRIAL_TEXT + 100]; /* for the message about a hang */

static void hung(int signal)
{
    (void)signal;
    ssize_t written = write(2, doing, strlen(doing));
    _exit(written > 0 ? 3 : 4);
}

void watch(const char *what)
{
    snprintf(doing, sizeof doing, "hang: conformance repeat '%s'\n", what);
    alarm(HANG_SECONDS);
}

static int keep(const struct star_method *method, void *context)
{
    struct method_list *list = context;
    if (list->count < (int)(sizeof list->at / sizeof *list->at))
        list->at[list->count++] = *method;
    return 0;
}

void methods_of(enum star_operation operation, struct method_list *list)
{
    list->count = 0;
    star_methods_each(operation, true, keep, list);
}

/* Where the MPI library itself goes wrong, on legal calls, or not wrong, but otherwise than startune
 * promises. */

static bool is_named(const struct trial *trial, const char *word)
{
    return (trial->kind && strstr(trial->kind->name, word)) ||
           (trial->reduction && strcmp(trial->reduction->name, word) == 0);
}

/* Do all ranks use one datatype, as far as this is seen in a plain copy? */
static bool has_one_type(const struct trial *trial)
{
    const struct kind *kind = trial->kind;
    return kind == NULL || (kind->send[0] == kind->send[1] && kind->recv[0] == kind->recv[1] &&
                            (trial->in_place || (kind->send[0] == kind->recv[0] && !trial->absolute)));
}

/* Both libraries make room for the temporaries of a reduction as if no extent were negative: they say that
 * they have no memory, or write in front of it. What calls them does, too. */
static bool goes_downwards(const struct trial *trial)
{
    return is_named(trial, "downwards");
}

/* Open MPI's own:
 *   - Bruck's alltoall, used for small blocks and more than 12 ranks, takes one datatype for granted: where
 *     others receive other types than we send, it writes outside of the buffer;
 *   - allgatherv chooses by the size of the local datatype: ranks of different types hang;
 *   - gather along a tree stores overlapping types in a buffer too short. */
static bool open_mpi_is_defective(const struct scene *scene)
{
    const struct trial *trial = scene->trial;
    switch (trial->operation) {
    case STAR_ALLTOALL:
        return scene->ground->state.size > 12 && !has_one_type(trial);
    case STAR_ALLGATHERV:
        return !has_one_type(trial);
    case STAR_GATHER:
        return is_named(trial, "overlapping");
    default:
        return goes_downwards(trial);
    }
}

/* MPICH's own:
 *   - messages in shared memory are cut into pieces of whole elements of the sender's type, and it fails to
 *     receive a piece that ends inside of an element of a struct, or of bytes with gaps: "message truncated",
 *     from 8 KB on; in place, and from and to a root, it sends packed bytes, and so meets this with any
 * struct;
 *   - allgatherv meets the same with any types that differ between ranks;
 *   - nothing that lies at MPI_BOTTOM is packed, and so nothing exchanged there in place;
 *   - reduce in place at another root than 0 crashes from 2 KB on;
 *   - reduce_scatter of operators that are not commutative, on types with gaps, reads past a buffer;
 *   - reduce_scatter in place, from 512 KB on, aborts where a block is longer than all before it: it copies
 *     between places that overlap. */
static bool is_in_order_with_gaps(const struct trial *trial)
{
    return is_named(trial, "maps") || is_named(trial, "woven-maps");
}

static bool mpich_is_defective(const struct scene *scene)
{
    enum { PIECE = 8192, PAIRWISE = 512 * 1024, WEIGHT_MOST = 9 };
    const struct trial *trial = scene->trial;
    int64_t bytes = trial_bytes(trial) * scene->ground->state.size;
    bool units = star_operations[trial->operation].units,
         structs = is_named(trial, "pairs") || is_named(trial, "mixed") || is_named(trial, "byte-vectors");
    bool one_type = has_one_type(trial) && !trial->in_place && !star_operations[trial->operation].rooted;
    if ((structs && !one_type && bytes * (units ? WEIGHT_MOST : 1) >= PIECE) || goes_downwards(trial))
        return true;
    switch (trial->operation) {
    case STAR_ALLTOALL:
        return trial->in_place && trial->absolute;
    case STAR_ALLGATHERV:
        return !has_one_type(trial) && bytes * WEIGHT_MOST >= PIECE;
    case STAR_REDUCE:
        return trial->in_place && trial->root > 0 && trial_bytes(trial) >= 2048;
    case STAR_REDUCE_SCATTER:
        return is_in_order_with_gaps(trial) || (trial->in_place && bytes * WEIGHT_MOST >= PAIRWISE);
    case STAR_REDUCE_SCATTER_BLOCK:
        return is_in_order_with_gaps(trial);
    default:
        return false;
    }
}

bool native_is_defective(const struct scene *scene)
{
    return star_dialect_here() == &star_open_mpi ? open_mpi_is_defective(scene) : mpich_is_defective(scene);
}

/* The program's floating-point environment is its own, before the call, in its operators and afterwards. */
static int run_in_environment(struct scene *scene, const struct star_method *method, bool loud)
{
    static const char *const environments[TRIAL_ENVIRONMENTS] = {"", "invalid,divide,overflow",
                                                                 "invalid,divide,overflow,up,flush"};
    const struct environment usual = environment_now();
    reduction_environment = environment_of(environments[scene->trial->environment]);
    environment_set(&reduction_environment);
    int fault = star_is_native(method) ? scene_run_native(scene, loud) : scene_run(scene, method, loud);
    bool holds = environment_is(&reduction_environment);
    environment_set(&usual);
    reduction_environment = usual;
    if (!holds)
        fprintf(stderr, "the floating-point environment is changed: %s", doing);
    return fault == SCENE_RIGHT && !holds ? SCENE_WRONG : fault;
}

int run_scene(struct scene *scene, const struct star_method *method, bool loud)
{
    char name[STAR_METHOD_TEXT], text[TRIAL_TEXT];
    bool native = star_is_native(method);
    bool mocked = method->algorithm->mockup != STAR_MOCKUP_NONE && goes_downwards(scene->trial);
    if (native ? native_is_defective(scene) : mocked || !scene_applies(scene, method))
        return 0;
    star_method_format(method, name, sizeof name);
    watch(trial_format(scene->trial, name, scene->ground->state.size, text));
    int fault = run_in_environment(scene, method, loud);
    if (fault == SCENE_FAILED) {
        fprintf(stderr, "to repeat it: conformance repeat '%s'\n", text);
        PMPI_Abort(MPI_COMM_WORLD, 1); /* the other ranks may wait for ever */
    }
    alarm(0); /* others, on communicators of their own, may take their time */
    return fault == SCENE_WRONG;
}

/* The systematic tests. */

static struct {
    bool full; /* all methods in all trials; else they take turns */
    int runs, faults;
} tests;

/* Large blocks go only through the methods as the tuner tries them, and those with many rounds in flight. */
static bool is_for_large(const struct star_method *method, const struct ground *ground, int64_t bytes)
{
    int64_t window = star_method_knob(method, "window", 0), sync = star_method_knob(method, "sync", 0);
    struct star_shape shape = star_shape_of(ground->state.size, bytes);
    shape.node = ground->state.node;
    shape.network = ground->state.network;
    shape.levels = star_segment_levels(ground->state.route.segment);
    return (window == 0 && sync <= 0 && star_method_is_candidate(method, &shape, bytes)) ||
           (window == 5 && sync == STAR_SYNC_LIGHT);
}

static void try_methods(const struct trial *trial, struct ground *ground, const struct method_list *methods,
                        int turn, bool large)
{
    enum { EACH_TIME = 3 }; /* of many methods, so that a trial takes no longer the more there are */
    int turns = trial->kind ? 24 : 15;
    turns = methods->count > EACH_TIME * turns ? methods->count / EACH_TIME : turns;
    struct scene scene;
    scene_open(&scene, trial, ground);
    for (int i = 0; i < methods->count; i++) {
        const struct star_method *method = &methods->at[i];
        bool native = star_is_native(method);
        if (!native && ((!tests.full && (i + turn) % turns != 0) ||
                        (large && !is_for_large(method, ground, trial_bytes(trial)))))
            continue;
        tests.faults += run_scene(&scene, method, tests.faults < LOUD_MOST);
        tests.runs++;
    }
    scene_close(&scene);
}

/* The TURN-th variation of what may vary in any trial: each on a period of its own, so that all meet. */
static void vary(struct trial *trial, int turn, int size)
{
    struct trial plain = *trial;
    bool rooted = star_operations[trial->operation].rooted;
    trial->root = rooted ? turn * 5 % 11 % size : 0;
    trial->in_place = turn % 3;
    if (!trial_is_legal(trial, size))
        trial->in_place = IN_PLACE_NOWHERE;
    trial->absolute = turn % 4 == 3;
    if (!trial_is_legal(trial, size))
        trial->absolute = plain.absolute;
    trial->placement = turn % TRIAL_PLACEMENTS;
    trial->counts = turn % 7;
    if (!trial_is_legal(trial, size))
        trial->counts = 0;
    trial->large = turn / 2 % 2;
    if (!trial_is_legal(trial, size))
        trial->large = false;
    trial->environment = turn / 3 % TRIAL_ENVIRONMENTS;
}

/* What the buffers of such a call would take, on a machine that holds all ranks, is bounded. */
static bool is_too_large(const struct trial *trial, int size)
{
    enum star_measure measure = star_operations[trial->operation].measure;
    int64_t bytes = trial_bytes(trial), blocks = measure == STAR_OF_VECTOR ? 4 : size;
    return bytes * blocks > (tests.full ? 1000000 : 200000);
}

/* Past the limits where the MPI libraries change their protocols. */

static void try_lengths(struct trial trial, struct ground *ground, const struct method_list *methods,
                        int *turn)
{
    int unit = trial.reduction ? reduction_size(trial.reduction) : trial.kind->unit,
        size = ground->state.size;
    const int64_t units[] = {1, 7, 1331 / unit, 9001 / unit, 40000 / unit, 200000 / unit, 0};
    for (int i = 0; i < (int)(sizeof units / sizeof *units); i++) {
        bool large = i >= 3 && units[i] > 0;
        for (int variation = 0; variation < (tests.full && !large ? 12 : 1); variation++, ++*turn) {
            trial.units = units[i];
            vary(&trial, *turn, size);
            if (trial_is_legal(&trial, size) && !is_too_large(&trial, size) &&
                (tests.full || !large || *turn % 3 == 0))
                try_methods(&trial, ground, methods, *turn, large);
        }
    }
}

static void try_operation(enum star_operation operation, struct ground *ground)
{
    static struct method_list methods;
    struct trial trial = {.operation = operation};
    int turn = ground->state.size;
    bool reduces = star_operations[operation].expected.reduces;
    methods_of(operation, &methods);
    for (int i = 0; reduces && i < reduction_count; i++) {
        trial.reduction = &reductions[i];
        try_lengths(trial, ground, &methods, &turn);
    }
    for (int i = 0; !reduces && operation != STAR_BARRIER && i < kind_count; i++) {
        trial.kind = &kinds[i];
        try_lengths(trial, ground, &methods, &turn);
    }
    for (int i = 0; operation == STAR_BARRIER && i < 30; i++) {
        trial.placement = i % TRIAL_PLACEMENTS;
        try_methods(&trial, ground, &methods, i, false);
    }
}

static const struct {
    const char *name;
    enum star_operation first, last;
} parts[] = {
    {"exchange", STAR_ALLTOALL, STAR_ALLTOALLW},
    {"allgather", STAR_ALLGATHER, STAR_ALLGATHERV},
    {"allreduce", STAR_ALLREDUCE, STAR_ALLREDUCE},
    {"bcast", STAR_BCAST, STAR_BCAST},
    {"reduce", STAR_REDUCE, STAR_REDUCE},
    {"reduce_scatter", STAR_REDUCE_SCATTER_BLOCK, STAR_REDUCE_SCATTER},
    {"gather", STAR_GATHER, STAR_GATHERV},
    {"scatter", STAR_SCATTER, STAR_SCATTERV},
    {"scan", STAR_SCAN, STAR_EXSCAN},
    {"barrier", STAR_BARRIER, STAR_BARRIER},
    {"all", STAR_ALLTOALL, STAR_BARRIER},
};

/* Splits the world into communicators of the sizes given, 0 ends them; those left over wait. */
static void try_split(int part, const int *sizes)
{
    int rank, color = MPI_UNDEFINED, first = 0;
    MPI_Comm comm;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; sizes[i] > 0; first += sizes[i++])
        if (rank >= first && rank < first + sizes[i])
            color = i;
    PMPI_Comm_split(MPI_COMM_WORLD, color, -rank, &comm); /* the other way round: ranks are not the world's */
    if (comm == MPI_COMM_NULL)
        return;
    struct ground ground;
    ground_open(&ground, comm);
    for (int operation = (int)parts[part].first; operation <= (int)parts[part].last; operation++)
        try_operation((enum star_operation)operation, &ground);
    ground_close(&ground);
    PMPI_Comm_free(&comm);
}

/* A part, on communicators of RANKS ranks only, or of all the sizes; −1: there is no such part. */
static int try_part(const char *name, int ranks, int world)
{
    static const int splits[][5] = {{16}, {12, 4}, {9, 7}, {8, 5, 3}, {6, 2, 1}};
    int part = (int)(sizeof parts / sizeof *parts) - 1, asked[2] = {ranks, 0};
    while (part >= 0 && strcmp(parts[part].name, name) != 0)
        part--;
    if (part < 0 || ranks > world || (ranks == 0 && world != 16))
        return -1;
    for (size_t i = 0; ranks == 0 && i < sizeof splits / sizeof *splits; i++)
        try_split(part, splits[i]);
    if (ranks > 0)
        try_split(part, asked);
    return 0;
}

static int run(int argc, char **argv, int world)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "random") == 0 && (argc == 4 || argc == 5)) {
        tests.faults = run_random((uint64_t)strtoull(argv[2], NULL, 10), strtod(argv[3], NULL),
                                  argc == 5 ? argv[4] : "");
        return 0;
    }
    if (strcmp(what, "repeat") == 0 && argc == 3) {
        int faults = run_again(argv[2]);
        tests.faults = faults > 0 ? faults : 0;
        return faults < 0 ? -1 : 0;
    }
    tests.full = strcmp(what, "full") == 0;
    argc -= tests.full;
    argv += tests.full;
    return argc < 2 || argc > 3 ? -1
                                : try_part(argv[1], argc == 3 ? (int)strtol(argv[2], NULL, 10) : 0, world);
}

int main(int argc, char **argv)
{
    int size, rank, total = 0;
    trial_start(&argc, &argv);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    signal(SIGALRM, hung);
    double begin = MPI_Wtime();
    if (run(argc, argv, size) != 0) {
        fprintf(stderr, "usage: conformance [full] PART [RANKS], on 16 ranks, or RANKS and more;\n"
                        "       conformance random SEED SECONDS [PREFIX]; conformance repeat 'TRIAL'\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    PMPI_Allreduce(&tests.faults, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("conformance: %d runs on rank 0, %d faults, %.1f s\n", tests.runs, total, MPI_Wtime() - begin);
    trial_end();
    return total != 0;
}
