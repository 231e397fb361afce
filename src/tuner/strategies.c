/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuner/strategies.h"

#define STAR_STRATEGY(word, name, does) extern const struct star_way star_##name;
#include "util/strategies.def"
#undef STAR_STRATEGY

#define STAR_STRATEGY(word, name, does) [STAR_##word] = &star_##name,
const struct star_way *const star_ways[STAR_STRATEGIES] = {
#include "util/strategies.def"
};
#undef STAR_STRATEGY

/* The setting's words are in the order of the numbers. */
#define STAR_STRATEGY(word, name, does) PLACE_##word,
enum {
#include "util/strategies.def"
    PLACES
};
#undef STAR_STRATEGY
#define STAR_STRATEGY(word, name, does)                                                                      \
    _Static_assert((int)PLACE_##word == (int)STAR_##word, "strategies.def has the order of star_strategy");
#include "util/strategies.def"
#undef STAR_STRATEGY
_Static_assert((int)PLACES == (int)STAR_STRATEGIES, "strategies.def has all of star_strategy");

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
