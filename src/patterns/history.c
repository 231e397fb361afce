/* SPDX-License-Identifier: BSD-3-Clause */
#include "patterns/history.h"
#include "tuner/tuner.h"
#include "util/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char prefix[] = "neighborhood:";

/* "66x34" */
static void add_numbers(struct star_text *text, const int *number, int count)
{
    for (int d = 0; d < count; d++)
        star_text_add(text, "%s%d", d ? "x" : "", number[d]);
}

bool star_problem_format(const struct star_problem *problem, char *text, size_t room)
{
    struct star_text made = {0};
    star_text_add(&made, "%s", prefix);
    add_numbers(&made, problem->points, problem->dimensions);
    star_text_add(&made, "/%d/%d/", problem->width, problem->point_bytes);
    add_numbers(&made, problem->grid, problem->dimensions);
    star_text_add(&made, "/%d/%d", problem->pairs, (int)problem->ways);
    bool fits = !made.failed && made.length < room;
    if (fits)
        memcpy(text, made.bytes, made.length + 1);
    star_text_free(&made);
    return fits;
}

/* Reads numbers of 1 or more with an 'x' between them; how many, or −1. *TEXT moves behind them. */
static int read_numbers(const char **text, int number[STAR_HALO_DIMENSIONS])
{
    int count = 0, length;
    do {
        if (count == STAR_HALO_DIMENSIONS || sscanf(*text, "%9d%n", &number[count], &length) != 1 ||
            number[count] < 1)
            return -1;
        *text += length;
        count++;
    } while (**text == 'x' && *++*text != 0);
    return count;
}

int star_problem_parse(const char *text, struct star_problem *problem, struct star_why *why)
{
    bool named = strncmp(text, prefix, sizeof prefix - 1) == 0;
    const char *at = named ? text + sizeof prefix - 1 : text;
    int length = 0, ways = 0;
    *problem = (struct star_problem){0};
    if (named)
        problem->dimensions = read_numbers(&at, problem->points);
    if (problem->dimensions > 0)
        sscanf(at, "/%9d/%9d/%n", &problem->width, &problem->point_bytes, &length);
    int grid = -1;
    if (length > 0) {
        at += length;
        grid = read_numbers(&at, problem->grid);
    }
    length = 0;
    if (grid > 0)
        sscanf(at, "/%9d/%9d%n", &problem->pairs, &ways, &length);
    problem->ways = (enum star_ways)ways;
    bool right = length > 0 && at[length] == 0 && grid == problem->dimensions && problem->width > 0 &&
                 problem->point_bytes > 0 && problem->pairs > 0 &&
                 problem->pairs <= star_halo_pairs(grid, true) && ways >= STAR_BOTH_WAYS &&
                 ways <= STAR_RIGHT_TO_LEFT;
    return right ? 0
                 : star_because(why, STAR_EINPUT, "'%.60s' is no problem of a neighbourhood exchange", text);
}

/* Bytes that move through the faces of dimension D. */
static double face_bytes(const struct star_problem *problem, int d)
{
    double bytes = (double)problem->width * problem->point_bytes;
    for (int e = 0; e < problem->dimensions; e++)
        bytes *= e == d ? 1 : fmax(1, problem->points[e] - 2 * problem->width);
    return bytes;
}

static double piece_bytes(const struct star_problem *problem)
{
    return (double)problem->points[problem->dimensions - 1] * problem->point_bytes;
}

static double factors(double a, double b)
{
    return fabs(log2(a / b));
}

double star_problem_distance(const struct star_problem *a, const struct star_problem *b)
{
    if (a->dimensions != b->dimensions || a->pairs != b->pairs || a->ways != b->ways)
        return INFINITY;
    double distance = factors(piece_bytes(a), piece_bytes(b)) / 2;
    for (int d = 0; d < a->dimensions; d++)
        distance +=
            (factors(face_bytes(a, d), face_bytes(b, d)) + factors(a->grid[d], b->grid[d])) / a->dimensions;
    return distance;
}

/* The nearest problems, of which experience FIRST is the first. */
enum { NEAREST = 4 };
struct neighbor {
    int first;
    double distance;
};
struct question {
    const struct star_experience *known;
    int count;
    const struct star_problem *problem;
};

static bool is_same(const struct star_problem *a, const struct star_problem *b)
{
    return memcmp(a->points, b->points, sizeof a->points) == 0 &&
           memcmp(a->grid, b->grid, sizeof a->grid) == 0 && a->dimensions == b->dimensions &&
           a->width == b->width && a->point_bytes == b->point_bytes && a->pairs == b->pairs &&
           a->ways == b->ways;
}

