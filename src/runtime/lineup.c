/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/lineup.h"
#include "algorithms/forecast.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "runtime/runners.h"
#include "runtime/session.h"
#include "util/fpenv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct star_shape shape_of(const struct star_communicator *state, enum star_operation operation,
                                  const struct star_facts *facts)
{
    struct star_shape shape = star_shape_for(state, operation, facts);
    shape.shares = false; /* it would have to wait for others */
    return shape;
}

/* Barriers would wait, and other messages between rounds cost more than they save where a plan goes on only
 * now and then. */
static bool has_sync(const struct star_method *method)
{
    for (int i = 0; i < STAR_KNOBS_MAX && method->algorithm->knobs[i].name != NULL; i++)
        if (method->algorithm->knobs[i].is_sync && method->knob[i] != 0)
            return true;
    return false;
}

static bool runs(const struct star_method *method, bool asked_for)
{
    return method->algorithm->build != NULL && method->algorithm->mockup == STAR_MOCKUP_NONE &&
           (asked_for || !has_sync(method));
}

/* So many of its algorithm stand before it in the list. */
static int place_of(const struct star_methods *all, int method)
{
    int before = 0;
    for (int i = 0; i < method; i++)
        before += all->at[i].algorithm == all->at[method].algorithm;
    return before;
}

/* Native, and those of ALL that can run so: first one of each algorithm, then the second ones, so that what
 * there is time to foresee differs. */
static int select_from(const struct star_methods *all, enum star_operation operation, bool asked_for,
                       struct star_methods *found)
{
    char name[STAR_METHOD_TEXT];
    *found = (struct star_methods){.at = malloc((size_t)(all->count + 1) * sizeof *found->at), .count = 1};
    snprintf(name, sizeof name, "%s:native", star_operations[operation].name);
    if (found->at == NULL || star_method_parse(name, &found->at[0], NULL) != 0)
        return STAR_EMEMORY;
    for (int place = 0, left = all->count; left > 0; place++)
        for (int i = 0; i < all->count; i++)
            if (place_of(all, i) == place) {
                left--;
                if (runs(&all->at[i], asked_for))
                    found->at[found->count++] = all->at[i];
            }
    return 0;
}

int star_lineup_find(const struct star_communicator *state, enum star_operation operation,
                     const struct star_facts *facts, struct star_methods *found)
{
    STAR_FPENV_DEFAULT;
    int *groups;
    struct star_methods all;
    const struct star_shape shape = shape_of(state, operation, facts);
    bool forced = star_methods_first(&star_runtime.force, operation) != NULL;
    int error = star_candidates(forced ? &star_runtime.force : &star_runtime.only, operation, &shape,
                                facts->bytes, false, &all, &groups);
    if (error != 0)
        return error;
    bool asked_for = forced || star_methods_first(&star_runtime.only, operation) != NULL;
    error = select_from(&all, operation, asked_for, found);
    star_methods_free(&all);
    free(groups);
    return error;
}

/* The model knows no lengths that differ, but how the operation does with equal ones. */
static enum star_operation twin_of(enum star_operation operation)
{
    return operation == STAR_ALLGATHERV       ? STAR_ALLGATHER
           : operation == STAR_REDUCE_SCATTER ? STAR_REDUCE_SCATTER_BLOCK
                                              : operation;
}

static int64_t bytes_of_twin(const struct star_communicator *state, enum star_operation operation,
                             const struct star_facts *facts)
{
    int64_t each = twin_of(operation) == operation ? facts->bytes : facts->bytes / state->size;
    return each > facts->granule ? each / facts->granule * facts->granule : facts->granule;
}

/* In a list of another operation. −1: it has none of that name. */
static int find_name(const struct star_methods *found, const struct star_method *method)
{
    for (int i = 0; i < found->count; i++)
        if (strcmp(found->at[i].algorithm->name, method->algorithm->name) == 0 &&
            memcmp(found->at[i].knob, method->knob, sizeof method->knob) == 0)
            return i;
    return -1;
}

