/* SPDX-License-Identifier: BSD-3-Clause
 * What earlier runs learned, and what this one learns. Rank 0 of MPI_COMM_WORLD asks for it at the start
 * (remember.h), and all ranks get the answer; at the end it gives what the leaders of communicators found. */
#include "runtime/wisdom.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "runtime/agree.h"
#include "runtime/nodes.h"
#include "runtime/remember.h"
#include "runtime/session.h"
#include "runtime/warn.h"
#include "subject/figures.h"
#include "tuner/candidates.h"
#include "tuner/sample.h"
#include "util/fpenv.h"
#include "util/text.h"
#include "util/why.h"
#include "wisdom/known.h"
#include "wisdom/message.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct {
    bool open;                 /* on all ranks: contexts ask */
    struct star_text message;  /* what earlier runs learned, until it is read */
    struct star_known known;   /* that, and what this run has chosen */
    struct star_known learned; /* by this run, of all communicators together */
    pthread_mutex_t lock;
} wisdom = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool is_wanted(void)
{
    return strcmp(star_runtime.settings.wisdom, "off") != 0;
}

void star_wisdom_read(struct star_text *text)
{
    if (is_wanted())
        star_remember_begin(text);
}

bool star_wisdom_find(struct star_text *text, int64_t length)
{
    (void)length;
    wisdom.open = is_wanted();
    wisdom.message = *text;
    *text = (struct star_text){0};
    return true;
}

/* Ranks that lead no communicator never read it. */
static void read_message(void)
{
    char note[STAR_MESSAGE_NOTE];
    struct star_why why;
    int error = 0;
    if (wisdom.message.length > 0)
        error = star_message_read(wisdom.message.bytes, wisdom.message.length, star_known_add, &wisdom.known,
                                  note, &why);
    if (error)
        star_warn(STAR_WARN_WISDOM, 0, "%.300s; going on with what came before it (setting wisdom)",
                  why.text);
    star_text_free(&wisdom.message);
}

static struct star_fact point_of(const struct star_communicator *state, const struct star_context *context)
{
    struct star_fact fact = {.ranks = state->size,
                             .nodes = star_nodes_count(state->node, state->size),
                             .bytes = context->facts.bytes,
                             .commutative = context->facts.commutative,
                             .in_place = context->facts.in_place};
    snprintf(fact.machine, sizeof fact.machine, "here");
    snprintf(fact.operation, sizeof fact.operation, "%s", star_operations[context->operation].name);
    return fact;
}

/* On the leader. Without memory nothing is known. */
static void look_up(const struct star_communicator *state, const struct star_context *context,
                    struct star_recollections *list)
{
    STAR_FPENV_DEFAULT;
    int count = context->candidates.count;
    struct star_fact point = point_of(state, context);
    struct star_expected expected[STAR_CANDIDATES_MAX];
    const char *methods[STAR_CANDIDATES_MAX];
    char(*names)[STAR_METHOD_TEXT] = calloc((size_t)count, sizeof *names);
    if (names == NULL)
        return;
    for (int i = 0; i < count; i++)
        methods[i] = star_method_format(&context->candidates.at[i], names[i], sizeof names[i]);
    pthread_mutex_lock(&wisdom.lock);
    read_message();
    list->confidence = star_known_ask(&wisdom.known, &point, methods, count, expected);
    pthread_mutex_unlock(&wisdom.lock);
    for (int i = 0; i < count; i++)
        if (expected[i].count > 0)
            list->at[list->count++] = (struct star_recollection){.candidate = i,
                                                                 .count = expected[i].count,
                                                                 .mean = expected[i].mean,
                                                                 .deviation = expected[i].deviation};
    free(names);
}

/* Leaves native, and of the others the MOST that were fastest. */
static void keep_fastest(struct star_recollections *list, int most)
{
    while (list->count > most + 1) {
        int64_t slowest = 1;
        for (int64_t i = 2; i < list->count; i++)
            if (list->at[i].candidate != 0 && list->at[i].mean > list->at[slowest].mean)
                slowest = i;
        list->at[slowest] = list->at[--list->count];
    }
}

static bool can_recall(const struct star_context *context)
{
    return wisdom.open && context->subject.tuner != NULL && context->candidates.count >= 2;
}

void star_context_remember(const struct star_communicator *state, const struct star_context *context,
                           int most, struct star_recollections *known)
{
    known->count = 0;
    known->confidence = 0;
    if (can_recall(context))
        look_up(state, context, known);
    keep_fastest(known, most);
}

