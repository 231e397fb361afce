/* SPDX-License-Identifier: BSD-3-Clause
 * What the cost model says of a context's candidates. By the setting `predict` the race alone looks at that,
 * on rank 0, which decides for all; or it says which candidates are measured, and in which order. Rank 0 of
 * the communicator predicts, and all do what it says: two ranks' predictions may differ. */
#include "algorithms/forecast.h"
#include "algorithms/alike.h"
#include "algorithms/method.h"
#include "algorithms/methods.h"
#include "algorithms/operations.h"
#include "plan/plan.h"
#include "runtime/agree.h"
#include "runtime/forecast.h"
#include "runtime/nodes.h"
#include "runtime/runners.h"
#include "runtime/session.h"
#include "tuner/candidates.h"
#include "tuner/decide.h"
#include "tuner/networks.h"
#include "tuner/stall.h"
#include "tuner/tuner.h"
#include "tuner/tuning.h"
#include "util/clock.h"
#include "util/fpenv.h"
#include "util/prospect.h"
#include "util/settings.h"

#include <math.h>
#include <stdlib.h>

/* Predicting all candidates takes 50 ms at most, or a hundredth of the time to measure them. */
static const double patience_most = 0.05, share_of_measuring = 0.01;
/* Where the race pays: so many seconds at least, but where it takes less; and at most. */
static const double paid_least = 0.5e-3, paid_most = 1;

/* NULL: there is no memory, so each context finds out alone. */
static struct star_networks *networks_of(struct star_communicator *state)
{
    if (state->networks == NULL)
        state->networks = calloc(1, sizeof *state->networks);
    return state->networks;
}

static struct star_prospect *unpredicted(int count)
{
    struct star_prospect *each = malloc((size_t)count * sizeof *each);
    for (int i = 0; each != NULL && i < count; i++)
        each[i] = STAR_NO_PROSPECT;
    return each;
}

/* Of each candidate of which nothing is foreseen yet; false when out of memory. */
static bool predict(const struct star_communicator *state, struct star_context *context, double patience,
                    double share, bool *all)
{
    struct star_shape shape = star_shape_for(state, context->operation, &context->facts);
    struct star_forecast_terms terms = {.parameters = star_runtime.assumed,
                                        .temp_limit = star_runtime.settings.memory,
                                        .patience = patience,
                                        .parts = star_runtime.settings.strategy == STAR_RACE,
                                        .share = share};
    if (context->predicted == NULL)
        context->predicted = unpredicted(context->candidates.count);
    *all =
        context->predicted != NULL && star_forecast(&context->candidates, &shape, &terms, context->predicted);
    return context->predicted != NULL;
}

static void list_predicted(const struct star_communicator *state, struct star_context *context,
                           struct star_forecast_list *list)
{
    STAR_FPENV_DEFAULT;
    const struct star_settings *settings = &star_runtime.settings;
    double share = share_of_measuring * (double)(settings->iter + settings->warmup),
           most = settings->predict == STAR_PREDICT_PRUNE ? settings->predict_most : 0;
    bool all;
    if (predict(state, context, patience_most, share, &all))
        list->count = star_forecast_list(context->predicted, context->candidates.count, most, list->at);
} /* else the list stays empty: nothing is changed */

static bool can_predict(const struct star_context *context)
{
    return context->subject.tuner != NULL && context->candidates.count > 2 &&
           !star_operations[context->operation].units;
}

static bool is_wanted(const struct star_communicator *state, const struct star_context *context)
{
    int64_t how = star_runtime.settings.predict;
    return (how == STAR_PREDICT_ORDER || how == STAR_PREDICT_PRUNE) && state->network != NULL &&
           can_predict(context);
}

void star_context_foresee(struct star_communicator *state, struct star_context *context,
                          struct star_forecast_list *list)
{
    list->count = 0;
    if (is_wanted(state, context))
        list_predicted(state, context, list);
}

void star_context_take_forecast(struct star_communicator *state, struct star_context *context,
                                const struct star_forecast_list *list)
{
    struct star_method method[STAR_CANDIDATES_MAX];
    struct star_prospect prospect[STAR_CANDIDATES_MAX];
    if (list->count == 0 || !star_tuner_order(context->subject.tuner, list->at, list->count))
        return;
    for (int i = 0; i < list->count; i++) {
        method[i] = context->candidates.at[list->at[i]];
        if (context->predicted)
            prospect[i] = context->predicted[list->at[i]];
    }
    for (int i = 0; i < list->count; i++) {
        context->candidates.at[i] = method[i];
        if (context->predicted)
            context->predicted[i] = prospect[i];
    }
    context->pruned = context->candidates.count - list->count;
    context->candidates.count = context->subject.count = list->count;
    star_subject_renew(&context->subject);
    if (context->predicted)
        star_tuner_forecast(context->subject.tuner, context->predicted, networks_of(state));
}

void star_context_forecast(struct star_communicator *state, struct star_context *context)
{
    struct star_forecast_list list = {0};
    if (!is_wanted(state, context))
        return;
    if (state->rank == 0)
        star_context_foresee(state, context, &list);
    if (star_agree_forecast(state->route.whole, &list))
        star_context_take_forecast(state, context, &list);
}

/* Which candidates are one under several names, unless they were asked for by name. */
static void compare(const struct star_communicator *state, struct star_context *context, double patience)
{
    const struct star_methods *candidates = &context->candidates;
    int first[STAR_CANDIDATES_MAX];
    double seconds = star_alike_seconds(candidates->count, state->size);
    bool asked_for = star_methods_first(&star_runtime.only, context->operation) != NULL;
    if (context->compared || asked_for || !(seconds > 0) || patience < seconds)
        return;
    int64_t begin = star_now();
    struct star_shape shape = star_shape_for(state, context->operation, &context->facts);
    context->compared = true;
    if (star_methods_alike(candidates, &shape, first) == 0)
        star_tuner_alike(context->subject.tuner, first);
    double spent = (double)star_since(begin) * 1e-9;
    if (!star_is_stall(spent, seconds))
        star_tuner_spend_once(context->subject.tuner, spent);
}

void star_context_expect(struct star_communicator *state, struct star_context *context)
{
    const struct star_settings *settings = &star_runtime.settings;
    if (settings->strategy != STAR_RACE)
        return;
    compare(state, context, star_tuner_patience(context->subject.tuner, false));
    double credit = fmin(star_tuner_patience(context->subject.tuner, true), paid_most),
           patience = fmin(star_tuner_patience(context->subject.tuner, false), paid_most),
           needed = star_forecast_seconds(context->candidates.count, state->size);
    if (credit >= needed)
        patience = credit;
    if (settings->predict != STAR_PREDICT_AUTO || patience < fmin(paid_least, needed) ||
        patience < 2 * context->patience || !can_predict(context))
        return;
    context->patience = paid_most;
    if (state->network == NULL && star_nodes_count(state->node, state->size) == 1)
        return; /* the model knows links, and no memory */
    int64_t begin = star_now();
    bool all, predicted = predict(state, context, patience, 0, &all);
    /* It ends when its patience does, but where a rank was stopped meanwhile. */
    if (predicted)
        star_tuner_forecast(context->subject.tuner, context->predicted, networks_of(state));
    star_tuner_spend_once(context->subject.tuner, fmin((double)star_since(begin) * 1e-9, 2 * patience));
    if (!all) /* it is tried again when there is more time */
        context->patience = patience;
}
