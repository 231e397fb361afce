/* SPDX-License-Identifier: BSD-3-Clause
 * Which candidates of a context are measured, and in which order, where the setting `predict` lets the cost
 * model say. Rank 0 of the communicator predicts, and all do what it says: two ranks' predictions may differ,
 * as their clocks do. */
#include "algorithms/forecast.h"
#include "runtime/agree.h"

#include <stdlib.h>

/* Predicting all candidates takes 50 ms at most, or a hundredth of the time in which they would be measured.
 */
static const double patience = 0.05, share_of_measuring = 0.01;

static void predict(const struct star_communicator *state, struct star_context *context,
                    struct star_forecast_list *list)
{
    const struct star_settings *settings = &star_runtime.settings;
    struct star_shape shape = star_shape_for(state, context->operation, &context->facts);
    struct star_forecast_terms terms = {.parameters = star_runtime.assumed,
                                        .temp_limit = settings->memory,
                                        .patience = patience,
                                        .share =
                                            share_of_measuring * (double)(settings->iter + settings->warmup)};
    double *seconds = malloc((size_t)context->candidates.count * sizeof *seconds);
    if (seconds == NULL)
        return; /* the list stays empty: nothing is changed */
    double most = settings->predict == STAR_PREDICT_PRUNE ? settings->predict_most : 0;
    star_forecast(&context->candidates, &shape, &terms, seconds);
    list->count = star_forecast_list(seconds, context->candidates.count, most, list->at);
    context->predicted = seconds;
}

static bool is_wanted(const struct star_communicator *state, const struct star_context *context)
{
    return star_runtime.settings.predict != STAR_PREDICT_OFF && state->network != NULL &&
           context->tuner != NULL && context->candidates.count > 2 &&
           !star_operations[context->operation].units;
}

void star_context_forecast(struct star_communicator *state, struct star_context *context)
{
    struct star_forecast_list list = {0};
    struct star_method method[STAR_CANDIDATES_MAX];
    double seconds[STAR_CANDIDATES_MAX];
    if (!is_wanted(state, context))
        return;
    if (state->rank == 0)
        predict(state, context, &list);
    if (!star_agree_forecast(state->private, &list) || list.count == 0 ||
        !star_tuner_order(context->tuner, list.at, list.count))
        return;
    for (int i = 0; i < list.count; i++) {
        method[i] = context->candidates.at[list.at[i]];
        seconds[i] = context->predicted ? context->predicted[list.at[i]] : 0;
    }
    for (int i = 0; i < list.count; i++) {
        context->candidates.at[i] = method[i];
        if (context->predicted)
            context->predicted[i] = seconds[i];
    }
    context->pruned = context->candidates.count - list.count;
    context->candidates.count = list.count;
}
