/* SPDX-License-Identifier: BSD-3-Clause */
#include "search/search.h"
#include "search/expect.h"
#include "search/ties.h"

#include <math.h>
#include <stdlib.h>

/* Sizes whose ratio is less are near enough where methods cannot be told apart. */
#define NEAR 1.1

int star_granule_of(const struct star_grid *grid, enum star_operation operation)
{
    return star_operations[operation].expected.reduces ? grid->element : 1;
}

void star_search_order(int *order, int count)
{
    int filled = 0;
    bool taken[STAR_SIZES_MOST] = {false};
    for (int stride = count > 1 ? count - 1 : 1; filled < count; stride = (stride + 1) / 2)
        for (int at = 0; at < count; at += stride)
            if (!taken[at]) {
                taken[at] = true;
                order[filled++] = at;
            }
}

/* A trial under way. */
struct point {
    struct star_trial trial;
    struct star_method *method; /* as the race numbers them */
    int methods;
    struct star_race race;
};

/* Those of APPLICABLE that neighbours do not rule out; native always. PRUNE: neighbours are asked. */
static int select_methods(const struct star_search *search, const struct star_methods *applicable, bool prune,
                          struct point *point, double *hope)
{
    const struct star_trial *trial = &point->trial;
    for (int i = 0; i < applicable->count; i++) {
        int number = star_map_method(search->map, &applicable->at[i]);
        if (number < 0)
            return STAR_EMEMORY;
        double least =
            prune ? star_hope_of(search->map, trial->operation, trial->ranks, trial->bytes, number) : 0;
        if (least > STAR_HOPE_MOST && !star_is_native(&applicable->at[i]))
            continue;
        hope[point->methods] = least;
        point->method[point->methods++] = applicable->at[i];
    }
    return 0;
}

/* Rounds until the race is over or the time is. */
static int run_race(const struct star_search *search, struct star_race *race, struct star_why *why)
{
    const struct star_meter *meter = search->meter;
    size_t room = (size_t)race->racers * STAR_RACE_ROUNDS + 1;
    int *order = malloc(room * sizeof *order), runs, error = 0;
    double *seconds = malloc(room * sizeof *seconds);
    if (order == NULL || seconds == NULL)
        error = STAR_EMEMORY;
    while (!error && meter->left(meter->context) > 0 && (runs = star_race_next(race, order)) > 0) {
        double begin = meter->now(meter->context);
        error = meter->run(meter->context, order, runs, seconds, why);
        if (!error)
            star_race_take(race, order, runs, seconds, meter->now(meter->context) - begin);
    }
    free(order);
    free(seconds);
    return error;
}

/* Puts one racer's times into the map: the cold one where there is no other. */
static int record(const struct star_race *race, int racer, int method, struct star_map_point *to)
{
    const struct star_racer *from = &race->racer[racer];
    bool only_cold = from->count == 0;
    if (from->wrong || (only_cold && !isfinite(from->cold)))
        return 0;
    struct star_map_timing *timing = star_map_timing(to, method);
    if (timing == NULL)
        return STAR_EMEMORY;
    return star_map_add_samples(timing, only_cold ? &from->cold : from->times, only_cold ? 1 : from->count);
}

static int record_all(const struct star_search *search, const struct point *point, bool searched)
{
    const struct star_trial *trial = &point->trial;
    struct star_map_point *old = star_map_find(search->map, trial->operation, trial->ranks, trial->bytes);
    if (old != NULL) /* of a crossover on another grid: two methods only */
        star_map_drop(search->map, trial->operation, old);
    struct star_map_point *to = star_map_point(search->map, trial->operation, trial->ranks, trial->bytes);
    bool *in = calloc((size_t)point->methods + 1, sizeof *in);
    int error = to && in ? 0 : STAR_EMEMORY;
    for (int i = 0; !error && i < point->methods; i++) {
        int before = to->timings;
        error = record(&point->race, i, star_map_method(search->map, &point->method[i]), to);
        if (!error && to->timings > before)
            in[before] = !point->race.racer[i].out;
    }
    if (!error && to->timings > 0) {
        to->searched = searched;
        star_ties_find(to, in);
    } else if (to) {
        star_map_drop(search->map, trial->operation, to);
    }
    free(in);
    return error;
}

/* Another order at each point, and the same one again in the next search. */
static uint64_t seed_of(const struct star_search *search, const struct star_trial *trial)
{
    uint64_t mixed = search->seed * STAR_OPERATIONS + (uint64_t)trial->operation;
    return (mixed * 1000003 + (uint64_t)trial->ranks) * 1000003 + (uint64_t)trial->bytes;
}

static int race_at(const struct star_search *search, struct point *point, const double *hope,
                   struct star_why *why)
{
    bool *ready = calloc((size_t)point->methods + 1, sizeof *ready);
    const struct star_meter *meter = search->meter;
    int error =
        ready ? meter->enter(meter->context, point->method, point->methods, ready, why) : STAR_EMEMORY;
    if (!error)
        error = star_race_begin(&point->race, &search->rules, point->methods, seed_of(search, &point->trial));
    for (int i = 0; !error && i < point->methods; i++) {
        point->race.racer[i].out = !ready[i];
        point->race.racer[i].keep = star_is_native(&point->method[i]);
        point->race.racer[i].hope = hope[i];
    }
    free(ready);
    return error ? error : run_race(search, &point->race, why);
}

