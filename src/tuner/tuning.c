/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuner/tuning.h"
#include "util/settings.h"

/* The statistics of requests are ADCL's, whatever those of operations are: outliers dropped, mean of each
 * rank, maximum over ranks. */
static enum star_estimator estimator_for(const struct star_settings *s, enum star_ranks ranks)
{
    return ranks == STAR_RANKS_APART ? STAR_MAX_OF_FILTERED_MEAN : (enum star_estimator)s->estimator;
}

bool star_tuning_by_slowest(const struct star_tuning *tuning)
{
    return tuning->ranks != STAR_RANKS_MEET && tuning->estimator != STAR_MIN_OF_MEAN;
}

struct star_tuning star_tuning_of(const struct star_settings *s, enum star_ranks ranks)
{
    return (struct star_tuning){.ranks = ranks,
                                .watch = (enum star_watching)s->monitor,
                                .strategy = (enum star_strategy)s->strategy,
                                .estimator = estimator_for(s, ranks),
                                .iter = (int)s->iter,
                                .warmup = (int)s->warmup,
                                .delta = (int)s->delta,
                                .delta_most = (int)s->delta_most,
                                .epsilon = s->epsilon,
                                .confirm = s->confirm != 0,
                                .sample = (int)s->sample,
                                .budget = s->budget,
                                .confidence = (int)s->confidence,
                                .apart = (double)s->apart,
                                .effect = s->effect};
}
