/* SPDX-License-Identifier: BSD-3-Clause
 * The solver of examples/field.h with its halos exchanged in every way: by hand, by each function of the
 * function-set alone, and by requests that are tuned with each strategy: solver DIMENSIONS SIZE STEPS
 * REPETITIONS SECONDS ITER SLOW. In each repetition all take turns, in random order; a function that twice
 * took SLOW times the best one's time, or once 3 times, is not repeated. No repetition begins that would end
 * after SECONDS. What is timed is a whole run: what the exchange needs is made, and STEPS steps are done.
 * Rank 0 writes a line of JSON for each run: the repetition, seconds of the slowest rank, whether other
 * virtual machines disturbed it in spite of all tries, and how many runs are left. bench/solver makes tables
 * of them. */
#include "algorithms/method.h"
#include "halo.h"
#include "halo/halo.h"
#include "halo/neighborhood.h"
#include "patterns/border.h"
#include "patterns/exchange.h"
#include "patterns/transfer.h"
#include "runtime/session.h"
#include "startune_patterns.h"
#include "tuner/tuner.h"
#include "tuner/tuning.h"
#include "util/random.h"
#include "util/why.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CONTESTANTS_MOST = 128, WARM = 20, VERY_SLOW = 3 };

struct contestant;

/* What a tuned run says of itself. */
struct tuning {
    int evaluated, chosen, open_for;
};

/* One whole run. */
typedef void run_field(struct field *field, const struct contestant *contestant, struct tuning *tuning);

struct contestant {
    const char *kind;
    run_field *run;
    const struct halo_way *way;             /* by hand */
    const struct star_neighborhood *method; /* fixed */
    double least;                           /* seconds */
    int strategy;                           /* tuned */
    bool out;
    char name[STAR_METHOD_TEXT];
};

static void must(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "solver: %s\n", what);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void run_by_hand(struct field *field, const struct contestant *contestant, struct tuning *tuning)
{
    (void)tuning;
    struct halo halo;
    halo_make(&halo, field);
    for (int i = 0; i < field->steps; i++) {
        contestant->way->exchange(&halo);
        field_step(field);
    }
    halo_free(&halo);
}

/* The geometry of a field, as the methods want it. */
static struct star_halo *geometry_of(const struct field *field)
{
    struct star_block block = {.dimensions = field->dimensions, .width = 1, .values = 1};
    int left[3], right[3], rank, ranks;
    struct star_halo *halo = NULL;
    struct star_why why = {{0}};
    MPI_Comm_rank(field->cart, &rank);
    MPI_Comm_size(field->cart, &ranks);
    for (int d = 0; d < field->dimensions; d++) {
        block.size[d] = field->dims[d];
        MPI_Cart_shift(field->cart, d, 1, &left[d], &right[d]);
    }
    struct star_neighbors neighbors = {rank, ranks, field->dimensions, left, right, STAR_BOTH_WAYS};
    must(star_halo_make(&block, &neighbors, &halo, &why) == 0, why.text);
    return halo;
}

static void run_fixed(struct field *field, const struct contestant *contestant, struct tuning *tuning)
{
    (void)tuning;
    struct star_border *border = NULL;
    struct star_exchange *exchange = NULL;
    struct star_why why = {{0}};
    struct star_halo *halo = geometry_of(field);
    struct star_vectors vectors = {halo, MPI_DOUBLE, field->points, field->points, field->cart, 10};
    must(star_border_make(&vectors, &border, &why) == 0, why.text);
    must(star_exchange_make(border, contestant->method, &exchange, &why) == 0, why.text);
    for (int i = 0; i < field->steps; i++) {
        must(star_exchange_run(exchange) == MPI_SUCCESS, "an exchange fails");
        field_step(field);
    }
    star_exchange_free(exchange);
    star_border_free(border);
    free(halo);
}

/* Which rows of the table work on so many ranks, with this MPI library on this network: the others are no
 * candidates of the tuner either. */
static bool works[CONTESTANTS_MOST];

static void try_all(struct field *field)
{
    struct star_border *border = NULL;
    struct star_why why = {{0}};
    struct star_halo *halo = geometry_of(field);
    struct star_vectors vectors = {halo, MPI_DOUBLE, field->points, field->points, field->cart, 10};
    must(star_border_make(&vectors, &border, &why) == 0, why.text);
    for (int m = 0; m < star_neighborhoods_count; m++) {
        struct star_exchange *exchange = NULL;
        works[m] = star_exchange_make(border, &star_neighborhoods[m], &exchange, &why) == 0;
        star_exchange_free(exchange);
    }
    star_border_free(border);
    free(halo);
}

