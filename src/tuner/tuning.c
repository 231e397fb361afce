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
                                .apart = (double)s->apart,
                                .effect = s->effect};
}

const char *const star_reason_names[] = {"first",
                                         "selected",
                                         "best group",
                                         "confirm",
                                         "kept",
                                         "disturbed",
                                         "overtaken",
                                         "paused",
                                         "resumed",
                                         "wrong",
                                         "unable",
                                         "waits for its budget",
                                         "still in the race",
                                         "compared",
                                         "not ruled out",
                                         "remembered"};
_Static_assert(sizeof star_reason_names / sizeof *star_reason_names == STAR_REASONS, "each has a name");
