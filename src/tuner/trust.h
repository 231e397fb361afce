/* SPDX-License-Identifier: BSD-3-Clause
 * Trusting what earlier runs saw: the method that was best runs at once, until it proves wrong. */
#pragma once

#include "tuner/decision.h"
#include "tuner/standing.h"

enum star_recall {
    STAR_RECALL_UNSOUND, /* there is no such candidate, or it is there twice, or figures cannot be */
    STAR_RECALL_ORDERS,  /* it orders the candidates: tuning is to begin */
    STAR_RECALL_RUNS     /* the decision is to run the best that is remembered */
};
/* As star_tuner_recall. DECISION is written for STAR_RECALL_RUNS alone. */
enum star_recall star_trust_begin(struct star_standing *standing, const struct star_tuning *tuning,
                                  const struct star_recollection *known, int count, double confidence,
                                  struct star_decision *decision);

enum star_trust {
    STAR_TRUST_HOLDS, /* it is as fast as remembered, and is to be monitored */
    STAR_TRUST_TRIES, /* the decision is to try once more */
    STAR_TRUST_ENDS   /* it is not: tuning is to begin */
};
/* After a period in which the one that is remembered as best took AVERAGE seconds, while TRUSTING. */
enum star_trust star_trust_judge(struct star_standing *standing, const struct star_decision *course,
                                 double average, struct star_decision *decision);
