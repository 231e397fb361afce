/* SPDX-License-Identifier: BSD-3-Clause
 * Every method of the repository against the native routine and against the computed truth: P × sizes ×
 * datatypes × in place. The ranks of MPI_COMM_WORLD are split into communicators that work at the same time.
 */
#include "trial.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HANG_SECONDS = 40, METHODS_MAX = 256 };

static struct star_method methods[METHODS_MAX];
static int method_count;
static bool at_large;   /* large_kinds instead of kinds */
static bool at_bottom;  /* MPI_BOTTOM and absolute addresses everywhere */
static char doing[300]; /* for the message about a hang */

struct kind {
    const char *name;
    layout_maker *send[2], *recv[2];
    int64_t bytes[6]; /* −1 ends them */
    bool receivable;  /* in place is possible for the send layouts too */
};

#define ALL(layout)                                                                                          \
    {                                                                                                        \
        layout, layout                                                                                       \
    }
#define FEW                                                                                                  \
    {                                                                                                        \
        24, 24 * 7, -1                                                                                       \
    }
static const struct kind kinds[] = {
    {"bytes", ALL(layout_byte), ALL(layout_byte), {0, 1, 7, 333, -1}, true},
    {"byte vectors",
     {layout_byte, layout_byte_vector},
     {layout_byte_vector, layout_byte},
     {6, 222, -1},
     true},
    {"ints", ALL(layout_int), ALL(layout_int), {4, 28, 1332, -1}, true},
    {"contiguous types", {layout_contiguous, layout_int}, {layout_dup, layout_contiguous}, FEW, true},
    {"nested types",
     {layout_nested, layout_contiguous},
     {layout_int, layout_nested},
     {0, 24, 24 * 7, -1},
     true},
    {"vectors", {layout_int, layout_vector}, {layout_vector, layout_vector}, {24, 24 * 7, 24 * 55, -1}, true},
    {"permuted types", {layout_permuted, layout_int}, {layout_permuted, layout_permuted}, FEW, true},
    {"descending types", {layout_descending, layout_permuted}, {layout_int, layout_descending}, FEW, true},
    {"negative lower bounds",
     {layout_lower_bound, layout_int},
     {layout_vector, layout_lower_bound},
     FEW,
     true},
    {"columns to rows", ALL(layout_columns), ALL(layout_int), FEW, true},
    {"rows to columns", ALL(layout_nested), ALL(layout_columns), FEW, true},
    {"overlapping types", ALL(layout_overlapping), {layout_int, layout_vector}, FEW, false},
    {"pairs", ALL(layout_double_int), ALL(layout_double_int), {12, 12 * 7, 12 * 33, -1}, true},
    {"different pairs",
     {layout_double_int, layout_padded_pair},
     {layout_swapped_pair, layout_double_int},
     {12, 12 * 7, -1},
     true},
    {"mixed types",
     {layout_mixed, layout_mixed_spread},
     {layout_mixed_spread, layout_mixed},
     {15, 15 * 7, -1},
     true},
};
/* Past the limits where the MPI libraries change their protocols, for one message and for what meshes
 * collect. */
static const struct kind large_kinds[] = {
    {"bytes", ALL(layout_byte), ALL(layout_byte), {9001, 40000, 200000, -1}, true},
    {"vectors",
     {layout_columns, layout_vector},
     {layout_lower_bound, layout_int},
     {9000, 40008, 200016, -1},
     true},
    {"mixed types", ALL(layout_mixed), ALL(layout_mixed), {3990, 9000, 40005, -1}, true},
    {"pairs", ALL(layout_double_int), ALL(layout_double_int), {3996, 9000, 40008, -1}, true},
    {"different mixed types",
     ALL(layout_mixed),
     {layout_mixed_spread, layout_mixed},
     {3990, 40005, -1},
     true},
    {"different pairs",
     {layout_double_int, layout_padded_pair},
     {layout_padded_pair, layout_swapped_pair},
     {3996, 40008, -1},
     true},
};

/* What an alltoall of this size allocates for meshes, on a machine that holds all ranks, is bounded. */
static bool is_too_large(int64_t bytes, int ranks)
{
    return bytes > 100000 ? ranks != 2 && ranks != 5 : bytes > 10000 && ranks > 9;
}

static int keep(const struct star_method *method, void *context)
{
    (void)context;
    if (!star_is_native(method) && method_count < METHODS_MAX)
        methods[method_count++] = *method;
    return 0;
}

static void hung(int signal)
{
    (void)signal;
    ssize_t written = write(2, doing, strlen(doing));
    _exit(written > 0 ? 3 : 4);
}

static void watch(const struct scene *scene, const char *method)
{
    snprintf(doing, sizeof doing, "hang: %s, P=%d, %lld bytes of %s%s, rank %d\n", method,
             scene->ground->state.size, (long long)scene->trial->bytes, scene->trial->name,
             scene->trial->in_place ? ", in place" : "", scene->ground->state.rank);
    alarm(HANG_SECONDS);
}

/* Large blocks go only through the methods as the tuner tries them, and one with many rounds in flight. */
static bool is_for_large(const struct star_method *method)
{
    int64_t window = star_method_knob(method, "window", 1), sync = star_method_knob(method, "sync", 0);
    return (window == 1 && sync <= 0) || (window == 5 && sync == STAR_SYNC_LIGHT);
}

