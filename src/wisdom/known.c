/* SPDX-License-Identifier: BSD-3-Clause */
#include "wisdom/known.h"
#include "util/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct known_method {
    char name[STAR_FACT_METHOD];
    struct star_figures figures;
};

struct star_known_point {
    char operation[STAR_FACT_OPERATION];
    int64_t ranks, nodes, bytes;
    bool commutative, in_place;
    struct known_method *method;
    size_t methods;
};

static bool is_of(const struct star_known_point *point, const struct star_fact *fact)
{
    return point->bytes == fact->bytes && point->ranks == fact->ranks && point->nodes == fact->nodes &&
           point->commutative == fact->commutative && point->in_place == fact->in_place &&
           strcmp(point->operation, fact->operation) == 0;
}

static struct star_known_point *find(const struct star_known *known, const struct star_fact *fact)
{
    for (size_t i = known->points; i-- > 0;) /* facts of one point come one behind the other */
        if (is_of(&known->point[i], fact))
            return &known->point[i];
    return NULL;
}

static struct known_method *find_method(const struct star_known_point *point, const char *name)
{
    for (size_t i = 0; i < point->methods; i++)
        if (strcmp(point->method[i].name, name) == 0)
            return &point->method[i];
    return NULL;
}

static struct star_known_point *add_point(struct star_known *known, const struct star_fact *fact)
{
    struct star_known_point *points = star_grown(known->point, known->points, sizeof *points);
    if (points == NULL)
        return NULL;
    known->point = points;
    struct star_known_point *point = &points[known->points++];
    *point = (struct star_known_point){.ranks = fact->ranks,
                                       .nodes = fact->nodes,
                                       .bytes = fact->bytes,
                                       .commutative = fact->commutative,
                                       .in_place = fact->in_place};
    memcpy(point->operation, fact->operation, sizeof point->operation);
    return point;
}

int star_known_add(const struct star_fact *fact, void *context)
{
    struct star_known *known = context;
    struct star_known_point *point = find(known, fact);
    struct known_method *method = point ? find_method(point, fact->method) : NULL;
    if (method != NULL) {
        method->figures = star_figures_add(method->figures, fact->figures);
        return 0;
    }
    if (known->facts == STAR_KNOWN_MOST)
        return 0;
    if (point == NULL)
        point = add_point(known, fact);
    if (point == NULL)
        return STAR_EMEMORY;
    method = star_grown(point->method, point->methods, sizeof *method);
    if (method == NULL)
        return STAR_EMEMORY;
    point->method = method;
    method += point->methods++;
    memcpy(method->name, fact->method, sizeof method->name);
    method->figures = star_figures_limit(fact->figures, STAR_FACT_MOST);
    known->facts++;
    return 0;
}

void star_known_forget(struct star_known *known, const struct star_fact *fact)
{
    struct star_known_point *point = find(known, fact);
    if (point == NULL)
        return;
    known->facts -= point->methods;
    free(point->method);
    point->method = NULL;
    point->methods = 0; /* it stays, without methods: no point moves */
}

void star_known_each(const struct star_known *known,
                     void (*visit)(const struct star_fact *fact, void *context), void *context)
{
    for (size_t i = 0; i < known->points; i++) {
        const struct star_known_point *point = &known->point[i];
        struct star_fact fact = {.ranks = point->ranks,
                                 .nodes = point->nodes,
                                 .bytes = point->bytes,
                                 .commutative = point->commutative,
                                 .in_place = point->in_place};
        memcpy(fact.operation, point->operation, sizeof fact.operation);
        for (size_t m = 0; m < point->methods; m++) {
            memcpy(fact.method, point->method[m].name, sizeof fact.method);
            fact.figures = point->method[m].figures;
            visit(&fact, context);
        }
    }
}

void star_known_free(struct star_known *known)
{
    for (size_t i = 0; i < known->points; i++)
        free(known->point[i].method);
    free(known->point);
    *known = (struct star_known){0};
}

static double share_of(const struct star_expected *expected, int count)
{
    int some = 0;
    for (int i = 0; i < count; i++)
        some += expected[i].count > 0;
    return (double)some / count;
}

/* −1: nothing is known of any. */
static int least_of(const struct star_expected *expected, int count)
{
    int least = -1;
    for (int i = 0; i < count; i++)
        if (expected[i].count > 0 && (least < 0 || expected[i].mean < expected[least].mean))
            least = i;
    return least;
}

static void look_up(const struct star_known_point *point, const char *const *methods, int count,
                    struct star_expected *expected)
{
    for (int i = 0; i < count; i++) {
        const struct known_method *method = find_method(point, methods[i]);
        expected[i] = (struct star_expected){0};
        if (method != NULL && method->figures.mean > 0)
            expected[i] =
                (struct star_expected){.count = method->figures.count,
                                       .mean = method->figures.mean,
                                       .deviation = sqrt(method->figures.squares / method->figures.count)};
    }
}

/* Nothing counts as half a byte. */
static double log_bytes(int64_t bytes)
{
    return bytes > 0 ? log2((double)bytes) : -1;
}

/* How far in factors of 2; infinitely where one says nothing of the other. */
static double distance(const struct star_known_point *point, const struct star_fact *fact)
{
    if (point->methods == 0 || point->commutative != fact->commutative || point->in_place != fact->in_place ||
        (point->bytes < 0) != (fact->bytes < 0) || (point->nodes > 1) != (fact->nodes > 1) ||
        strcmp(point->operation, fact->operation) != 0)
        return INFINITY;
    return fabs(log_bytes(point->bytes) - log_bytes(fact->bytes)) +
           fabs(log2((double)point->ranks / (double)fact->ranks)) +
           fabs(log2((double)point->nodes / (double)fact->nodes));
}