/* Measures TRIAL: all methods, or, of a search for a crossover, those of ONLY. */
static int measure(const struct star_search *search, const struct star_trial *trial,
                   const struct star_methods *only, struct star_why *why)
{
    const struct star_meter *meter = search->meter;
    struct star_methods applicable = {0};
    struct point point = {.trial = *trial};
    int error = meter->open(meter->context, trial, &applicable, why);
    if (error == STAR_ENEEDS) {
        meter->close(meter->context);
        return 0; /* it cannot be measured here */
    }
    const struct star_methods *from = only ? only : &applicable;
    double *hope = calloc((size_t)from->count + 1, sizeof *hope);
    point.method = calloc((size_t)from->count + 1, sizeof *point.method);
    if (!error && (!hope || !point.method))
        error = STAR_EMEMORY;
    if (!error)
        error = select_methods(search, from, search->rules.prune && only == NULL, &point, hope);
    if (!error)
        error = race_at(search, &point, hope, why);
    if (!error && meter->left(meter->context) > 0)
        error = record_all(search, &point, only != NULL);
    star_race_end(&point.race);
    meter->close(meter->context);
    star_methods_free(&applicable);
    free(point.method);
    free(hope);
    return error == STAR_EMEMORY ? star_because(why, error, "out of memory") : error;
}

static int visit(struct star_search *search, const struct star_trial *trial, struct star_why *why)
{
    const struct star_meter *meter = search->meter;
    int error = 0;
    if (meter->left(meter->context) <= 0)
        return 0;
    const struct star_map_point *point =
        star_map_find(search->map, trial->operation, trial->ranks, trial->bytes);
    bool known = point != NULL && !point->searched;
    if (!known)
        error = measure(search, trial, NULL, why);
    if (error || meter->left(meter->context) <= 0)
        return error;
    search->done++;
    search->left_out += star_map_find(search->map, trial->operation, trial->ranks, trial->bytes) == NULL;
    return known ? 0 : meter->tell(meter->context, trial, search->done, search->all, why);
}

static int sizes_of(const struct star_grid *grid, enum star_operation operation)
{
    return star_operations[operation].measure == STAR_NO_BYTES ? 1 : grid->sizes;
}

/* Of a reduction whole elements, at least one. */
static int64_t bytes_of(const struct star_grid *grid, enum star_operation operation, int size)
{
    int64_t granule = star_granule_of(grid, operation);
    if (star_operations[operation].measure == STAR_NO_BYTES)
        return 0;
    return (grid->bytes[size] + granule - 1) / granule * granule;
}

static int visit_grid(struct star_search *search, struct star_why *why)
{
    const struct star_grid *grid = search->grid;
    int error = 0, order[STAR_SIZES_MOST];
    for (int c = grid->communicators - 1; !error && c >= 0; c--)
        for (int o = 0; !error && o < STAR_OPERATIONS; o++) {
            int sizes = grid->operation[o] ? sizes_of(grid, o) : 0;
            star_search_order(order, sizes);
            for (int i = 0; !error && i < sizes; i++)
                error =
                    visit(search, &(struct star_trial){o, grid->ranks[c], bytes_of(grid, o, order[i])}, why);
        }
    return error;
}

static bool is_tied(const struct star_map_point *point, int method)
{
    for (int i = 0; i < point->timings; i++)
        if (point->timing[i].method == method && point->timing[i].tied)
            return true;
    return false;
}

int64_t star_crossover_next(const struct star_map_point *below, const struct star_map_point *above,
                            int granule)
{
    int lower = below->timing[below->winner].method, upper = above->timing[above->winner].method;
    bool near = (double)above->bytes <= NEAR * (double)below->bytes;
    if (below->ranks != above->ranks || lower == upper ||
        (near && (is_tied(below, upper) || is_tied(above, lower))))
        return 0;
    int64_t middle = (below->bytes + above->bytes) / 2 / granule * granule;
    return middle > below->bytes ? middle : 0;
}

/* Measures once between each two neighbours that ask for it; returns how many, or an error. */
static int narrow(struct star_search *search, enum star_operation operation, int *added, struct star_why *why)
{
    const struct star_map_operation *of = &search->map->of[operation];
    const struct star_meter *meter = search->meter;
    int error = 0, before = *added, granule = star_granule_of(search->grid, operation);
    for (int i = 0; !error && i + 1 < of->points && meter->left(meter->context) > 0; i++) {
        const struct star_map_point *below = &of->point[i], *above = &of->point[i + 1];
        int64_t bytes = star_crossover_next(below, above, granule);
        if (bytes == 0)
            continue;
        struct star_trial trial = {operation, below->ranks, bytes};
        struct star_method two[] = {of->method[below->timing[below->winner].method],
                                    of->method[above->timing[above->winner].method]};
        error = measure(search, &trial, &(struct star_methods){two, 2}, why);
        bool found = !error && star_map_find(search->map, operation, trial.ranks, bytes) != NULL;
        if (found)
            error = meter->tell(meter->context, &trial, ++*added, 0, why);
        else if (!error)
            return 0; /* the time is over */
        i++;          /* the new point */
    }
    return error ? error : *added - before;
}

int star_search_run(struct star_search *search, struct star_why *why)
{
    const struct star_grid *grid = search->grid;
    search->done = search->all = search->left_out = 0;
    for (int o = 0; o < STAR_OPERATIONS; o++)
        if (grid->operation[o])
            search->all += sizes_of(grid, o) * grid->communicators;
    int error = visit_grid(search, why), added = 0;
    if (error || search->done < search->all)
        return error;
    for (int o = 0; !error && o < STAR_OPERATIONS; o++) {
        int found = search->crossovers && grid->operation[o];
        star_ties_smooth(search->map, o, search->rules.precision);
        while (!error && found > 0) {
            found = narrow(search, o, &added, why);
            error = found < 0 ? found : 0;
        }
    }
    return error;
}