/* Where the MPI library itself goes wrong, on legal calls:
 *   - Open MPI's Bruck, used for small blocks and more than 12 ranks, takes one datatype for granted: where
 *     others receive other types than we send, it writes outside of the buffer;
 *   - MPICH cuts messages in shared memory into pieces of whole elements of the sender's type, and fails to
 *     receive a piece that ends inside of an element of a struct: "message truncated", from 8 KB on; in place
 *     it sends packed bytes, and so meets this with any struct;
 *   - MPICH packs nothing that lies at MPI_BOTTOM, and so exchanges nothing there in place. */
static bool native_is_defective(const struct scene *scene)
{
    const struct trial *trial = scene->trial;
    bool one = trial->send[0] == trial->send[1] && trial->recv[0] == trial->recv[1] &&
               (trial->in_place || (trial->send[0] == trial->recv[0] && !trial->absolute));
#ifdef OPEN_MPI
    return scene->ground->state.size > 12 && !one;
#else
    bool structs = strstr(trial->name, "pairs") != NULL || strstr(trial->name, "mixed") != NULL;
    return (structs && (trial->in_place || !one) && trial->bytes >= 8192 / scene->ground->state.size) ||
           (trial->in_place && trial->absolute);
#endif
}

static int try_methods(const struct trial *trial, struct ground *ground, bool large)
{
    struct scene scene;
    scene_open(&scene, trial, ground);
    int faults = 0;
    if (!native_is_defective(&scene)) {
        watch(&scene, "native");
        faults += scene_run_native(&scene, true);
    }
    for (int i = 0; i < method_count; i++) {
        char name[STAR_METHOD_TEXT];
        if (star_method_applies(&methods[i], ground->state.size, NULL) != 0 ||
            (large && !is_for_large(&methods[i])))
            continue;
        watch(&scene, star_method_format(&methods[i], name, sizeof name));
        int fault = scene_run(&scene, &methods[i], true);
        if (fault == SCENE_FAILED)
            PMPI_Abort(MPI_COMM_WORLD, 1); /* the other ranks may wait for ever */
        faults += fault;
    }
    scene_close(&scene);
    return faults;
}

static int try_kind(const struct kind *kind, struct ground *ground, bool large)
{
    int faults = 0;
    struct trial trial = {.name = kind->name, .absolute = at_bottom};
    memcpy(trial.send, kind->send, sizeof trial.send);
    for (int i = 0; kind->bytes[i] >= 0; i++) {
        trial.bytes = kind->bytes[i];
        memcpy(trial.recv, kind->recv, sizeof trial.recv);
        if ((at_bottom && (trial.bytes == 0 || (large && i > 0))) ||
            is_too_large(trial.bytes, ground->state.size))
            continue;
        trial.in_place = false;
        faults += try_methods(&trial, ground, large);
        trial.in_place = true;
        if (i % 2 == 1 || large)
            faults += try_methods(&trial, ground, large);
        memcpy(trial.recv, kind->send, sizeof trial.recv);
        if (kind->receivable && i == 0 && !large)
            faults += try_methods(&trial, ground, large);
    }
    return faults;
}

static int try_all(MPI_Comm comm)
{
    struct ground ground;
    int faults = 0;
    ground_open(&ground, comm);
    for (size_t i = 0; !at_large && i < sizeof kinds / sizeof *kinds; i++)
        faults += try_kind(&kinds[i], &ground, false);
    for (size_t i = 0; at_large && i < sizeof large_kinds / sizeof *large_kinds; i++)
        faults += try_kind(&large_kinds[i], &ground, true);
    ground_close(&ground);
    return faults;
}

/* Splits the world into communicators of the sizes given, 0 ends them; those left over wait. */
static int try_split(const int *sizes)
{
    int rank, color = MPI_UNDEFINED, first = 0, faults = 0;
    MPI_Comm part;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; sizes[i] > 0; first += sizes[i++])
        if (rank >= first && rank < first + sizes[i])
            color = i;
    PMPI_Comm_split(MPI_COMM_WORLD, color, -rank, &part); /* the other way round: ranks are not the world's */
    if (part != MPI_COMM_NULL) {
        faults = try_all(part);
        PMPI_Comm_free(&part);
    }
    return faults;
}

int main(int argc, char **argv)
{
    static const int splits[][5] = {{16}, {12, 4}, {9, 7}, {8, 5, 3}, {6, 2, 1}};
    int size, rank, faults = 0, total = 0;
    MPI_Init(&argc, &argv);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    /* MPICH raises errors of MPI_Waitall there. */
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    PMPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    signal(SIGALRM, hung);
    star_settings_preset(&star_runtime.settings);
    star_runtime.settings.memory = INT64_MAX / 2;
    star_methods_each(STAR_ALLTOALL, true, keep, NULL);
    /* conformance small|large|bottom [RANKS]: communicators of that many ranks only. */
    int asked[2] = {argc > 2 ? atoi(argv[2]) : 0, 0};
    at_large = argc > 1 && strcmp(argv[1], "large") == 0;
    at_bottom = argc > 1 && strcmp(argv[1], "bottom") == 0;
    if (asked[0] > size || (asked[0] == 0 && size != 16)) {
        fprintf(stderr, "usage: conformance small|large|bottom [RANKS], on 16 ranks, or RANKS and more\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    double begin = MPI_Wtime();
    for (size_t i = at_bottom ? 2 : 0; asked[0] == 0 && i < sizeof splits / sizeof *splits; i++)
        faults += try_split(splits[i]);
    if (asked[0] > 0)
        faults = try_split(asked);
    alarm(HANG_SECONDS);
    PMPI_Allreduce(&faults, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("conformance: %d methods, %d faults, %.1f s\n", method_count, total, MPI_Wtime() - begin);
    PMPI_Finalize();
    return total != 0;
}
