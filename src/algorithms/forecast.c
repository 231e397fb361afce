/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/forecast.h"
#include "plan/walk.h"
#include "util/clock.h"

#include <math.h>
#include <stdlib.h>

static double seconds_since(int64_t begin)
{
    return (double)(star_since(begin)) * 1e-9;
}

/* All ranks' plans, until END; false when there is none, or no time for them. One rank holds them all, so
 * that together they may take what one plan may. */
static bool build_all(const struct star_method *method, const struct star_shape *shape,
                      const struct star_forecast_terms *terms, int64_t end, struct star_plan **plans)
{
    struct star_shape of_rank = *shape;
    int64_t room = star_plan_room(terms->temp_limit);
    for (int r = 0; r < shape->size; r++) {
        of_rank.rank = r;
        if (star_now() > end || star_method_likeness(method, &of_rank, terms->temp_limit, &plans[r], NULL))
            return false;
        room -= (int64_t)star_plan_bytes(plans[r]);
        if (room < 0)
            return false;
    }
    return true;
}

static struct star_prospect foresee(const struct star_method *method, const struct star_shape *shape,
                                    const struct star_forecast_terms *terms,
                                    const struct star_foresight *foresight, double patience,
                                    struct star_plan **plans)
{
    struct star_prospect prospect = STAR_NO_PROSPECT;
    int64_t begin = star_now();
    for (int r = 0; r < shape->size; r++)
        plans[r] = NULL;
    if (build_all(method, shape, terms, begin + (int64_t)(patience * 1e9), plans))
        star_foresee(foresight, plans, fmax(patience - seconds_since(begin), 1e-9), terms->parts, &prospect,
                     NULL);
    for (int r = 0; r < shape->size; r++)
        star_plan_free(plans[r]);
    return prospect;
}

bool star_forecast(const struct star_methods *candidates, const struct star_shape *shape,
                   const struct star_forecast_terms *terms, struct star_prospect *each)
{
    if (shape->units || star_walk_is_too_wide(shape->size))
        return true; /* more patience would not help */
    int64_t begin = star_now();
    struct star_plan **plans = malloc((size_t)shape->size * sizeof *plans);
    struct star_foresight *foresight =
        star_foresight_new(shape->network, shape->node, shape->size, &terms->parameters);
    double sum = 0;
    bool all = true;
    for (int i = 0; plans != NULL && foresight != NULL && i < candidates->count; i++) {
        int64_t now = star_now();
        double left = fmax(terms->patience, terms->share * sum) - seconds_since(begin),
               part = star_forecast_part(left, candidates->count - i);
        if (star_is_known(each[i].seconds) || star_is_native(&candidates->at[i]))
            continue;
        if (part > 0)
            each[i] = foresee(&candidates->at[i], shape, terms, foresight, part, plans);
        sum += star_is_known(each[i].seconds) ? each[i].seconds : 0;
        all = all && (star_is_known(each[i].seconds) || seconds_since(now) < part);
    }
    star_foresight_free(foresight);
    free(plans);
    return all;
}

double star_forecast_seconds(int methods, int ranks)
{
    static const double steps = 4, growth = 1.5; /* of a plan; of all methods in the mean */
    int64_t plans = (int64_t)methods * ranks;
    return star_forecast_seconds_of(plans, (int64_t)((steps + growth * ranks) * (double)plans));
}

double star_forecast_seconds_of(int64_t plans, int64_t steps)
{
    static const double of_plan = 0.5e-6, of_step = 0.125e-6; /* bench/forecasting.c */
    return of_plan * (double)plans + of_step * (double)steps;
}

double star_forecast_part(double left, int methods)
{
    static const double parts = 4;
    return fmax(left * fmin(parts / methods, 1), 0);
}

/* Those before K are in order; K goes where it belongs among them, behind its equals. */
static void insert(const struct star_prospect *each, int16_t *list, int k, int16_t candidate)
{
    for (; k > 1 && each[list[k - 1]].seconds > each[candidate].seconds; k--)
        list[k] = list[k - 1];
    list[k] = candidate;
}

int star_forecast_list(const struct star_prospect *each, int count, double most, int16_t *list)
{
    double least = INFINITY;
    int known = 1;
    for (int i = 1; i < count; i++)
        least = fmin(least, star_is_known(each[i].seconds) ? each[i].seconds : INFINITY);
    list[0] = 0;
    for (int i = 1; i < count; i++)
        if (star_is_known(each[i].seconds) && (most <= 0 || each[i].seconds <= most * least))
            insert(each, list, known++, (int16_t)i);
    for (int i = 1; i < count; i++)
        if (!star_is_known(each[i].seconds))
            list[known++] = (int16_t)i;
    return known;
}