enum { NEIGHBOURS = 4 };
struct neighbour {
    const struct star_known_point *point;
    double distance, weight;
    double log_best; /* of the fastest of the methods there, in seconds */
    int best;        /* which is this one */
};

/* The nearest points where one of the methods is known, the nearest first; returns how many. */
static int find_neighbours(const struct star_known *known, const struct star_fact *fact,
                           struct neighbour *near)
{
    static const double farthest = 4;
    int found = 0;
    for (size_t i = 0; i < known->points; i++) {
        double apart = distance(&known->point[i], fact);
        if (apart > farthest || (found == NEIGHBOURS && apart >= near[found - 1].distance))
            continue;
        int at = found < NEIGHBOURS ? found++ : found - 1;
        for (; at > 0 && near[at - 1].distance > apart; at--)
            near[at] = near[at - 1];
        near[at] = (struct neighbour){.point = &known->point[i], .distance = apart, .weight = exp2(-apart)};
    }
    return found;
}

/* The logarithm of the best method's time at LOG_BYTES: a straight line through the neighbours' where they
 * are of several sizes (*GROWTH_IS_KNOWN), else their mean. Twice the bytes take no less, and no more than
 * four times as long: between sizes that are close the line says nothing but noise. */
static double expect_best(const struct neighbour *near, int neighbours, double at, bool *growth_is_known)
{
    double weight = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (int i = 0; i < neighbours; i++) {
        weight += near[i].weight;
        x += near[i].weight * log_bytes(near[i].point->bytes);
        y += near[i].weight * near[i].log_best;
    }
    x /= weight, y /= weight;
    for (int i = 0; i < neighbours; i++) {
        double apart = log_bytes(near[i].point->bytes) - x;
        xx += near[i].weight * apart * apart;
        xy += near[i].weight * apart * (near[i].log_best - y);
    }
    static const double apart_enough = 0.25, growth_most = 2 * M_LN2; /* deviation; logarithms */
    *growth_is_known = xx / weight >= apart_enough * apart_enough;
    return *growth_is_known ? y + fmin(fmax(xy / xx, 0), growth_most) * (at - x) : y;
}

/* What METHOD takes at the neighbours, over the best there: the mean of logarithms, and their deviation. */
static bool compare(const struct neighbour *near, int neighbours, const char *method, double *mean,
                    double *deviation)
{
    double weight = 0, sum = 0, squares = 0;
    for (int i = 0; i < neighbours; i++) {
        const struct known_method *seen = find_method(near[i].point, method);
        if (seen == NULL || !(seen->figures.mean > 0))
            continue;
        double slower = log(seen->figures.mean) - near[i].log_best;
        weight += near[i].weight;
        sum += near[i].weight * slower;
        squares += near[i].weight * slower * slower;
    }
    *mean = sum / weight;
    *deviation = sqrt(fmax(squares / weight - *mean * *mean, 0));
    return weight > 0;
}

/* Finds the best of METHODS at each neighbour, and leaves those out where none is known. */
static int judge(struct neighbour *near, int neighbours, const char *const *methods, int count,
                 struct star_expected *there)
{
    int kept = 0;
    for (int i = 0; i < neighbours; i++) {
        look_up(near[i].point, methods, count, there);
        near[i].best = least_of(there, count);
        if (near[i].best < 0)
            continue;
        near[i].log_best = log(there[near[i].best].mean);
        near[kept++] = near[i];
    }
    return kept;
}

static double guess(const struct star_known *known, const struct star_fact *point, const char *const *methods,
                    int count, struct star_expected *expected)
{
    /* As if a method had been seen so often here, which is enough for the tuner, and times varied so much. */
    static const double as_often = 16, uncertain = 0.25;
    struct neighbour near[NEIGHBOURS];
    int neighbours = find_neighbours(known, point, near);
    neighbours = judge(near, neighbours, methods, count, expected);
    for (int i = 0; i < count; i++)
        expected[i] = (struct star_expected){0};
    if (neighbours == 0)
        return 0;
    bool growth_is_known;
    double best = expect_best(near, neighbours, log_bytes(point->bytes), &growth_is_known);
    for (int i = 0; i < count; i++) {
        double slower, deviation;
        if (!compare(near, neighbours, methods[i], &slower, &deviation))
            continue;
        double mean = exp(best + slower);
        expected[i] = (struct star_expected){as_often, mean, mean * (uncertain + deviation)};
    }
    int least = least_of(expected, count);
    double votes = 0, all = 0, share = share_of(expected, count);
    for (int i = 0; i < neighbours; i++) {
        all += near[i].weight;
        votes += near[i].best == least ? near[i].weight : 0;
    }
    bool is_same_size = near[0].point->bytes == point->bytes;
    return share * share * votes / all * exp2(-near[0].distance / 2) *
           (growth_is_known || is_same_size ? 1 : 0.5);
}

double star_known_ask(const struct star_known *known, const struct star_fact *point,
                      const char *const *methods, int count, struct star_expected *expected)
{
    static const double doubt = 2;
    const struct star_known_point *exact = find(known, point);
    if (exact == NULL || exact->methods == 0)
        return guess(known, point, methods, count, expected);
    look_up(exact, methods, count, expected);
    int best = least_of(expected, count);
    if (best < 0)
        return 0;
    double share = share_of(expected, count);
    return share * share * expected[best].count / (expected[best].count + doubt);
}
