/* SPDX-License-Identifier: BSD-3-Clause */
#include "patterns/choice.h"
#include "patterns/patterns.h"
#include "runtime/agree.h"
#include "runtime/nodes.h"
#include "runtime/ranks.h"
#include "runtime/session.h"
#include "runtime/subjects.h"
#include "runtime/wisdom.h"
#include "startune_patterns.h"
#include "tuner/candidates.h"
#include "tuner/decide.h"
#include "tuner/decision.h"
#include "tuner/tuner.h"
#include "tuner/tuning.h"
#include "util/clock.h"
#include "util/seconds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool fill(struct star_choice *choice, const int *groups, const struct star_traits *traits, int count,
                 int forced)
{
    struct star_tuning tuning = star_tuning_of(&star_runtime.settings, STAR_RANKS_APART);
    struct star_subject *subject = &choice->subject;
    bool tuned = star_active_by_name && count > 1 && forced < 0;
    choice->taking_part = calloc((size_t)count, sizeof *choice->taking_part);
    if (choice->taking_part == NULL)
        return false;
    for (int i = 0; i < count; i++)
        choice->taking_part[i] = (int16_t)i;
    star_apply_settings(subject, choice->rank, choice->size);
    subject->list = choice->taking_part;
    subject->now = forced < 0 ? 0 : forced;
    if (tuned)
        subject->tuner = star_tuner_new(&tuning, groups, traits, count, subject->leads);
    return star_subject_make(subject, count) && (!tuned || subject->tuner != NULL);
}

struct star_choice *star_choice_make(struct star_private *private, const struct star_subject_kind *kind,
                                     const int *groups, const struct star_traits *traits, int count,
                                     int forced, void (*destroy)(struct star_object *object))
{
    struct star_choice *made = star_object_new(STAR_KIND_NONE, sizeof *made, destroy);
    if (made == NULL)
        return NULL;
    star_object_keep(private);
    made->private = private;
    made->subject.kind = kind;
    made->foretold = -1;
    PMPI_Comm_rank(private->comm, &made->rank);
    PMPI_Comm_size(private->comm, &made->size);
    if (fill(made, groups, traits, count, forced))
        return made;
    star_object_release(made);
    return NULL;
}

void star_choice_empty(struct star_choice *choice)
{
    star_subject_free(&choice->subject);
    free(choice->taking_part);
    star_object_release(choice->private);
}

bool star_choice_narrow(struct star_choice *choice, const int16_t *list, int count)
{
    if (choice->subject.tuner == NULL)
        return true;
    if (!star_tuner_order(choice->subject.tuner, list, count))
        return false;
    memcpy(choice->taking_part, list, (size_t)count * sizeof *list);
    star_subject_renew(&choice->subject);
    return true;
}

static void agree(struct star_choice *choice)
{
    struct star_decision decision;
    struct star_subject *subject = &choice->subject;
    int64_t begin = star_now();
    int watched = subject->list[star_tuner_candidate(subject->tuner)];
    struct star_spread spread =
        star_agree_tuner(choice->private->comm, choice->rank, choice->size, subject->tuner, &decision);
    star_subject_watched(subject, watched, &spread);
    star_subject_decided(subject, &decision, star_since(begin));
}

/* What cannot be made ready never runs again: a forced function gives way to the first one. False: there is
 * nothing else. */
static bool leave_out(struct star_choice *choice)
{
    if (choice->subject.tuner == NULL) {
        bool forced = choice->subject.now != 0;
        choice->subject.now = 0;
        return forced;
    }
    if (star_subject_leave_out(&choice->subject, STAR_UNABLE))
        agree(choice);
    return true;
}

static int settle(struct star_choice *choice, int *ready, star_preparer *prepare, void *what)
{
    int error = STAR_SUCCESS;
    /* Each function can be left out once. */
    for (int turns = choice->subject.count; *ready != choice->subject.now && turns > 0; turns--) {
        *ready = -1;
        error = prepare(what, choice->subject.now);
        if (error == STAR_SUCCESS)
            *ready = choice->subject.now;
        else if (!leave_out(choice))
            return error;
    }
    return error;
}