void star_context_take_recollections(struct star_context *context, const struct star_recollections *known)
{
    star_subject_recall(&context->subject, known->at, known->count, known->confidence);
}

void star_context_recall(struct star_communicator *state, struct star_context *context)
{
    struct star_recollections list;
    if (!can_recall(context))
        return;
    memset(&list, 0, sizeof list);
    if (state->rank == 0)
        look_up(state, context, &list);
    if (star_agree_recollections(state->route.whole, &list))
        star_context_take_recollections(context, &list);
}

bool star_wisdom_figures(const struct star_subject *subject, int alternative, struct star_figures *figures)
{
    STAR_FPENV_DEFAULT;
    const struct star_tally *tally = &subject->tally[alternative];
    struct star_figures_seen seen = {.watched = tally->watched, .watched_calls = tally->watched_calls};
    int64_t now = (int64_t)time(NULL);
    seen.samples = star_subject_samples(subject, alternative, &seen.count);
    if (seen.count > 0)
        seen.mean = star_filtered_mean(seen.samples, seen.count);
    return star_figures_of(&seen, now > 0 ? now : 0, figures);
}

/* What was seen of candidate I in this run. False: it was not measured, or is wrong. */
static bool see(const struct star_context *context, int i, struct star_figures *figures)
{
    return !context->uses[i].wrong && star_wisdom_figures(&context->subject, i, figures);
}

/* Calls VISIT for what this run has seen of each of the context's methods. */
static void visit_seen(const struct star_communicator *state, const struct star_context *context,
                       void (*visit)(const struct star_fact *fact))
{
    struct star_fact fact = point_of(state, context);
    for (int i = 0; i < context->candidates.count; i++)
        if (see(context, i, &fact.figures)) {
            star_method_format(&context->candidates.at[i], fact.method, sizeof fact.method);
            visit(&fact);
        }
}

static void know(const struct star_fact *fact)
{
    star_known_add(fact, &wisdom.known); /* without memory, it stays unknown */
}

void star_wisdom_note_choice(const struct star_communicator *state, const struct star_context *context)
{
    STAR_FPENV_DEFAULT;
    struct star_fact point = point_of(state, context);
    if (!wisdom.open)
        return;
    pthread_mutex_lock(&wisdom.lock);
    read_message();
    star_known_forget(&wisdom.known, &point); /* this run knows better */
    visit_seen(state, context, know);
    pthread_mutex_unlock(&wisdom.lock);
}

static void learn(const struct star_fact *fact)
{
    star_known_add(fact, &wisdom.learned); /* without memory, it is lost */
}

void star_wisdom_keep(const struct star_communicator *state, const struct star_context *context)
{
    STAR_FPENV_DEFAULT;
    if (!wisdom.open || context->subject.tuner == NULL)
        return;
    pthread_mutex_lock(&wisdom.lock);
    visit_seen(state, context, learn);
    pthread_mutex_unlock(&wisdom.lock);
}

bool star_wisdom_is_open(void)
{
    return wisdom.open;
}

void star_wisdom_each_known(void (*visit)(const struct star_fact *fact, void *context), void *context)
{
    STAR_FPENV_DEFAULT;
    pthread_mutex_lock(&wisdom.lock);
    read_message();
    star_known_each(&wisdom.known, visit, context);
    pthread_mutex_unlock(&wisdom.lock);
}

void star_wisdom_learn(const struct star_fact *fact)
{
    STAR_FPENV_DEFAULT;
    pthread_mutex_lock(&wisdom.lock);
    read_message();
    know(fact);
    learn(fact);
    pthread_mutex_unlock(&wisdom.lock);
}

/* However many communicators have seen it. With an impossible one, by a clock that stepped, nothing would be
 * learned. */
static void tell(const struct star_fact *fact, void *lines)
{
    struct star_fact told = *fact;
    told.figures = star_figures_limit(fact->figures, STAR_FACT_RUN);
    if (star_figures_are_possible(&told.figures))
        star_message_fact(lines, &told);
}

void star_wisdom_end(struct star_text *lines)
{
    if (wisdom.open)
        star_known_each(&wisdom.learned, tell, lines);
    wisdom.open = false;
    star_known_free(&wisdom.learned);
    star_text_free(&wisdom.message);
    star_known_free(&wisdom.known);
}