static void foresee(const struct star_communicator *state, enum star_operation operation,
                    const struct star_facts *facts, const struct star_methods *found, double patience,
                    struct star_prospect *each)
{
    enum star_operation twin = twin_of(operation);
    struct star_facts equal = *facts;
    struct star_methods others = *found;
    equal.bytes = bytes_of_twin(state, operation, facts);
    for (int i = 0; i < found->count; i++)
        each[i] = STAR_NO_PROSPECT;
    if (twin != operation && star_lineup_find(state, twin, &equal, &others) != 0)
        return;
    const struct star_shape shape = shape_of(state, twin, &equal);
    const struct star_forecast_terms terms = {.parameters = star_runtime.assumed,
                                              .temp_limit = star_runtime.settings.memory,
                                              .patience = patience,
                                              .parts = true};
    struct star_prospect *known = malloc((size_t)others.count * sizeof *known);
    for (int i = 0; known != NULL && i < others.count; i++)
        known[i] = STAR_NO_PROSPECT;
    if (known != NULL)
        star_forecast(&others, &shape, &terms, known);
    for (int i = 0; known != NULL && i < found->count; i++) {
        int at = find_name(&others, &found->at[i]);
        if (at >= 0)
            each[i] = known[at];
    }
    free(known);
    if (twin != operation)
        star_methods_free(&others);
}

/* On one ideal switch; on two with half of the machines on either, the first half on one, or every other.
 * Where the network is known there is one view. SLOWER: its links are, than those that are assumed. */
enum { VIEWS = 3 };
struct view {
    int which;
    double slower;
};
static double seen(const struct star_prospect *prospect, struct view view)
{
    double link = prospect->link,
           links[VIEWS] = {link, fmax(link, prospect->halves), fmax(link, prospect->turns)};
    return prospect->halves == STAR_UNKNOWN_SECONDS ? prospect->seconds
                                                    : prospect->latency + view.slower * links[view.which];
}

/* If a call of native takes so long, with an algorithm that is as good as any. */
static double slower(const struct star_prospect *each, int count, double seconds)
{
    static const double most = 1000;
    double least = INFINITY;
    for (int i = 1; i < count; i++)
        if (each[i].seconds != STAR_UNKNOWN_SECONDS && each[i].link > 0)
            least = fmin(least, each[i].link);
    return fmin(most, fmax(1, seconds / least));
}

static bool is_listed(const struct star_methods *found, const int64_t *order, int count, int candidate)
{
    for (int i = 1; i < count; i++)
        if (found->at[order[i]].algorithm == found->at[candidate].algorithm)
            return true;
    return false;
}

/* The fastest of those that are not listed; −1: there is none of which anything is foreseen. */
static int fastest(const struct star_methods *found, const struct star_prospect *each, struct view view,
                   const int64_t *order, int count)
{
    int best = -1;
    for (int i = 1; i < found->count; i++)
        if (each[i].seconds != STAR_UNKNOWN_SECONDS && !is_listed(found, order, count, i) &&
            (best < 0 || seen(&each[i], view) < seen(&each[best], view)))
            best = i;
    return best;
}

int star_lineup_order(const struct star_communicator *state, enum star_operation operation,
                      const struct star_facts *facts, const struct star_methods *found,
                      const struct star_lineup_terms *terms, int64_t *order)
{
    STAR_FPENV_DEFAULT;
    int listed = 1;
    struct star_prospect *each = malloc((size_t)found->count * sizeof *each);
    order[0] = 0;
    if (each != NULL) {
        foresee(state, operation, facts, found, terms->patience, each);
        struct view view = {.slower = slower(each, found->count, terms->seconds)};
        for (int next = 0; next >= 0 && listed < terms->count;) {
            view.which = listed % VIEWS;
            next = fastest(found, each, view, order, listed);
            if (next >= 0)
                order[listed++] = next;
        }
    }
    for (int i = 1; i < found->count && listed < terms->count; i++)
        if (!is_listed(found, order, listed, i))
            order[listed++] = i;
    free(each);
    return listed;
}
