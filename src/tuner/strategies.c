/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuner/strategies.h"

#define STAR_STRATEGY(word, name) extern const struct star_way star_##name;
#include "tuner/strategies.def"
#undef STAR_STRATEGY

#define STAR_STRATEGY(word, name) [STAR_##word] = &star_##name,
const struct star_way *const star_ways[STAR_STRATEGIES] = {
#include "tuner/strategies.def"
};
#undef STAR_STRATEGY

enum star_estimator star_estimator_of(enum star_strategy strategy, enum star_estimator estimator)
{
    if (estimator != STAR_ESTIMATOR_AUTO)
        return estimator;
    return star_ways[strategy]->estimator;
}

bool star_strategy_wants_traits(enum star_strategy strategy)
{
    return star_ways[strategy]->by_traits;
}
