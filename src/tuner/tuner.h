/* SPDX-License-Identifier: BSD-3-Clause
 * The tuner of one context: STAR-MPI's Measure_Select and Monitor_Adapt (Faraj et al., ICS 2006, Figure 2),
 * and a race within a budget. No MPI in here. Whatever the caller's floating-point environment, it calculates
 * in the default one (util/fpenv.h).
 *
 * Every rank keeps a tuner; they stay in step because all they follow is counted calls and decisions. Times
 * are local until an agreement: each rank's figures (star_tuner_figures) are reduced, one rank — the leader —
 * turns them into a decision (star_tuner_decide), and all ranks apply that decision. Nothing else changes the
 * course.
 *
 *   MEASURE  runs each method of a list, so many counted calls each, then agrees
 *   MONITOR  runs one method for a period of counted calls, then agrees
 *
 * Where Figure 2 slips: the averages are those that were reduced, never the local totals (else ranks part
 * ways), and a period is counted call by call. Candidate 0 is native, and is measured first. */
#pragma once

#include "tuner/decision.h"

#include <stddef.h>

struct star_tuner;
struct star_figure;   /* tuner/decide.h */
struct star_networks; /* tuner/networks.h */
struct star_prospect; /* util/prospect.h */

/* GROUPS[i] is the group of candidate i; candidate 0 is native. TRAITS may be NULL; they are copied where the
 * strategy looks at them. LEADS: of the rank that decides, which alone keeps samples. NULL when out of
 * memory, and for more candidates or attributes than there may be. */
struct star_tuner *star_tuner_new(const struct star_tuning *tuning, const int *groups,
                                  const struct star_traits *traits, int count, bool leads);
/* Before the first call: the candidates become those of LIST, COUNT different ones, in its order; the first
 * one stays the first. False when it is no such list: it changes nothing then. */
bool star_tuner_order(struct star_tuner *tuner, const int16_t *list, int count);

/* All ranks with the same data, before the first call and after star_tuner_order. What is remembered orders
 * the candidates. From a CONFIDENCE of a half on (race: of 0.001, where more than native is known, as it goes
 * on looking at others), the best of those that were seen in a long run runs at once: if a period of 100 µs
 * (1 to 16 calls, but 4 of the first) is as fast as remembered, beyond epsilon and noise, nothing is
 * explored. If three such periods in a row are not, which is noticed after 4 + 3 × 16 + warmup calls at most,
 * and where it is far slower after 6 + warmup, tuning begins as from the start, but for the order; and so it
 * does where native is remembered as more than 32 times slower than the best. False, and changes nothing: a
 * candidate that there is not, or twice, or figures that cannot be. */
bool star_tuner_recall(struct star_tuner *tuner, const struct star_recollection *known, int count,
                       double confidence);
/* What the cost model says of EACH candidate. After star_tuner_order; the leader's. The race expects that
 * methods' times are to each other as these are on the network that it seems to be, until they are measured.
 * What it finds out of that it adds to SHARED, which outlives the tuner, and looks there too; NULL: nobody
 * else asks. */
void star_tuner_forecast(struct star_tuner *tuner, const struct star_prospect *each,
                         struct star_networks *shared);
/* FIRST[i] is the first of the candidates that are the same as I, or I: the race measures one of them. After
 * star_tuner_order; the leader's. */
void star_tuner_alike(struct star_tuner *tuner, const int *first);
void star_tuner_free(struct star_tuner *tuner);
size_t star_tuner_bytes(const struct star_tuner *tuner);

/* Of how many candidates it chooses. */
int star_tuner_count(const struct star_tuner *tuner);
/* The candidate to run now. */
int star_tuner_candidate(const struct star_tuner *tuner);
/* The candidates that run from now until the next agreement, it and COUNT − 1 more. */
const int16_t *star_tuner_course(const struct star_tuner *tuner, int *count);
/* Will the next call be counted, or is it one of those after a change of method? */
bool star_tuner_counts(const struct star_tuner *tuner);
/* After a call that was recorded: so many need not be timed and recorded, if its candidate goes on. The same
 * on all ranks, and another number each time: programs call in loops. */
int star_tuner_gap(const struct star_tuner *tuner);
/* How many calls there are for each that is recorded, in the mean. */
int star_tuner_stride(const struct star_tuner *tuner);
/* Takes the time of one call of it. True: an agreement is due before the next call. */
bool star_tuner_record(struct star_tuner *tuner, double seconds);
/* The candidate of star_tuner_candidate cannot be run on every rank: drops it. True: an agreement is due. */
bool star_tuner_shut_out(struct star_tuner *tuner);

size_t star_tuner_figures(const struct star_tuner *tuner);
/* Room for twice as many, a rank's own and the reduced ones, and for one more of each. */
struct star_figure *star_tuner_scratch(struct star_tuner *tuner);
/* So many bytes of a decision need be told: no list is longer. */
size_t star_tuner_decision_bytes(const struct star_tuner *tuner);
/* All ranks, the leader too. False when the decision is none (damaged): it changes nothing then. */
bool star_tuner_apply(struct star_tuner *tuner, const struct star_decision *decision);

/* What is known, for reports. Estimates and samples are the leader's. */
enum star_stage star_tuner_stage(const struct star_tuner *tuner);
int star_tuner_delta(const struct star_tuner *tuner);
/* The estimate of candidate I in seconds, or STAR_UNKNOWN_SECONDS when it was not measured. Of candidates
 * without samples it is what was recalled. */
double star_tuner_estimate(const struct star_tuner *tuner, int i);
/* Each counted call when it was last measured, mean over ranks, and their number; NULL and 0: never. Where
 * the slowest rank counts, as much longer as they took on it. */
const double *star_tuner_samples(const struct star_tuner *tuner, int i, int *count);
/* How long candidate 0's samples took on the leader itself, over what is said of them; 1 where there are
 * none. */
double star_tuner_part(const struct star_tuner *tuner);
/* So long this rank waited in agreements for later ones: what its occasions took, less what they took on the
 * rank on which they took least. Those since the last agreement are not in it. */
double star_tuner_waited(const struct star_tuner *tuner);
bool star_tuner_is_shut_out(const struct star_tuner *tuner, int i);
/* Where a run ends: the candidate that was chosen, else, while some are measured still, the fastest of those
 * that were; −1: none was. */
int star_tuner_fastest(const struct star_tuner *tuner);
