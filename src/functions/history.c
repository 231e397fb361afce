/* SPDX-License-Identifier: BSD-3-Clause */
#include "functions/history.h"
#include "tuner/candidates.h"
#include "util/fpenv.h"
#include "util/grow.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------ Names */

static bool has_twin(const struct star_names *names, int i)
{
    for (int j = 0; j < names->count; j++)
        if (j != i && strcmp(names->of(names->set, j), names->of(names->set, i)) == 0)
            return true;
    return false;
}

/* A program's may have line ends. */
static char shown(char c)
{
    return iscntrl((unsigned char)c) ? '?' : c; /* 0, too */
}

void star_history_name(const struct star_names *names, int i, char name[STAR_FACT_METHOD])
{
    const char *own = names->of(names->set, i);
    if (*own == 0)
        own = "?";
    if (has_twin(names, i))
        snprintf(name, STAR_FACT_METHOD, "%s #%d", own, i);
    else
        snprintf(name, STAR_FACT_METHOD, "%s", own);
    for (; *name != 0; name++)
        *name = shown(*name);
}

static int function_of(const struct star_names *names, const char *method)
{
    for (int i = 0; i < names->count; i++) {
        char name[STAR_FACT_METHOD];
        if (shown(names->of(names->set, i)[0]) != method[0]) /* most are not it */
            continue;
        star_history_name(names, i, name);
        if (strcmp(name, method) == 0)
            return i;
    }
    return -1;
}

/* ------ Of one problem */

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

/* ------ From facts to recollections */

/* Its number; −1: no memory. Facts of one problem come one behind the other. */
static int problem_of(struct star_inquiry *inquiry, const char *word)
{
    struct star_past *past = &inquiry->past;
    for (int p = past->problems; p-- > 0;)
        if (strcmp(inquiry->problems[p].word, word) == 0)
            return p;
    struct star_past_problem *problems =
        star_grown(inquiry->problems, (size_t)past->problems, sizeof *problems);
    if (problems == NULL)
        return -1;
    past->problem = inquiry->problems = problems;
    snprintf(problems[past->problems].word, sizeof problems->word, "%s", word);
    return past->problems++;
}

/* All of the word in front of its last colon says what kind of problem it is. */
static bool is_of_kind(const char *word, const char *problem)
{
    return strncmp(word, problem, (size_t)(strrchr(problem, ':') + 1 - problem)) == 0;
}

void star_history_take(const struct star_fact *fact, void *inquiry)
{
    struct star_inquiry *asked = inquiry;
    struct star_past *past = &asked->past;
    const struct star_figures *figures = &fact->figures;
    if (fact->nodes != asked->nodes || !(figures->mean > 0) || !is_of_kind(fact->operation, asked->problem))
        return;
    int function = function_of(&asked->names, fact->method),
        problem = function < 0 ? -1 : problem_of(asked, fact->operation);
    struct star_experience *known =
        problem < 0 ? NULL : star_grown(asked->known, (size_t)past->count, sizeof *known);
    if (known == NULL)
        return;
    past->known = asked->known = known;
    known[past->count++] = (struct star_experience){.problem = problem,
                                                    .function = function,
                                                    .count = figures->count,
                                                    .mean = figures->mean,
                                                    .deviation = sqrt(figures->squares / figures->count)};
}

static double most_of(const struct star_foretold *foretold)
{
    return star_history_most(foretold->count, foretold->mean, foretold->deviation);
}

/* Those that would be faster than BEST, as problems say that have lost the vote, must not run instead. */
static int64_t list_foretold(const struct star_foretold *foretold, int count, int best,
                             struct star_recollection *list)
{
    STAR_FPENV_DEFAULT;
    int64_t length = 0;
    for (int i = 0; i < count; i++) {
        const struct star_foretold *known = &foretold[i];
        bool misleads =
            best >= 0 && known->count >= STAR_LONG_RUN && most_of(known) < most_of(&foretold[best]);
        if (known->count > 0 && !misleads)
            list[length++] = (struct star_recollection){
                .candidate = i, .count = known->count, .mean = known->mean, .deviation = known->deviation};
    }
    return length;
}

double star_history_recall(struct star_inquiry *inquiry, star_weigher *weigh, const void *context,
                           struct star_recollection *list, int64_t *count, int *best)
{
    struct star_foretold foretold[STAR_CANDIDATES_MAX];
    double confidence = 0;
    int problems = inquiry->past.problems, functions = inquiry->names.count;
    struct star_similar *similar = problems > 0 ? calloc((size_t)problems, sizeof *similar) : NULL;
    *count = 0;
    *best = -1;
    if (similar != NULL && weigh(inquiry->problem, &inquiry->past, similar, context)) {
        confidence = star_history_ask(&inquiry->past, similar, functions, foretold, best);
        *count = list_foretold(foretold, functions, *best, list);
    }
    free(similar);
    free(inquiry->problems);
    free(inquiry->known);
    return confidence;
}

/* A run begins with the newest facts alone, which those of one exchange must not crowd out: told are the
 * fastest, and those that have run as the chosen one, so that a wrong memory of them is put right. */
bool star_history_tells(const struct star_figures *seen, int count, int i, bool chosen)
{
    enum { FASTEST = 16 };
    int faster = 0;
    for (int j = 0; j < count; j++)
        faster += seen[j].mean > 0 && seen[j].mean < seen[i].mean;
    return seen[i].mean > 0 && (chosen || faster < FASTEST);
}

/* ------ A distance of the program's */

bool star_history_is_good(double mean, double best)
{
    STAR_FPENV_DEFAULT;
    return mean <= (1 + STAR_HISTORY_WINDOW / 100.0) * best;
}

double star_history_reach(const struct star_past *past, const struct star_winner *winner, int problem,
                          const double *distance, bool *wins)
{
    STAR_FPENV_DEFAULT;
    double reach = 0, end = INFINITY; /* END: where its winner fails first */
    if (winner[problem].function < 0)
        return 0;
    for (int p = 0; p < past->problems; p++)
        wins[p] = winner[p].function < 0; /* of one without a winner nobody knows */
    for (int i = 0; i < past->count; i++) {
        const struct star_experience *e = &past->known[i];
        if (e->function == winner[problem].function && star_history_is_good(e->mean, winner[e->problem].mean))
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
