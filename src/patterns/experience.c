/* SPDX-License-Identifier: BSD-3-Clause */
#include "patterns/experience.h"
#include "functions/history.h"
#include "patterns/choice.h"
#include "patterns/hist.h"
#include "patterns/patterns.h"
#include "runtime/agree.h"
#include "runtime/nodes.h"
#include "runtime/ranks.h"
#include "runtime/wisdom.h"
#include "subject/figures.h"
#include "tuner/candidates.h"
#include "util/clock.h"
#include "util/fpenv.h"
#include "util/grow.h"
#include "wisdom/fact.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool star_experience_is_open(const struct star_choice *choice)
{
    return choice->subject.tuner != NULL && choice->plain && choice->problem[0] != 0 && star_wisdom_is_open();
}

/* Of ranks of another world the nodes are not known: 0. */
int64_t star_experience_nodes(const struct star_choice *choice)
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

static bool has_twin(const struct star_fnctset *set, int i)
{
    for (int j = 0; j < set->count; j++)
        if (j != i && strcmp(set->functions[j]->name, set->functions[i]->name) == 0)
            return true;
    return false;
}

/* A program's may have line ends. */
static char shown(char c)
{
    return iscntrl((unsigned char)c) ? '?' : c; /* 0, too */
}

void star_experience_name(const struct star_fnctset *set, int i, char name[STAR_FACT_METHOD])
{
    const char *own = set->functions[i]->name[0] ? set->functions[i]->name : "?";
    if (has_twin(set, i))
        snprintf(name, STAR_FACT_METHOD, "%s #%d", own, i);
    else
        snprintf(name, STAR_FACT_METHOD, "%s", own);
    for (; *name != 0; name++)
        *name = shown(*name);
}

/* ------ From earlier runs */

struct question {
    const struct star_choice *choice;
    int64_t nodes;
    size_t kind; /* so many letters of the problem's word say what kind of problem it is */
    struct star_past_problem *problem;
    struct star_experience *known;
    struct star_past past;
};

static int function_of(const struct star_fnctset *set, const char *method)
{
    for (int i = 0; i < set->count; i++) {
        char name[STAR_FACT_METHOD];
        if (shown(set->functions[i]->name[0]) != method[0]) /* most are not it */
            continue;
        star_experience_name(set, i, name);
        if (strcmp(name, method) == 0)
            return i;
    }
    return -1;
}

/* Its number; −1: no memory. Facts of one problem come one behind the other. */
static int problem_of(struct question *question, const char *word)
{
    struct star_past *past = &question->past;
    for (int p = past->problems; p-- > 0;)
        if (strcmp(question->problem[p].word, word) == 0)
            return p;
    struct star_past_problem *problems =
        star_grown(question->problem, (size_t)past->problems, sizeof *problems);
    if (problems == NULL)
        return -1;
    question->problem = problems;
    snprintf(question->problem[past->problems].word, sizeof question->problem->word, "%s", word);
    return past->problems++;
}

/* Takes the facts of this kind of problems. Without memory something is not known. */
static void take(const struct star_fact *fact, void *context)
{
    struct question *question = context;
    const struct star_figures *figures = &fact->figures;
    if (fact->nodes != question->nodes || !(figures->mean > 0) ||
        strncmp(fact->operation, question->choice->problem, question->kind) != 0)
        return;
    int function = function_of(question->choice->fnctset, fact->method),
        problem = function < 0 ? -1 : problem_of(question, fact->operation);
    struct star_experience *known =
        problem < 0 ? NULL : star_grown(question->known, (size_t)question->past.count, sizeof *known);
    if (known == NULL)
        return;
    question->known = known;
    question->known[question->past.count++] =
        (struct star_experience){.problem = problem,
                                 .function = function,
                                 .count = figures->count,
                                 .mean = figures->mean,
                                 .deviation = sqrt(figures->squares / figures->count)};
    question->past.known = question->known;
}

