/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/background.h"
#include "algorithms/operations.h"
#include "exec/look.h"
#include "exec/own.h"
#include "runtime/begun.h"
#include "runtime/errand.h"
#include "runtime/lineup.h"
#include "runtime/pause.h"
#include "runtime/runners.h"
#include "runtime/session.h"
#include "util/clock.h"
#include "util/fpenv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct star_shared_runner *make_runner(const struct star_background *of,
                                              const struct star_background_context *context, int candidate)
{
    if (of->state == NULL)
        return NULL;
    struct star_shared_runner *made =
        star_runner_make(of->state, &context->tuned->methods[candidate], &context->facts);
    if (made != NULL && (made->runner == NULL || !star_execute_in_pieces(made->runner))) {
        star_runner_discard(made);
        made = NULL;
    }
    return made;
}

static bool is_used(const struct star_background *of, const struct star_shared_runner *runner)
{
    for (int i = 0; i < STAR_LANES; i++)
        if (of->lanes[i] != NULL && of->lanes[i]->run.runner == runner->runner)
            return true;
    return false;
}

/* By calls that wait for a lane? All ranks have plans for them, which one may not be able to make again. */
static bool is_awaited(const struct star_background *of, const struct star_background_context *context,
                       int candidate)
{
    for (const struct star_errand *errand = of->ready; errand != NULL; errand = errand->next)
        if (errand->context == context && errand->candidate == candidate)
            return true;
    return false;
}

static void discard_runners(const struct star_background *of, struct star_background_context *context,
                            bool all_of_them)
{
    struct star_background_tuned *tuned = context->tuned;
    for (int i = 1; tuned != NULL && i < tuned->count; i++)
        for (int lane = 0; lane < STAR_LANES; lane++) {
            struct star_shared_runner **runner = &tuned->runners[i][lane];
            if (*runner == NULL || is_used(of, *runner) ||
                (!all_of_them && (star_turns_needs(&context->turns, i) || is_awaited(of, context, i))))
                continue;
            star_runner_discard(*runner);
            *runner = NULL;
        }
}

bool star_background_is_silent(struct star_background_context *context)
{
    int done = 1;
    if (context->telling != MPI_REQUEST_NULL)
        star_look(&context->telling, &done);
    return done != 0;
}

static void measure(struct star_background_context *context, struct star_turns_word *word)
{
    const struct star_background_tuned *tuned = context->tuned;
    for (int i = 0; tuned != NULL && i < tuned->count; i++) {
        word->nanoseconds[i] = star_samples_mean(&tuned->sampled[i], false);
        word->measured[i] = word->nanoseconds[i] > 0;
    }
}

/* False: the MPI library has no memory for it now. */
static bool tell(struct star_background *of, struct star_background_context *context)
{
    struct star_background_tuned *tuned = context->tuned;
    int next = context->turns.next;
    context->mine = (struct star_turns_word){0};
    if (next > 0 && tuned->runners[next][0] == NULL)
        tuned->runners[next][0] = make_runner(of, context, next);
    context->mine.unable =
        tuned == NULL || (next > 0 && (tuned->runners[next][0] == NULL || star_is_paused()));
    measure(context, &context->mine);
    if (context->listed > 0) {
        context->mine.listed = context->listed;
        memcpy(context->mine.order, context->order, sizeof context->order);
    }
    star_own(true);
    context->told = star_native.Iallreduce(&context->mine, &context->sums, STAR_TURNS_WORDS, MPI_INT64_T,
                                           MPI_SUM, of->comm, &context->telling) == MPI_SUCCESS;
    star_own(false);
    if (context->told)
        context->listed = 0;
    return context->told;
}

/* The first stretch begins. Rank 0 tells which candidates are looked at; to find that out takes little beside
 * what has come so far. */
static void begin_turns(struct star_background *of, struct star_background_context *context)
{
    static const double least = 2e-3, most = 0.05, share = 0.05;
    struct star_background_tuned *tuned = of->able && of->state != NULL ? calloc(1, sizeof *tuned) : NULL;
    if (tuned == NULL)
        return;
    if (star_lineup_find(of->state, context->operation, &context->facts, &tuned->found) != 0) {
        free(tuned);
        return;
    }
    context->tuned = tuned;
    context->turns.forced = star_methods_first(&star_runtime.force, context->operation) != NULL;
    tuned->count = 1;
    double passed = 1e-9 * (double)star_since(context->began);
    struct star_lineup_terms terms = {.seconds = passed / (double)context->turns.pace.before,
                                      .patience = fmin(most, fmax(least, share * passed)),
                                      .count = STAR_TURNS_MOST};
    if (of->rank == 0)
        context->listed = star_lineup_order(of->state, context->operation, &context->facts, &tuned->found,
                                            &terms, context->order);
}

/* All take what rank 0 has told. */
static void take_order(struct star_background_context *context)
{
    struct star_background_tuned *tuned = context->tuned;
    tuned->count = 0;
    for (int i = 0; i < context->sums.listed && i < STAR_TURNS_MOST; i++)
        tuned->methods[tuned->count++] = tuned->found.at[context->sums.order[i]];
    context->turns.count = tuned->count;
    star_methods_free(&tuned->found);
    tuned->found = (struct star_methods){0};
}

