/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/forecast.h"
#include "util/clock.h"

#include <math.h>
#include <stdlib.h>

static double seconds_since(int64_t begin)
{
    return (double)(star_since(begin)) * 1e-9;
}

/* All ranks' plans, until END; false when there is none, or no time for them. */
static bool build_all(const struct star_method *method, const struct star_shape *shape,
                      const struct star_forecast_terms *terms, int64_t end, struct star_plan **plans)
{
    struct star_shape of_rank = *shape;
    for (int r = 0; r < shape->size; r++) {
        of_rank.rank = r;
        if (star_now() > end || star_method_plan(method, &of_rank, terms->temp_limit, &plans[r], NULL))
            return false;
    }
    return true;
}

static double predict(const struct star_method *method, const struct star_shape *shape,
                      const struct star_forecast_terms *terms, double patience, struct star_plan **plans)
{
    struct star_cost cost;
    struct star_cost_parameters parameters = terms->parameters;
    int64_t begin = star_now();
    double seconds = NAN;
    for (int r = 0; r < shape->size; r++)
        plans[r] = NULL;
    if (build_all(method, shape, terms, begin + (int64_t)(patience * 1e9), plans)) {
        parameters.patience = fmax(patience - seconds_since(begin), 1e-9);
        if (star_cost_of(plans, shape->size, shape->network, &parameters, &cost, NULL) == 0) {
            seconds = cost.seconds;
            star_cost_free(&cost);
        }
    }
    for (int r = 0; r < shape->size; r++)
        star_plan_free(plans[r]);
    return seconds;
}

bool star_forecast(const struct star_methods *candidates, const struct star_shape *shape,
                   const struct star_forecast_terms *terms, double *seconds)
{
    /* One may take so many times its part of what is left: a few long ones must not keep all others from it.
     */
    static const double parts = 4;
    struct star_plan **plans = malloc((size_t)shape->size * sizeof *plans);
    int64_t begin = star_now();
    double sum = 0;
    bool all = true;
    for (int i = 0; plans != NULL && !shape->units && i < candidates->count; i++) {
        int64_t now = star_now();
        double left = fmax(terms->patience, terms->share * sum) - seconds_since(begin),
               part = fmax(left * fmin(parts / (candidates->count - i), 1), 0);
        if (!isnan(seconds[i]) || candidates->at[i].algorithm->build == NULL)
            continue;
        if (part > 0)
            seconds[i] = predict(&candidates->at[i], shape, terms, part, plans);
        sum += isnan(seconds[i]) ? 0 : seconds[i];
        all = all && (!isnan(seconds[i]) || seconds_since(now) < part);
    }
    free(plans);
    return all;
}

/* Those before K are in order; K goes where it belongs among them, behind its equals. */
static void insert(const double *seconds, int16_t *list, int k, int16_t candidate)
{
    for (; k > 1 && seconds[list[k - 1]] > seconds[candidate]; k--)
        list[k] = list[k - 1];
    list[k] = candidate;
}

int star_forecast_list(const double *seconds, int count, double most, int16_t *list)
{
    double least = INFINITY;
    int known = 1;
    for (int i = 1; i < count; i++)
        least = fmin(least, isnan(seconds[i]) ? INFINITY : seconds[i]);
    list[0] = 0;
    for (int i = 1; i < count; i++)
        if (!isnan(seconds[i]) && (most <= 0 || seconds[i] <= most * least))
            insert(seconds, list, known++, (int16_t)i);
    for (int i = 1; i < count; i++)
        if (isnan(seconds[i]))
            list[known++] = (int16_t)i;
    return known;
}