static double most_of(const struct star_foretold *foretold)
{
    return star_history_most(foretold->count, foretold->mean, foretold->deviation);
}

/* Those that would be faster than BEST, as problems say that have lost the vote, must not run instead. */
static void fill(struct star_recollections *list, const struct star_foretold *foretold, int count, int best)
{
    STAR_FPENV_DEFAULT;
    for (int i = 0; i < count; i++) {
        const struct star_foretold *known = &foretold[i];
        bool misleads =
            best >= 0 && known->count >= STAR_LONG_RUN && most_of(known) < most_of(&foretold[best]);
        if (known->count > 0 && !misleads)
            list->at[list->count++] = (struct star_recollection){
                .candidate = i, .count = known->count, .mean = known->mean, .deviation = known->deviation};
    }
}

/* On rank 0, whose problem stands for all. The program's functions are called when no lock is held. */
static void look_up(struct star_choice *choice, star_weigher *weigh, const void *context,
                    struct star_recollections *list)
{
    struct question question = {.choice = choice,
                                .nodes = star_experience_nodes(choice),
                                .kind = (size_t)(strrchr(choice->problem, ':') + 1 - choice->problem)};
    struct star_foretold foretold[STAR_CANDIDATES_MAX];
    if (question.nodes == 0 || choice->subject.count > STAR_CANDIDATES_MAX)
        return;
    star_wisdom_each_known(take, &question);
    int problems = question.past.problems;
    struct star_similar *similar = problems > 0 ? calloc((size_t)problems, sizeof *similar) : NULL;
    if (similar != NULL && weigh(choice, &question.past, question.problem, similar, context)) {
        list->confidence =
            star_history_ask(&question.past, similar, choice->subject.count, foretold, &choice->foretold);
        fill(list, foretold, choice->subject.count, choice->foretold);
    }
    free(similar);
    free(question.problem);
    free(question.known);
}

/* What it takes is the price of tuning, as agreeing is. */
void star_experience_recall(struct star_choice *choice, star_weigher *weigh, const void *context)
{
    struct star_recollections list;
    int64_t begin = star_now();
    memset(&list, 0, sizeof list);
    if (choice->rank == 0)
        look_up(choice, weigh, context, &list);
    if (star_agree_recollections(choice->private->comm, &list))
        star_choice_recall(choice, list.at, (int)list.count, list.confidence);
    choice->subject.agreement_nanoseconds += star_since(begin);
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
    for (int i = 0; i < choice->subject.count; i++) {
        if (!(seen[i].mean > 0) || (choice->subject.tally[i].watched_calls == 0 &&
                                    faster(seen, choice->subject.count, i) >= FASTEST))
            continue;
        star_experience_name(choice->fnctset, i, fact->method);
        fact->figures = seen[i];
        star_wisdom_learn(fact);
    }
}

bool star_experience_teaches(const struct star_choice *choice)
{
    return choice->subject.tuner != NULL && choice->plain && choice->problem[0] != 0 && !choice->overlapped &&
           star_hist_tells(choice->fnctset);
}

void star_experience_keep(const struct star_choice *choice)
{
    struct star_fact fact = {.ranks = choice->size, .bytes = -1, .commutative = true};
    if (choice->rank != 0 || !star_experience_teaches(choice) || !star_wisdom_is_open())
        return;
    struct star_figures *seen = calloc((size_t)choice->subject.count, sizeof *seen);
    fact.nodes = star_experience_nodes(choice);
    snprintf(fact.operation, sizeof fact.operation, "%s", choice->problem);
    for (int i = 0; seen != NULL && i < choice->subject.count; i++) {
        const struct star_tally *tally = &choice->subject.tally[i];
        int count;
        const double *samples = star_subject_samples(&choice->subject, i, &count);
        star_wisdom_figures(samples, count, tally->watched, tally->watched_calls, &seen[i]);
    }
    if (seen != NULL && fact.nodes > 0)
        tell(choice, seen, &fact);
    free(seen);
}
