/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuner/tuner.h"
#include "util/settings.h"

struct star_tuning star_tuning_of(const struct star_settings *s)
{
    return (struct star_tuning){.watch = (enum star_watching)s->monitor,
                                .strategy = (enum star_strategy)s->strategy,
                                .estimator = (enum star_estimator)s->estimator,
                                .iter = (int)s->iter,
                                .warmup = (int)s->warmup,
                                .delta = (int)s->delta,
                                .delta_most = (int)s->delta_most,
                                .epsilon = s->epsilon,
                                .confirm = s->confirm != 0,
                                .sample = (int)s->sample,
                                .budget = s->budget,
                                .confidence = (int)s->confidence,
                                .effect = s->effect};
}