/* The function-set's functions are the table's methods, in its order. */
static void run_steps(struct field *field, STAR_Request request, struct tuning *tuning)
{
    bool used[CONTESTANTS_MOST] = {false};
    int functions, current, open;
    for (int i = 0; i < field->steps; i++) {
        STAR_Request_get_state(request, &open);
        STAR_Request_get_functions(request, &functions, &current);
        tuning->open_for += open;
        if (!used[current] && works[current]) {
            used[current] = true;
            tuning->evaluated++;
        }
        must(STAR_Request_run(request) == STAR_SUCCESS, "a request fails");
        field_step(field);
    }
    STAR_Request_get_functions(request, &functions, &tuning->chosen);
    must(functions == star_neighborhoods_count, "other functions than those of the table");
}

static void run_tuned(struct field *field, const struct contestant *contestant, struct tuning *tuning)
{
    STAR_Topology topology;
    STAR_Vector vector;
    STAR_Request request;
    star_runtime.settings.strategy = contestant->strategy;
    STAR_Topology_create(field->cart, &topology);
    STAR_Vector_register(field->dimensions, field->dims, 1, MPI_DOUBLE, field->points, &vector);
    must(STAR_Request_create(vector, topology, STAR_FNCTSET_NEIGHBORHOOD, &request) == STAR_SUCCESS,
         "there is no request");
    run_steps(field, request, tuning);
    STAR_Request_free(&request);
    STAR_Vector_deregister(&vector);
    STAR_Topology_free(&topology);
}

static int enter_all(struct contestant *contestant)
{
    static const struct {
        const char *name;
        enum star_strategy strategy;
    } tuned[] = {{"brute force", STAR_EXHAUSTIVE},
                 {"hypothesis", STAR_HYPOTHESIS},
                 {"factorial", STAR_FACTORIAL},
                 {"race", STAR_RACE}};
    int count = 0;
    for (const struct halo_way *way = halo_ways; way->name != NULL; way++) {
        contestant[count] = (struct contestant){.kind = "by hand", .run = run_by_hand, .way = way};
        snprintf(contestant[count++].name, STAR_METHOD_TEXT, "%s", way->name);
    }
    for (int m = 0; m < star_neighborhoods_count; m++)
        if (works[m]) {
            contestant[count] =
                (struct contestant){.kind = "fixed", .run = run_fixed, .method = &star_neighborhoods[m]};
            star_neighborhood_format(&star_neighborhoods[m], contestant[count++].name, STAR_METHOD_TEXT);
        }
    for (size_t s = 0; s < sizeof tuned / sizeof *tuned; s++) {
        contestant[count] =
            (struct contestant){.kind = "tuned", .run = run_tuned, .strategy = tuned[s].strategy};
        snprintf(contestant[count++].name, STAR_METHOD_TEXT, "%s", tuned[s].name);
    }
    return count;
}

/* What comes out must be the same, whoever exchanged the halos. */
static void compare_result(const struct field *field, const struct contestant *contestant)
{
    static uint64_t right;
    uint64_t sum = field_checksum(field);
    if (right == 0)
        right = sum;
    must(sum == right, contestant->name);
}

/* Seconds of the slowest rank. */
static double time_of(struct field *field, const struct contestant *contestant, struct tuning *tuning)
{
    double mine, slowest;
    MPI_Comm whole = field->cart;
    MPI_Comm_dup(whole, &field->cart); /* nothing of earlier runs is known on it */
    MPI_Comm_set_errhandler(field->cart, MPI_ERRORS_RETURN);
    field_fill(field);
    contestant->run(field, contestant, tuning);
    mine = MPI_Wtime() - field->began;
    MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, whole);
    MPI_Comm_free(&field->cart);
    field->cart = whole;
    return slowest;
}

/* What the processors have done so far, in clock ticks: in all, and for other virtual machines. */
struct ticks {
    double all, stolen;
};

static struct ticks ticks(void)
{
    struct ticks now = {0};
    double tick[8]; /* user, nice, system, idle, iowait, irq, softirq, steal: proc(5) */
    FILE *file = fopen("/proc/stat", "r");
    if (file != NULL && fscanf(file, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &tick[0], &tick[1], &tick[2],
                               &tick[3], &tick[4], &tick[5], &tick[6], &tick[7]) == 8) {
        for (int i = 0; i < 8; i++)
            now.all += tick[i];
        now.stolen = tick[7];
    }
    if (file != NULL)
        fclose(file);
    return now;
}

/* A run of which other virtual machines on the same processors took more than a share is no measure, and is
 * done again: that says nothing of its time. One tick in a short run is chance. *DISTURBED, on all ranks:
 * rank 0 saw it in each try. */
static double undisturbed_time_of(struct field *field, const struct contestant *contestant,
                                  struct tuning *tuning, int *disturbed)
{
    static const double share = 0.03;
    enum { TRIES = 5 };
    double seconds;
    *disturbed = 1;
    for (int try = 0; try < TRIES && *disturbed; try++) {
        struct ticks before = ticks();
        *tuning = (struct tuning){0};
        seconds = time_of(field, contestant, tuning);
        struct ticks after = ticks();
        *disturbed = after.stolen - before.stolen > fmax(1, share * (after.all - before.all));
        MPI_Bcast(disturbed, 1, MPI_INT, 0, field->cart);
    }
    return seconds;
}

