/* SPDX-License-Identifier: BSD-3-Clause
 * What the cost model expects of candidates, before any of them has run: which to measure first, and which
 * not at all. No MPI: one rank predicts, and tells the others. */
#pragma once

#include "algorithms/methods.h"
#include "plan/prospect.h"

struct star_forecast_terms {
    struct star_cost_parameters parameters;
    int64_t temp_limit; /* of plans */
    double patience;    /* seconds that predicting may take */
    bool parts;         /* of what each consists is wanted too */
    double share; /* or so much of the seconds predicted so far, if that is more: what they cost to measure
                     grows with them */
};

/* What may be foreseen of each of CANDIDATES on SHAPE's network, whatever SHAPE's rank, of those whose
 * seconds are unknown. That stays where none are known: native has no plan, plans in units no lengths, and
 * there was no time; false for that: with more patience there may be more. */
bool star_forecast(const struct star_methods *candidates, const struct star_shape *shape,
                   const struct star_forecast_terms *terms, struct star_prospect *each);

/* How long that takes, about: of so many METHODS whose messages are whole, with parts; and of so many PLANS,
 * one for each rank, that have so many STEPS together. */
double star_forecast_seconds(int methods, int ranks);
double star_forecast_seconds_of(int64_t plans, int64_t steps);
/* Of the patience that is LEFT the next one of so many METHODS may take so much: a few times its part, so
 * that a few long ones do not keep all others from it. */
double star_forecast_part(double left, int methods);

/* The order in which COUNT candidates with such prospects should be measured: the first one stays, then what
 * is predicted, the fastest first, then the rest as it stands. Those predicted to take more than MOST times
 * the least (0: whatever they take) are left out. Returns how many are in LIST, which has room for all. */
int star_forecast_list(const struct star_prospect *each, int count, double most, int16_t *list);
