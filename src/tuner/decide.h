/* SPDX-License-Identifier: BSD-3-Clause
 * Agreements: what each rank tells, and what the leader decides. */
#pragma once

#include "tuner/tuner.h"

/* SECONDS that this rank has spent for tuning besides calls, on an occasion that all ranks have: agreements,
 * making plans. All since the last agreement count with the next one, as the rank has spent that spent least;
 * but not where one of them stalled, unless that happens twice. */
void star_tuner_spend(struct star_tuner *tuner, double seconds);
/* What is done once, such as predicting: it says nothing of what an occasion takes. The leader's count, at
 * once; but while it is consulted on credit, from the next agreement on. */
void star_tuner_spend_once(struct star_tuner *tuner, double seconds);
/* Of the leader: ASK is called with WHOM at each agreement, when what was measured is noted and nothing is
 * decided yet, in the default floating-point environment. It may find out what is worth to be known before,
 * tell the tuner that, and what it took. */
void star_tuner_consult(struct star_tuner *tuner, void (*ask)(void *whom), void *whom);
/* So many seconds that may take: half of the budget, of which something must be left. CREDIT: or, while
 * native alone has run, a call of it, as finding out comes before a visit of which nobody knows the price. */
double star_tuner_patience(const struct star_tuner *tuner, bool credit);
/* The seconds that were told while it was consulted at the last agreement. */
double star_tuner_asked(const struct star_tuner *tuner);
/* What occasions before the last agreement took on the rank on which they took least, in seconds. The leader
 * knows it, and tells it. */
double star_tuner_least(const struct star_tuner *tuner);
/* All ranks, before a decision that says so is applied: what this rank told beyond LEAST was waiting. */
void star_tuner_wait(struct star_tuner *tuner, double least);

/* An agreement: what each rank tells, in one reduction. Over all ranks the sums are added up, and of MOST the
 * maximum is taken. */
struct star_figure {
    double sum, most;
};
/* Mends what this rank measured: see stall.h. */
void star_tuner_tell(struct star_tuner *tuner, struct star_figure *figures);
/* Leader only: keeps the reduced figures of RANKS ranks and decides. */
void star_tuner_decide(struct star_tuner *tuner, const struct star_figure *figures, int ranks,
                       struct star_decision *decision);
/* The same while a rank wants no tuning: nothing new is measured. */
void star_tuner_rest(struct star_tuner *tuner, const struct star_figure *figures, int ranks,
                     struct star_decision *decision);
/* Leader: how far ranks' mean times were apart in the period of MONITOR that was told last: seconds; zeros
 * after MEASURE, and where the leader doubts. */
struct star_spread {
    double mean, most, least;
    double counted; /* MEAN or MOST: star_tuning_by_slowest */
};
struct star_spread star_tuner_spread(const struct star_tuner *tuner);
