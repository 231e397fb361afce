/* SPDX-License-Identifier: BSD-3-Clause
 * A strategy: which methods to measure, and which to choose. Only estimates go in, only decisions come out.
 * strategies/ has one file each, strategies.def one line. */
#pragma once

#include "tuner/decision.h"
#include "tuner/standing.h"

/* What a strategy decides. Each is written to DECISION. */
struct star_way {
    /* What all ranks start with, and again after a pause: native first. */
    void (*first)(struct star_standing *standing, const struct star_tuning *tuning,
                  struct star_decision *decision);
    /* After MEASURE, which was COURSE. */
    void (*select)(struct star_standing *standing, const struct star_tuning *tuning,
                   const struct star_decision *course, struct star_decision *decision);
    /* After a period of MONITOR in which the chosen method took AVERAGE seconds, and LATELY in its last
     * calls. */
    void (*adapt)(struct star_standing *standing, const struct star_tuning *tuning,
                  const struct star_decision *course, double average, double lately,
                  struct star_decision *decision);
    /* The candidate to measure instead of OUT, which is shut out, the same on all ranks; -1: none. NULL:
     * there never is one. */
    int (*substitute)(const struct star_standing *standing, const struct star_decision *course, int out);
    bool by_traits;    /* it looks at traits */
    bool by_forecasts; /* it looks at what the cost model says */
    /* Calls of one candidate in a list at most, or `iter` if that is more; and candidates, which have no more
     * calls together. 0: `iter` of each. */
    int visit_most, list_most;
    enum star_estimator estimator; /* what AUTO stands for */
    enum star_watching watch;
};