static void tell(const struct contestant *contestant, int turn, double seconds, int disturbed,
                 const struct tuning *tuning, int left)
{
    char chosen[STAR_METHOD_TEXT];
    printf("{\"kind\": \"%s\", \"name\": \"%s\", \"turn\": %d, \"seconds\": %.6f, \"disturbed\": %s, "
           "\"left\": %d",
           contestant->kind, contestant->name, turn, seconds, disturbed ? "true" : "false", left);
    if (tuning->evaluated > 0)
        printf(", \"evaluated\": %d, \"open_for\": %d, \"chosen\": \"%s\"", tuning->evaluated,
               tuning->open_for,
               star_neighborhood_format(&star_neighborhoods[tuning->chosen], chosen, sizeof chosen));
    printf("}\n");
    fflush(stdout);
}

/* Who is too slow to be repeated: the same on all ranks, which know the same times. */
static int drop(struct contestant *contestant, int count, double slow)
{
    double best = INFINITY;
    int left = 0;
    for (int i = 0; i < count; i++)
        best = fmin(best, contestant[i].least);
    for (int i = 0; i < count; i++) {
        contestant[i].out = contestant[i].method != NULL && contestant[i].least > slow * best;
        left += !contestant[i].out;
    }
    return left;
}

/* All who are left run once. */
static void take_turns(struct field *field, struct contestant *contestant, int count, int turn, int left,
                       uint64_t *seed)
{
    int order[CONTESTANTS_MOST], rank, done = 0;
    MPI_Comm_rank(field->cart, &rank);
    for (int i = 0; i < count; i++)
        order[i] = i;
    star_shuffle(order, count, seed); /* the same on all ranks */
    for (int i = 0; i < count; i++) {
        struct contestant *now = &contestant[order[i]];
        struct tuning tuning = {0};
        if (now->out)
            continue;
        int disturbed;
        double seconds = undisturbed_time_of(field, now, &tuning, &disturbed);
        compare_result(field, now);
        now->least = fmin(now->least, seconds);
        done++;
        if (rank == 0)
            tell(now, turn, seconds, disturbed, &tuning, left - done);
    }
}

/* Of rank 0's clock: does as much as was done since BEGAN fit once more before END? */
static bool has_time(const struct field *field, double began, double end)
{
    int fits = 2 * MPI_Wtime() - began <= end;
    MPI_Bcast(&fits, 1, MPI_INT, 0, field->cart);
    return fits;
}

static void compete(struct field *field, int repetitions, double seconds, double slow)
{
    struct contestant contestant[CONTESTANTS_MOST];
    int count = enter_all(contestant), taking_part = count;
    double end = MPI_Wtime() + seconds, began;
    uint64_t seed = 1;
    for (int i = 0; i < count; i++)
        contestant[i].least = INFINITY;
    int turn = 0;
    do {
        began = MPI_Wtime();
        take_turns(field, contestant, count, turn, taking_part * (repetitions - turn), &seed);
        /* Once may have been a disturbance, unless it was very slow. */
        taking_part = drop(contestant, count, turn > 0 ? slow : fmax(slow, VERY_SLOW));
    } while (++turn < repetitions && has_time(field, began, end));
}

/* Connections are made, and startune's own things. */
static void warm_up(struct field *field, int iter)
{
    struct contestant tuned = {.run = run_tuned}, hand = {.run = run_by_hand, .way = halo_ways};
    struct tuning tuning = {0};
    int steps = field->steps;
    field->steps = WARM;
    time_of(field, &hand, &tuning);
    time_of(field, &tuned, &tuning);
    star_runtime.settings.iter = iter;
    field->steps = steps;
}

int main(int argc, char **argv)
{
    struct field field = {0};
    MPI_Init(&argc, &argv);
    must(argc == 8, "usage: solver DIMENSIONS SIZE STEPS REPETITIONS SECONDS ITER SLOW");
    field.dimensions = (int)strtol(argv[1], NULL, 10);
    field.size = (int)strtol(argv[2], NULL, 10);
    field.steps = (int)strtol(argv[3], NULL, 10);
    must((field.dimensions == 2 || field.dimensions == 3) && field.steps > 0,
         "2 or 3 dimensions, 1 step at least");
    field_make(&field);
    MPI_Comm_set_errhandler(field.cart, MPI_ERRORS_RETURN);
    try_all(&field);
    warm_up(&field, (int)strtol(argv[6], NULL, 10));
    compete(&field, (int)strtol(argv[4], NULL, 10), strtod(argv[5], NULL), strtod(argv[7], NULL));
    field_free(&field);
    MPI_Finalize();
    return 0;
}