/* A stretch ends at CALL, and another one begins. */
static void turn(struct star_background *of, struct star_background_context *context, int64_t call)
{
    struct star_turns *turns = &context->turns;
    if (context->ended < 0)
        begin_turns(of, context);
    if (context->told && context->sums.listed > 0 && context->sums.unable == 0)
        take_order(context);
    star_turns_end(turns, context->told ? &context->sums : NULL, of->size);
    context->told = false;
    context->ended = call;
    context->owes = star_turns_tells(turns);
    discard_runners(of, context, turns->closed);
}

/* The same, once. False: what the ranks have told has not come out, or this one has not told yet. */
static bool end_stretch(struct star_background *of, struct star_background_context *context, int64_t call)
{
    if (context->ended < call) {
        if (!star_background_is_silent(context))
            return false;
        turn(of, context, call);
    }
    context->owes = context->owes && !tell(of, context);
    return !context->owes;
}

int star_background_candidate(struct star_background *of, struct star_background_context *context,
                              int64_t number, bool *timed)
{
    *timed = false;
    if (star_turns_is_first(&context->turns, number) && !end_stretch(of, context, number))
        return STAR_TURN_NONE;
    return star_turns_candidate(&context->turns, number, timed);
}

struct star_runner *star_background_runner(const struct star_background *of,
                                           struct star_background_context *context, int candidate, int lane)
{
    enum { LARGE = 1 << 20 };
    struct star_shared_runner **own = context->tuned->runners[candidate];
    bool large = own[0] != NULL && star_shared_runner_bytes(own[0]) > LARGE;
    if (own[lane] == NULL && !large) /* large ones would add up, and go one after the other */
        own[lane] = make_runner(of, context, candidate);
    for (int i = 0; i < STAR_LANES; i++) {
        struct star_shared_runner *at = own[(lane + i) % STAR_LANES];
        if (at != NULL && !is_used(of, at))
            return at->runner;
    }
    return NULL;
}

void star_background_keep(struct star_background *of)
{
    PMPI_Recv_init(NULL, 0, MPI_BYTE, of->rank, 0, of->comm, &of->anchor);
}

void star_background_end_context(const struct star_background *of, struct star_background_context *context)
{
    discard_runners(of, context, true);
    if (context->tuned == NULL)
        return;
    star_samples_forget(context->tuned->sampled, STAR_TURNS_MOST);
    star_methods_free(&context->tuned->found);
    free(context->tuned);
    context->tuned = NULL;
}

/* What is known. */

struct star_balance star_background_balance(const struct star_communicator *state)
{
    STAR_FPENV_DEFAULT;
    struct star_balance balance = {.saved = 0};
    const struct star_background *of = state->background;
    for (const struct star_background_context *context = of != NULL ? of->contexts : NULL; context != NULL;
         context = context->next) {
        const struct star_background_tuned *tuned = context->tuned;
        for (int i = 1; tuned != NULL && i < tuned->count; i++)
            star_begun_compare(&balance, tuned->ran[i], star_samples_mean(&tuned->sampled[0], false),
                               star_samples_mean(&tuned->sampled[i], false));
    }
    return balance;
}

static void tell_context(struct star_text *text, const struct star_background *of,
                         const struct star_background_context *context)
{
    const struct star_background_tuned *tuned = context->tuned;
    const struct star_turns *turns = &context->turns;
    char name[STAR_METHOD_TEXT];
    int64_t ran = 0;
    for (int i = 1; i < tuned->count; i++)
        ran += tuned->ran[i];
    star_text_add(text, ",\n");
    star_json_open(text, NULL, '{');
    snprintf(name, sizeof name, "i%s", star_operations[context->operation].name);
    star_json_string(text, "operation", name);
    star_json_integer(text, "ranks", of->size);
    star_json_integer(text, "bytes_most", context->facts.bytes);
    star_json_integer(text, "calls", context->calls);
    star_json_integer(text, "shared_calls", 0);
    star_json_integer(text, "method_calls", ran);
    if (turns->current > 0)
        star_method_format(&tuned->methods[turns->current], name, sizeof name);
    star_json_string(text, "method", turns->current > 0 ? name : "native");
    if (turns->nanoseconds[0] > 0)
        star_json_number(text, "native_seconds_per_call", (double)turns->nanoseconds[0] * 1e-9 / of->size);
    if (turns->current > 0 && turns->nanoseconds[turns->current] > 0)
        star_json_number(text, "method_seconds_per_call",
                         (double)turns->nanoseconds[turns->current] * 1e-9 / of->size);
    star_json_close(text, '}');
}

void star_background_tell(const struct star_communicator *state, struct star_text *text)
{
    const struct star_background *of = state->background;
    for (const struct star_background_context *context = of != NULL ? of->contexts : NULL; context != NULL;
         context = context->next)
        if (context->tuned != NULL)
            tell_context(text, of, context);
}
