/* SPDX-License-Identifier: BSD-3-Clause
 * The measuring part of `startune bench`: an MPI program. Its arguments were checked by the command. */
#include "algorithms/methods.h"
#include "plan/execute.h"
#include "util/clock.h"
#include "util/parse.h"
#include "util/text.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZES_MOST = 64 };

struct contender {
    struct star_method method;
    struct star_runner *runner; /* NULL: native */
    double *samples;            /* mean over ranks, seconds */
    bool wrong;
};

static struct {
    const char *operation, *methods;
    int64_t sizes[SIZES_MOST];
    int size_count, rounds, calls, seed;
    double compute;
    bool all, json;
    int rank, ranks;
    MPI_Comm comm;
    int done; /* rounds of the size at hand */
} ask = {.methods = "", .rounds = 10, .calls = 5, .seed = 1, .compute = 5};

/* Ctrl-C, as mpirun passes it on: what was measured is printed, if mpirun leaves the time for it. */
static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

static bool any_interrupted(void)
{
    int mine = interrupted, any;
    MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, ask.comm);
    interrupted = any;
    return any;
}

static void set_sizes(const char *text)
{
    char copy[1024], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", text);
    ask.size_count = 0;
    for (char *word = strtok_r(copy, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
        star_parse_bytes(word, &ask.sizes[ask.size_count++]);
}

static void set_option(const char *name, const char *value)
{
    if (strcmp(name, "sizes") == 0)
        set_sizes(value);
    else if (strcmp(name, "methods") == 0)
        ask.methods = value;
    else if (strcmp(name, "rounds") == 0)
        ask.rounds = atoi(value);
    else if (strcmp(name, "calls") == 0)
        ask.calls = atoi(value);
    else if (strcmp(name, "seed") == 0)
        ask.seed = atoi(value);
    else if (strcmp(name, "compute") == 0)
        star_parse_number(value, &ask.compute);
}

static void read_arguments(int argc, char **argv)
{
    set_sizes("64,2K,64K");
    for (int i = 1; i < argc; i++) {
        char name[64];
        const char *word = argv[i] + strspn(argv[i], "-");
        if (word == argv[i]) {
            ask.operation = word;
            continue;
        }
        if (strcmp(word, "all") == 0 || strcmp(word, "json") == 0) {
            *(word[0] == 'a' ? &ask.all : &ask.json) = true;
            continue;
        }
        size_t length = strcspn(word, "=");
        snprintf(name, sizeof name, "%.*s", (int)length, word);
        set_option(name, word[length] ? word + length + 1 : argv[++i]);
    }
}

static int add_if_applicable(const struct star_method *method, void *context)
{
    struct star_methods *methods = context;
    if (star_method_applies(method, ask.ranks, NULL))
        return 0;
    struct star_method *at = realloc(methods->at, ((size_t)methods->count + 1) * sizeof *at);
    if (at == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    methods->at = at;
    at[methods->count++] = *method;
    return 0;
}

/* Native, then what was asked for or all that applies. */
static struct star_methods contenders_of(enum star_operation operation)
{
    struct star_methods methods = {0}, named;
    struct star_method native = star_native_of(operation);
    star_methods_parse(ask.methods, &named, NULL);
    if (named.count == 0) {
        star_methods_each(operation, ask.all, add_if_applicable, &methods);
        return methods;
    }
    add_if_applicable(&native, &methods);
    for (int i = 0; i < named.count; i++)
        if (named.at[i].algorithm->operation == operation && !star_is_native(&named.at[i])) {
            struct star_why why;
            if (star_method_applies(&named.at[i], ask.ranks, &why) && ask.rank == 0)
                fprintf(stderr, "startune bench: warning: %s\n", why.text);
            add_if_applicable(&named.at[i], &methods);
        }
    star_methods_free(&named);
    return methods;
}

static void compute_for(double seconds)
{
    int64_t end = star_now() + (int64_t)(seconds * 1e9);
    while (star_now() < end)
        ;
}

static unsigned char content(int from, int to, int64_t i)
{
    return (unsigned char)(from * 31 + to * 7 + i);
}

static int run_once(const struct contender *contender, char *send, char *recv, int64_t bytes)
{
    if (contender->runner == NULL)
        return MPI_Alltoall(send, (int)bytes, MPI_BYTE, recv, (int)bytes, MPI_BYTE, ask.comm);
    struct star_side sides[2];
    star_side_of(&sides[0], send, MPI_BYTE);
    star_side_of(&sides[1], recv, MPI_BYTE);
    return star_execute(contender->runner, sides[0], sides[1], ask.comm);
}

/* How long native takes, as all ranks agree: what computation is a multiple of. A rank's own time would not
 * do: it has the waiting for others in it, and so would grow from call to call. */
static double native_time(const struct contender *native, char *send, char *recv, int64_t bytes)
{
    double least = 0;
    for (int i = 0; i < 5; i++) {
        MPI_Barrier(ask.comm);
        int64_t begin = star_now();
        if (run_once(native, send, recv, bytes))
            MPI_Abort(MPI_COMM_WORLD, 1);
        double mine = (double)(star_now() - begin) * 1e-9, all;
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, ask.comm);
        least = i == 0 || all < least ? all : least;
    }
    return least;
}

/* A burst of calls; the first is not counted: it follows another method. */
static void measure(struct contender *contender, char *send, char *recv, int64_t bytes, double pause,
                    double *times)
{
    memset(recv, 0, (size_t)(bytes * ask.ranks));
    for (int i = -1; i < ask.calls; i++) {
        compute_for(pause);
        int64_t begin = star_now();
        int error = run_once(contender, send, recv, bytes);
        int64_t end = star_now();
        if (error)
            MPI_Abort(MPI_COMM_WORLD, 1);
        if (i >= 0)
            times[i] = (double)(end - begin) * 1e-9;
    }
    for (int from = 0; from < ask.ranks; from++)
        for (int64_t i = 0; i < bytes; i++)
            if ((unsigned char)recv[from * bytes + i] != content(from, ask.rank, i))
                contender->wrong = true;
}

/* The same on all ranks: seeded, and from a generator of our own. */
static uint32_t draw(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) % below;
}

static void shuffle(int *order, int count, uint64_t *state)
{
    for (int i = 0; i < count; i++)
        order[i] = i;
    for (int i = count - 1; i > 0; i--) {
        int j = (int)draw(state, (uint32_t)i + 1), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

static void progress(int size, int round, int64_t begin)
{
    if (ask.rank != 0 || !isatty(STDERR_FILENO))
        return;
    double done = (size + (double)round / ask.rounds) / ask.size_count,
           spent = (double)(star_now() - begin) * 1e-9;
    fprintf(stderr, "\r\033[K%.0f %% done, about %.0f s left", 100 * done,
            done > 0 ? spent / done - spent : 0);
}

static void measure_all(struct contender *contenders, int count, int which, int64_t begin)
{
    int64_t bytes = ask.sizes[which];
    size_t room = (size_t)(bytes * ask.ranks);
    char *send = malloc(room), *recv = malloc(room);
    int *order = malloc((size_t)count * sizeof *order);
    double *times = malloc((size_t)ask.calls * sizeof *times);
    uint64_t state = (uint64_t)ask.seed;
    if (!send || !recv || !order || !times)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int to = 0; to < ask.ranks; to++)
        for (int64_t i = 0; i < bytes; i++)
            send[to * bytes + i] = (char)content(ask.rank, to, i);
    double pause = ask.compute > 0 ? ask.compute * native_time(&contenders[0], send, recv, bytes) : 0;
    for (ask.done = 0; ask.done < ask.rounds && !any_interrupted(); ask.done++) {
        progress(which, ask.done, begin);
        shuffle(order, count, &state);
        for (int i = 0; i < count; i++) {
            struct contender *contender = &contenders[order[i]];
            measure(contender, send, recv, bytes, pause, times);
            MPI_Allreduce(times, contender->samples + (size_t)ask.done * (size_t)ask.calls, ask.calls,
                          MPI_DOUBLE, MPI_SUM, ask.comm);
        }
    }
    free(send);
    free(recv);
    free(order);
    free(times);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *sorted, int count, double share)
{
    double at = share * (count - 1);
    int low = (int)at;
    return low + 1 < count ? sorted[low] + (at - low) * (sorted[low + 1] - sorted[low]) : sorted[low];
}

static void print_json(struct star_text *text, const struct contender *c, int count, double native)
{
    char name[STAR_METHOD_TEXT];
    star_json_open(text, NULL, '{');
    star_json_string(text, "method", star_method_format(&c->method, name, sizeof name));
    star_json_bool(text, "correct", !c->wrong);
    star_json_number(text, "min_seconds", c->samples[0]);
    star_json_number(text, "median_seconds", quantile(c->samples, count, 0.5));
    star_json_number(text, "spread",
                     (quantile(c->samples, count, 0.75) - quantile(c->samples, count, 0.25)) /
                         quantile(c->samples, count, 0.5));
    star_json_number(text, "native_over_this", native / quantile(c->samples, count, 0.5));
    star_json_open(text, "samples", '[');
    for (int i = 0; i < count; i++)
        star_json_number(text, NULL, c->samples[i]);
    star_json_close(text, ']');
    star_json_close(text, '}');
}

static void print_text(struct star_text *text, const struct contender *c, int count, double native,
                       int64_t bytes)
{
    char name[STAR_METHOD_TEXT], size[32], least[32], median[32];
    double half = quantile(c->samples, count, 0.75) - quantile(c->samples, count, 0.25);
    double middle = quantile(c->samples, count, 0.5);
    star_text_add(text, "%8s  %-32s %7d %9s %9s %6.0f%% %7.2f%s\n",
                  star_format_bytes(bytes, size, sizeof size),
                  star_method_format(&c->method, name, sizeof name), count,
                  star_format_seconds(c->samples[0], least, sizeof least),
                  star_format_seconds(middle, median, sizeof median), 100 * half / middle, native / middle,
                  c->wrong ? "  WRONG RESULT" : "");
}

/* Prints one size; returns whether any result was wrong. */
static bool report(struct contender *contenders, int count, int64_t bytes, struct star_text *text)
{
    int samples = ask.done * ask.calls;
    bool wrong = false;
    for (int i = 0; i < count; i++) {
        struct contender *c = &contenders[i];
        int mine = c->wrong, any;
        MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, ask.comm);
        c->wrong = any;
        wrong = wrong || any;
        for (int j = 0; j < samples; j++)
            c->samples[j] /= ask.ranks;
        qsort(c->samples, (size_t)samples, sizeof *c->samples, ascending);
    }
    double native = quantile(contenders[0].samples, samples, 0.5);
    if (ask.json) {
        star_json_open(text, NULL, '{');
        star_json_integer(text, "bytes", bytes);
        star_json_open(text, "methods", '[');
    }
    for (int i = 0; i < count; i++) {
        star_text_add(text, ask.json && i ? ",\n" : "");
        if (ask.json)
            print_json(text, &contenders[i], samples, native);
        else
            print_text(text, &contenders[i], samples, native, bytes);
    }
    if (ask.json) {
        star_json_close(text, ']');
        star_json_close(text, '}');
    }
    return wrong;
}

static int make_contenders(const struct star_methods *methods, int64_t bytes, struct contender *contenders)
{
    enum { TEMP_MOST = 256 << 20 };
    int count = 0;
    for (int i = 0; i < methods->count; i++) {
        struct contender c = {.method = methods->at[i]};
        struct star_shape shape = {.size = ask.ranks, .rank = ask.rank, .block = bytes};
        struct star_plan *plan = NULL;
        if (!star_is_native(&c.method) && star_method_plan(&c.method, &shape, TEMP_MOST, &plan, NULL) == 0)
            c.runner = star_runner_new(plan);
        int able = star_is_native(&c.method) || c.runner != NULL, all;
        MPI_Allreduce(&able, &all, 1, MPI_INT, MPI_MIN, ask.comm);
        c.samples = calloc((size_t)ask.rounds * (size_t)ask.calls, sizeof *c.samples);
        if (c.samples == NULL)
            MPI_Abort(MPI_COMM_WORLD, 1);
        if (all) {
            contenders[count++] = c;
        } else {
            free(c.samples);
            star_runner_free(c.runner);
        }
    }
    return count;
}

static bool bench_size(const struct star_methods *methods, int which, int64_t begin)
{
    struct star_text text = {0};
    struct contender *contenders = calloc((size_t)methods->count, sizeof *contenders);
    if (contenders == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    int count = make_contenders(methods, ask.sizes[which], contenders);
    measure_all(contenders, count, which, begin);
    bool wrong = ask.done > 0 && report(contenders, count, ask.sizes[which], &text);
    if (ask.rank == 0 && ask.done > 0) {
        if (isatty(STDERR_FILENO))
            fprintf(stderr, "\r\033[K");
        printf("%s%s", ask.json && which ? ",\n" : "", text.bytes);
        fflush(stdout);
    }
    for (int i = 0; i < count; i++) {
        free(contenders[i].samples);
        star_runner_free(contenders[i].runner);
    }
    free(contenders);
    star_text_free(&text);
    return wrong;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &ask.comm);
    MPI_Comm_rank(ask.comm, &ask.rank);
    MPI_Comm_size(ask.comm, &ask.ranks);
    read_arguments(argc, argv);
    struct star_methods methods = contenders_of(STAR_ALLTOALL);
    bool wrong = false;
    if (ask.rank == 0 && ask.json)
        printf("{\"operation\": \"%s\", \"ranks\": %d, \"compute\": %g, \"sizes\": [\n", ask.operation,
               ask.ranks, ask.compute);
    else if (ask.rank == 0)
        printf("%s, %d ranks; ratio: native's median over the method's\n%8s  %-32s %7s %9s %9s %7s %7s\n",
               ask.operation, ask.ranks, "bytes", "method", "samples", "min", "median", "spread", "ratio");
    int64_t begin = star_now();
    signal(SIGINT, interrupt);
    signal(SIGTERM, interrupt);
    for (int i = 0; i < ask.size_count && !interrupted; i++)
        wrong = bench_size(&methods, i, begin) || wrong;
    if (ask.rank == 0 && ask.json)
        printf("]}\n");
    star_methods_free(&methods);
    MPI_Comm_free(&ask.comm);
    MPI_Finalize();
    return wrong ? 1 : interrupted ? 130 : 0;
}
