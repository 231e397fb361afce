/* SPDX-License-Identifier: BSD-3-Clause */
#include "functions/history.h"
#include "tuner/candidates.h"
#include "tuner/tuner.h"
#include "util/fpenv.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

double star_history_most(double count, double mean, double deviation)
{
    STAR_FPENV_DEFAULT;
    return mean + fmin(deviation, mean / 2) / sqrt(count);
}

static bool is_better(const struct star_experience *a, const struct star_experience *b)
{
    bool is_long = a->count >= STAR_LONG_RUN;
    return is_long == (b->count >= STAR_LONG_RUN) ? star_history_most(a->count, a->mean, a->deviation) <
                                                        star_history_most(b->count, b->mean, b->deviation)
                                                  : is_long;
}

int star_history_winner(const struct star_past *past, int problem, double *mean)
{
    STAR_FPENV_DEFAULT;
    const struct star_experience *best = NULL;
    int functions = 0;
    for (int i = 0; i < past->count; i++) {
        const struct star_experience *e = &past->known[i];
        if (e->problem != problem)
            continue;
        functions++;
        if (best == NULL || is_better(e, best))
            best = e;
    }
    if (functions < 2)
        return -1;
    if (mean != NULL)
        *mean = best->mean;
    return best->function;
}

/* ------ The vote */

enum { NEAREST = 4 };
struct neighbor {
    int problem, winner;
    struct star_similar similar;
};

/* Sorted; of equals the one that stands first. */
static int find_nearest(const struct star_past *past, const struct star_similar *similar,
                        struct neighbor nearest[NEAREST])
{
    int found = 0;
    for (int p = 0; p < past->problems; p++) {
        double distance = similar[p].distance;
        int at = found < NEAREST ? found : NEAREST,
            winner = distance > STAR_HISTORY_FARTHEST ? -1 : star_history_winner(past, p, NULL);
        if (winner < 0)
            continue;
        while (at > 0 && nearest[at - 1].similar.distance > distance) {
            if (at < NEAREST)
                nearest[at] = nearest[at - 1];
            at--;
        }
        if (at == NEAREST)
            continue;
        nearest[at] = (struct neighbor){p, winner, similar[p]};
        found += found < NEAREST;
    }
    return found;
}

/* What the problem of NEIGHBOR knows, where no nearer one knew. */
static void foretell(const struct star_past *past, const struct neighbor *neighbor, int functions,
                     struct star_foretold *foretold)
{
    static const double uncertain = 0.25;
    double longer = fmax(neighbor->similar.growth, 1), distance = neighbor->similar.distance;
    for (int i = 0; i < past->count; i++) {
        const struct star_experience *e = &past->known[i];
        if (e->problem == neighbor->problem && e->function < functions && foretold[e->function].count <= 0)
            foretold[e->function] =
                (struct star_foretold){.count = e->count * exp2(-distance),
                                       .mean = longer * e->mean,
                                       .deviation = longer * (e->deviation + uncertain * distance * e->mean)};
    }
}

static double calls_of(const struct star_past *past, int problem, int function)
{
    for (int i = 0; i < past->count; i++)
        if (past->known[i].function == function && past->known[i].problem == problem)
            return past->known[i].count;
    return 0;
}

double star_history_ask(const struct star_past *past, const struct star_similar *similar, int functions,
                        struct star_foretold *foretold, int *best)
{
    STAR_FPENV_DEFAULT;
    struct neighbor nearest[NEAREST];
    double all = 0, most = 0, calls = 0;
    int found = find_nearest(past, similar, nearest);
    *best = -1;
    memset(foretold, 0, (size_t)functions * sizeof *foretold);
    for (int n = 0; n < found; n++) {
        int winner = nearest[n].winner;
        double votes = 0, seen = 0;
        foretell(past, &nearest[n], functions, foretold);
        all += exp2(-nearest[n].similar.distance);
        for (int m = 0; m < found; m++)
            if (nearest[m].winner == winner) {
                votes += exp2(-nearest[m].similar.distance);
                seen += calls_of(past, nearest[m].problem, winner);
            }
        if (winner < functions && votes > most) {
            *best = winner;
            most = votes;
            calls = seen;
        }
    }
    return *best < 0 ? 0 : most / all * exp2(-nearest[0].similar.distance / 2) * calls / (calls + 2);
}

/* ------ A distance of the program's */

double star_history_reach(const struct star_past *past, const struct star_winner *winner, int problem,
                          const double *distance, bool *wins)
{
    STAR_FPENV_DEFAULT;
    static const double window = 1.1;
    double reach = 0, end = INFINITY; /* END: where its winner fails first */
    if (winner[problem].function < 0)
        return 0;
    for (int p = 0; p < past->problems; p++)
        wins[p] = winner[p].function < 0; /* of one without a winner nobody knows */
    for (int i = 0; i < past->count; i++) {
        const struct star_experience *e = &past->known[i];
        if (e->function == winner[problem].function && e->mean <= window * winner[e->problem].mean)
            wins[e->problem] = true;
    }
    for (int p = 0; p < past->problems; p++)
        if (p != problem && distance[p] < end && !wins[p])
            end = distance[p];
    for (int p = 0; p < past->problems; p++)
        if (p != problem && distance[p] < end && distance[p] > reach)
            reach = distance[p];
    return reach;
}

double star_history_within(double distance, double reach)
{
    STAR_FPENV_DEFAULT;
    if (!isgreater(distance, 0)) /* it is the program's, and may be no number */
        return islessequal(distance, 0) ? 0 : INFINITY;
    return distance <= reach ? 2 * distance / reach : INFINITY;
}
