/* SPDX-License-Identifier: BSD-3-Clause
 * Conformance with calls drawn at random, of all methods or of those whose names begin alike. All ranks draw
 * the same numbers; what fails is made as simple as it can be while it fails still. */
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "algorithms/prove.h"
#include "conformance.h"
#include "plan/plan.h"
#include "topology/network.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

struct call {
    struct trial trial;
    struct star_method method;
    int size;
};

static uint64_t drawn_last;

static uint64_t draw(uint64_t below)
{
    uint64_t x = drawn_last += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (x ^ x >> 31) % below;
}

static bool one_in(uint64_t n)
{
    return draw(n) == 0;
}

/* Communicators of SIZE ranks, as many as there are; NULL on ranks left over. Made when first asked for, and
 * kept. */
static struct ground *ground_of(int size)
{
    static struct ground grounds[TRIAL_RANKS_MAX + 1];
    static bool made[TRIAL_RANKS_MAX + 1];
    int rank, world;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &world);
    bool within = rank / size < world / size;
    if (!made[size]) {
        MPI_Comm comm;
        PMPI_Comm_split(MPI_COMM_WORLD, within ? rank / size : MPI_UNDEFINED, rank * 7 % world, &comm);
        if (within)
            ground_open(&grounds[size], comm);
        made[size] = true;
    }
    return within ? &grounds[size] : NULL;
}

static bool is_possible(const struct call *call)
{
    static int node[TRIAL_RANKS_MAX];
    static struct star_network *networks[TRIAL_RANKS_MAX + 1];
    struct star_network **network = &networks[call->size];
    struct star_shape shape = star_shape_of(call->size, trial_bytes(&call->trial));
    for (int r = 0; r < call->size; r++)
        node[r] = r / 2;
    if (*network == NULL && star_sample_network(node, call->size, 0, network, NULL))
        PMPI_Abort(MPI_COMM_WORLD, 1);
    shape.node = node;
    shape.network = *network;
    shape.root = call->trial.root;
    shape.commutative = !call->trial.reduction || call->trial.reduction->commutative;
    return trial_is_legal(&call->trial, call->size) &&
           (star_is_native(&call->method) || star_method_applies(&call->method, &shape, NULL) == 0);
}