double star_history_most(double count, double mean, double deviation)
{
    return mean + fmin(deviation, mean / 2) / sqrt(count);
}

static bool is_better(const struct star_experience *a, const struct star_experience *b)
{
    bool is_long = a->count >= STAR_LONG_RUN;
    return is_long == (b->count >= STAR_LONG_RUN) ? star_history_most(a->count, a->mean, a->deviation) <
                                                        star_history_most(b->count, b->mean, b->deviation)
                                                  : is_long;
}

/* The function that was the fastest where experience FIRST was made, which is the first of its problem; −1:
 * it is not, or only one function is known there. */
static int winner_of(const struct question *q, int first)
{
    const struct star_problem *problem = &q->known[first].problem;
    int best = first, functions = 0;
    for (int i = 0; i < q->count; i++) {
        if (!is_same(&q->known[i].problem, problem))
            continue;
        if (i < first)
            return -1;
        functions++;
        if (is_better(&q->known[i], &q->known[best]))
            best = i;
    }
    return functions > 1 ? q->known[best].function : -1;
}

/* Sorted; of equals the one that stands first. */
static int find_nearest(const struct question *q, struct neighbor nearest[NEAREST])
{
    int found = 0;
    for (int i = 0; i < q->count; i++) {
        double distance = star_problem_distance(&q->known[i].problem, q->problem);
        int at = found < NEAREST ? found : NEAREST;
        if (distance > STAR_PROBLEM_FARTHEST || winner_of(q, i) < 0)
            continue;
        while (at > 0 && nearest[at - 1].distance > distance) {
            if (at < NEAREST)
                nearest[at] = nearest[at - 1];
            at--;
        }
        if (at == NEAREST)
            continue;
        nearest[at] = (struct neighbor){i, distance};
        found += found < NEAREST;
    }
    return found;
}

/* How many times as many bytes move through the faces here as THERE. */
static double growth(const struct star_problem *here, const struct star_problem *there)
{
    double now = 0, then = 0;
    for (int d = 0; d < here->dimensions; d++) {
        now += face_bytes(here, d);
        then += face_bytes(there, d);
    }
    return now / then;
}

/* What the problem of NEIGHBOR knows, where no nearer one knew. */
static void foretell(const struct question *q, const struct neighbor *neighbor, int functions,
                     struct star_foretold *foretold)
{
    static const double uncertain = 0.25;
    const struct star_problem *there = &q->known[neighbor->first].problem;
    double longer = fmax(growth(q->problem, there), 1);
    for (int i = neighbor->first; i < q->count; i++) {
        const struct star_experience *e = &q->known[i];
        if (e->function < functions && foretold[e->function].count <= 0 && is_same(&e->problem, there))
            foretold[e->function] = (struct star_foretold){
                .count = e->count * exp2(-neighbor->distance),
                .mean = longer * e->mean,
                .deviation = longer * (e->deviation + uncertain * neighbor->distance * e->mean)};
    }
}

static double calls_of(const struct question *q, int first, int function)
{
    for (int i = first; i < q->count; i++)
        if (q->known[i].function == function && is_same(&q->known[i].problem, &q->known[first].problem))
            return q->known[i].count;
    return 0;
}

double star_history_ask(const struct star_experience *known, int count, const struct star_problem *problem,
                        int functions, struct star_foretold *foretold, int *best)
{
    struct question q = {known, count, problem};
    struct neighbor nearest[NEAREST];
    double all = 0, most = 0, calls = 0;
    int found = find_nearest(&q, nearest);
    *best = -1;
    memset(foretold, 0, (size_t)functions * sizeof *foretold);
    for (int n = 0; n < found; n++) {
        int winner = winner_of(&q, nearest[n].first);
        double votes = 0, seen = 0;
        foretell(&q, &nearest[n], functions, foretold);
        all += exp2(-nearest[n].distance);
        for (int m = 0; m < found; m++)
            if (winner_of(&q, nearest[m].first) == winner) {
                votes += exp2(-nearest[m].distance);
                seen += calls_of(&q, nearest[m].first, winner);
            }
        if (winner < functions && votes > most) {
            *best = winner;
            most = votes;
            calls = seen;
        }
    }
    return *best < 0 ? 0 : most / all * exp2(-nearest[0].distance / 2) * calls / (calls + 2);
}