int star_choice_settle(struct star_choice *choice, int *ready, star_preparer *prepare, void *what)
{
    int64_t begin = star_now(), before = choice->subject.agreement_nanoseconds;
    int error = settle(choice, ready, prepare, what);
    int64_t spent = star_since(begin), agreeing = choice->subject.agreement_nanoseconds - before;
    choice->subject.agreement_nanoseconds = before + spent;
    if (choice->subject.tuner != NULL)
        star_tuner_spend(choice->subject.tuner, star_seconds(spent - agreeing));
    return error;
}

bool star_choice_took(struct star_choice *choice, int function, int64_t nanoseconds)
{
    bool due = star_subject_count(&choice->subject, function, nanoseconds);
    if (due)
        agree(choice);
    star_subject_leave_untimed(&choice->subject, function);
    return due;
}

/* ------ The past */

bool star_choice_has_past(const struct star_choice *choice)
{
    return choice->subject.tuner != NULL && choice->plain && choice->problem[0] != 0 && star_wisdom_is_open();
}

int64_t star_choice_nodes(const struct star_choice *choice)
{
    bool failed = true;
    MPI_Comm comm = choice->private->comm;
    int *node = star_ranks_are_known(comm, choice->size) ? star_nodes_of(comm, choice->size, &failed) : NULL;
    int64_t count = failed ? 0 : star_nodes_count(node, choice->size);
    free(node);
    return count;
}

static const char *name_of(const void *set, int function)
{
    return ((const struct star_fnctset *)set)->functions[function]->name;
}

struct star_names star_choice_names(const struct star_choice *choice)
{
    return (struct star_names){choice->fnctset->count, name_of, choice->fnctset};
}

/* On rank 0, whose problem stands for all. The program's functions are called when no lock is held. */
static void look_up(struct star_choice *choice, star_weigher *weigh, const void *context,
                    struct star_recollections *list)
{
    struct star_inquiry inquiry = {
        .names = star_choice_names(choice), .problem = choice->problem, .nodes = star_choice_nodes(choice)};
    if (inquiry.nodes == 0)
        return;
    star_wisdom_each_known(star_history_take, &inquiry);
    list->confidence =
        star_history_recall(&inquiry, weigh, context, list->at, &list->count, &choice->foretold);
}

/* What it takes is the price of tuning, as agreeing is. */
void star_choice_recall(struct star_choice *choice, star_weigher *weigh, const void *context)
{
    struct star_recollections list;
    int64_t begin = star_now();
    memset(&list, 0, sizeof list);
    if (choice->rank == 0)
        look_up(choice, weigh, context, &list);
    if (star_agree_recollections(choice->private->comm, &list))
        star_subject_recall(&choice->subject, list.at, list.count, list.confidence);
    choice->subject.agreement_nanoseconds += star_since(begin);
}

bool star_choice_teaches(const struct star_choice *choice)
{
    return choice->subject.tuner != NULL && choice->plain && choice->problem[0] != 0 && !choice->overlapped &&
           !choice->fnctset->untold;
}

void star_choice_keep(const struct star_choice *choice)
{
    if (choice->rank != 0 || !star_choice_teaches(choice) || !star_wisdom_is_open())
        return;
    const struct star_subject *subject = &choice->subject;
    struct star_names names = star_choice_names(choice);
    struct star_fact fact = {
        .ranks = choice->size, .nodes = star_choice_nodes(choice), .bytes = -1, .commutative = true};
    struct star_figures *seen = fact.nodes > 0 ? calloc((size_t)subject->count, sizeof *seen) : NULL;
    snprintf(fact.operation, sizeof fact.operation, "%s", choice->problem);
    for (int i = 0; seen != NULL && i < subject->count; i++)
        star_wisdom_figures(subject, i, &seen[i]);
    for (int i = 0; seen != NULL && i < subject->count; i++)
        if (star_history_tells(seen, subject->count, i, subject->tally[i].watched_calls > 0)) {
            star_history_name(&names, i, fact.method);
            fact.figures = seen[i];
            star_wisdom_learn(&fact);
        }
    free(seen);
}