/* The faults of all ranks. */
static int run_call(const struct call *call, bool loud)
{
    int faults = 0, total;
    struct ground *ground = ground_of(call->size);
    if (ground != NULL) {
        struct scene scene;
        scene_open(&scene, &call->trial, ground);
        faults = run_scene(&scene, &call->method, loud);
        scene_close(&scene);
    }
    PMPI_Allreduce(&faults, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return total;
}

/* Mostly short ones; long ones only where all ranks' buffers hold them. */
static int64_t draw_units(const struct trial *trial, int size)
{
    int unit = trial->reduction ? reduction_size(trial->reduction) : trial->kind->unit;
    int64_t most = 300000 / size / unit + 1, few = most < 40 ? most : 40;
    if (one_in(40))
        return 0;
    return one_in(4) ? 1 + (int64_t)draw((uint64_t)most) : 1 + (int64_t)draw((uint64_t)few);
}

/* Values that no list names. */
static void draw_knobs(struct star_method *method)
{
    for (int i = 0; i < STAR_KNOBS_MAX && method->algorithm->knobs[i].name; i++) {
        const struct star_knob *knob = &method->algorithm->knobs[i];
        if (knob->words != NULL || knob->is_sync || !one_in(4))
            continue;
        int64_t span = knob->is_bytes ? 3000 : 9, wide = knob->most - knob->least;
        method->knob[i] = knob->least + (int64_t)draw((uint64_t)(wide < span ? wide : span) + 1);
    }
}

/* Of an operation at random, those whose names begin with PREFIX. */
static enum star_operation draw_methods(const char *prefix, struct method_list *methods)
{
    enum star_operation operation;
    do {
        operation = (enum star_operation)draw(STAR_OPERATIONS);
        methods_of(operation, methods);
        int kept = 0;
        for (int i = 0; i < methods->count; i++)
            if (strncmp(methods->at[i].algorithm->name, prefix, strlen(prefix)) == 0)
                methods->at[kept++] = methods->at[i];
        methods->count = kept;
    } while (methods->count == 0);
    return operation;
}

static void draw_call(struct call *call, int world, const char *prefix)
{
    static struct method_list methods;
    do {
        struct trial *trial = &call->trial;
        *trial = (struct trial){.operation = draw_methods(prefix, &methods)};
        call->size = 1 + (int)draw((uint64_t)world);
        call->method = methods.at[draw((uint64_t)methods.count)];
        draw_knobs(&call->method);
        if (star_operations[trial->operation].expected.reduces)
            trial->reduction = &reductions[draw((uint64_t)reduction_count)];
        else if (trial->operation != STAR_BARRIER)
            trial->kind = &kinds[draw((uint64_t)kind_count)];
        if (trial->reduction || trial->kind)
            trial->units = draw_units(trial, call->size);
        trial->root = star_operations[trial->operation].rooted ? (int)draw((uint64_t)call->size) : 0;
        trial->counts = star_operations[trial->operation].units ? (int)draw(1000) : 0;
        trial->placement = (int)draw(TRIAL_PLACEMENTS);
        trial->in_place = one_in(3) ? 1 + (int)draw(2) : 0;
        trial->absolute = one_in(6);
        trial->large = one_in(6);
        trial->environment = one_in(3) ? (int)draw(TRIAL_ENVIRONMENTS) : 0;
    } while (!is_possible(call));
}

/* The N-th way to make a call simpler; false: there is none. */
static bool simplify(struct call *call, int n)
{
    struct trial *trial = &call->trial;
    switch (n) {
    case 0:
        call->size /= 2;
        break;
    case 1:
        call->size -= 1;
        break;
    case 2:
        trial->units /= 2;
        break;
    case 3:
        trial->units -= trial->units > 0;
        break;
    case 4:
        trial->kind = trial->kind ? &kinds[0] : NULL;
        break;
    case 5:
        trial->reduction = trial->reduction ? &reductions[0] : NULL;
        break;
    case 6:
        trial->in_place = IN_PLACE_NOWHERE;
        break;
    case 7:
        trial->absolute = false;
        break;
    case 8:
        trial->large = false;
        break;
    case 9:
        trial->counts = 0;
        break;
    case 10:
        trial->placement = 0;
        break;
    case 11:
        trial->root = 0;
        break;
    case 12:
        trial->root /= 2;
        break;
    case 13:
        trial->environment = 0;
        break;
    default:
        if (n >= 14 + STAR_KNOBS_MAX)
            return false;
        if (call->method.algorithm->knobs[n - 14].name)
            call->method.knob[n - 14] = call->method.algorithm->knobs[n - 14].preset;
    }
    if (call->size >= 1 && trial->root >= call->size)
        trial->root = call->size - 1;
    return true;
}

static bool is_equal(const struct call *a, const struct call *b)
{
    char text[2][TRIAL_TEXT], name[2][STAR_METHOD_TEXT];
    star_method_format(&a->method, name[0], sizeof name[0]);
    star_method_format(&b->method, name[1], sizeof name[1]);
    return strcmp(trial_format(&a->trial, name[0], a->size, text[0]),
                  trial_format(&b->trial, name[1], b->size, text[1])) == 0;
}

/* Makes a call that fails as simple as it can be while it fails. */
static void shrink(struct call *call)
{
    for (int n = 0;;) {
        struct call simpler = *call;
        if (!simplify(&simpler, n))
            return;
        bool fails = simpler.size >= 1 && !is_equal(&simpler, call) && is_possible(&simpler) &&
                     run_call(&simpler, false) > 0;
        if (fails)
            *call = simpler;
        n = fails ? 0 : n + 1;
    }
}

static void report(const struct call *call)
{
    int rank;
    char name[STAR_METHOD_TEXT], text[TRIAL_TEXT];
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    star_method_format(&call->method, name, sizeof name);
    if (rank == 0)
        printf("to repeat it, on %d ranks: conformance repeat '%s'\n", call->size,
               trial_format(&call->trial, name, call->size, text));
}

/* Rank 0's clock counts. */
static bool has_time(double end)
{
    int more = MPI_Wtime() < end;
    PMPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return more;
}

int run_random(uint64_t seed, double seconds, const char *prefix)
{
    int world, rank, faults = 0, calls = 0;
    double end = MPI_Wtime() + seconds;
    PMPI_Comm_size(MPI_COMM_WORLD, &world);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (seed == 0)
        seed = (uint64_t)time(NULL);
    PMPI_Bcast(&seed, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    drawn_last = seed;
    for (; faults < 5 && has_time(end); calls++) {
        struct call call;
        draw_call(&call, world < TRIAL_RANKS_MAX ? world : TRIAL_RANKS_MAX, prefix);
        if (run_call(&call, true) == 0)
            continue;
        faults++;
        shrink(&call);
        report(&call);
    }
    if (rank == 0)
        printf("random: seed %llu, %d calls\n", (unsigned long long)seed, calls);
    return rank == 0 ? faults : 0;
}

int run_again(const char *text)
{
    struct call call;
    int world;
    PMPI_Comm_size(MPI_COMM_WORLD, &world);
    if (trial_parse(text, &call.trial, &call.method, &call.size) != 0 || call.size > world || call.size < 1)
        return -1;
    return run_call(&call, true);
}
