/* SPDX-License-Identifier: BSD-3-Clause */
#include "patterns/experience.h"
#include "patterns/history.h"
#include "patterns/patterns.h"
#include "runtime/agree.h"
#include "runtime/wisdom.h"
#include "util/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool star_experience_is_wanted(const struct star_choice *choice)
{
    return choice->tuner != NULL && choice->plain && choice->fnctset->pattern->problem != NULL &&
           star_wisdom_is_open();
}

/* Of ranks of another world the nodes are not known: 0. */
static int64_t nodes_of(const struct star_choice *choice)
{
    bool failed = false, known = true;
    int *rank = star_world_ranks(choice->private->comm, choice->size);
    for (int r = 0; rank != NULL && r < choice->size; r++)
        known = known && rank[r] != MPI_UNDEFINED;
    known = known && rank != NULL;
    free(rank);
    int *node = known ? star_nodes_of(choice->private->comm, choice->size, &failed) : NULL;
    int64_t count = known && !failed ? star_nodes_count(node, choice->size) : 0;
    free(node);
    return count;
}

/* ------ From earlier runs */

struct question {
    const struct star_choice *choice;
    struct star_problem problem;
    int64_t nodes;
    struct star_experience *known;
    int count, room;
};

static int function_of(const struct star_fnctset *set, const char *name)
{
    int i = 0;
    while (i < set->count && strcmp(set->functions[i]->name, name) != 0)
        i++;
    return i < set->count ? i : -1;
}

/* Without memory it is not known. */
static void add(struct question *question, const struct star_experience *experience)
{
    if (question->count == question->room) {
        int room = question->room ? 2 * question->room : 64;
        struct star_experience *grown = realloc(question->known, (size_t)room * sizeof *grown);
        if (grown == NULL)
            return;
        question->known = grown;
        question->room = room;
    }
    question->known[question->count++] = *experience;
}

/* Takes the facts of problems that are near enough. */
static void take(const struct star_fact *fact, void *context)
{
    struct question *question = context;
    const struct star_figures *figures = &fact->figures;
    struct star_experience experience = {
        .count = figures->count, .mean = figures->mean, .deviation = sqrt(figures->squares / figures->count)};
    if (fact->nodes != question->nodes || !(figures->mean > 0) ||
        star_problem_parse(fact->operation, &experience.problem, NULL) != 0 ||
        star_problem_distance(&experience.problem, &question->problem) > STAR_PROBLEM_FARTHEST)
        return;
    experience.function = function_of(question->choice->fnctset, fact->method);
    if (experience.function >= 0)
        add(question, &experience);
}

static double most_of(const struct star_foretold *foretold)
{
    return star_history_most(foretold->count, foretold->mean, foretold->deviation);
}

/* Those that would be faster than BEST, as problems say that have lost the vote, must not run instead. */
static void fill(struct star_recollections *list, const struct star_foretold *foretold, int count, int best)
{
    for (int i = 0; i < count; i++) {
        const struct star_foretold *known = &foretold[i];
        bool misleads =
            best >= 0 && known->count >= STAR_LONG_RUN && most_of(known) < most_of(&foretold[best]);
        if (known->count > 0 && !misleads)
            list->at[list->count++] = (struct star_recollection){
                .candidate = i, .count = known->count, .mean = known->mean, .deviation = known->deviation};
    }
}

/* On rank 0, whose problem stands for all. */
static void look_up(struct star_choice *choice, struct star_recollections *list)
{
    struct question question = {.choice = choice, .nodes = nodes_of(choice)};
    struct star_foretold foretold[STAR_CANDIDATES_MAX];
    if (question.nodes == 0 || choice->count > STAR_CANDIDATES_MAX ||
        star_problem_parse(choice->problem, &question.problem, NULL) != 0)
        return;
    star_wisdom_each(take, &question);
    list->confidence = star_history_ask(question.known, question.count, &question.problem, choice->count,
                                        foretold, &choice->foretold);
    fill(list, foretold, choice->count, choice->foretold);
    free(question.known);
}

/* What it takes is the price of tuning, as agreeing is. */
void star_experience_recall(struct star_choice *choice)
{
    struct star_recollections list;
    int64_t begin = star_now();
    memset(&list, 0, sizeof list);
    if (choice->rank == 0)
        look_up(choice, &list);
    if (star_agree_recollections(choice->private->comm, &list))
        star_choice_recall(choice, list.at, (int)list.count, list.confidence);
    choice->agreement_nanoseconds += star_now() - begin;
}

/* ------ For later ones */

/* How many functions were faster than number I. */
static int faster(const struct star_figures *seen, int count, int i)
{
    int found = 0;
    for (int j = 0; j < count; j++)
        found += seen[j].mean > 0 && seen[j].mean < seen[i].mean;
    return found;
}

/* A run begins with the newest facts alone, which those of one exchange must not crowd out: told are the
 * fastest, and those that have run as the chosen one, so that a wrong memory of them is put right. */
static void tell(const struct star_choice *choice, const struct star_figures *seen, struct star_fact *fact)
{
    enum { FASTEST = 16 };
    for (int i = 0; i < choice->count; i++) {
        if (!(seen[i].mean > 0) ||
            (choice->tally[i].watched_runs == 0 && faster(seen, choice->count, i) >= FASTEST))
            continue;
        snprintf(fact->method, sizeof fact->method, "%s", choice->fnctset->functions[i]->name);
        fact->figures = seen[i];
        star_wisdom_learn(fact);
    }
}

void star_experience_keep(const struct star_choice *choice)
{
    struct star_fact fact = {.ranks = choice->size, .bytes = -1, .commutative = true};
    if (choice->rank != 0 || choice->problem[0] == 0 || choice->overlapped ||
        !star_experience_is_wanted(choice))
        return;
    struct star_figures *seen = calloc((size_t)choice->count, sizeof *seen);
    fact.nodes = nodes_of(choice);
    snprintf(fact.operation, sizeof fact.operation, "%s", choice->problem);
    for (int i = 0; seen != NULL && i < choice->count; i++) {
        const struct star_choice_tally *tally = &choice->tally[i];
        int count;
        const double *samples = star_choice_samples(choice, i, &count);
        star_wisdom_figures(samples, count, tally->watched, tally->watched_runs, &seen[i]);
    }
    if (seen != NULL && fact.nodes > 0)
        tell(choice, seen, &fact);
    free(seen);
}
