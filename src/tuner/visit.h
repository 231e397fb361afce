/* SPDX-License-Identifier: BSD-3-Clause
 * What was measured of a candidate. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* What was measured of a candidate so far: LEVEL is the mean of the logarithm of its seconds, WEIGHT one over
 * its variance, where there is no more noise than is supposed; 0: nothing. LONGEST: the most calls in a row,
 * LATELY: since the machine is as it is; AT: when it was last measured, in calls. FIRST is the logarithm of
 * what was seen first, in FIRST_CALLS calls in a row, 0 where that is no longer so; PIPELINED: ranks were far
 * apart, so that later calls may overlap. */
struct star_evidence {
    double level, weight, first;
    int64_t longest, lately, at, first_calls;
    bool pipelined;
};

/* Of a candidate's calls those that took far longer than usual, by star_usual: what CALLS of its calls
 * usually took, all together, by how much they took longer, and how many LONGER ones there were. EVER: so
 * many calls were forgiven; RAN: so many ran since, measured or not, of which the CALLS are the last ones. */
struct star_tail {
    float calls, usual, excess, longer;
    double ran, ever;
};

/* What was measured of a candidate when it last was: the leader's. */
struct star_visit {
    double mean;      /* seconds of a call: of ranks (with AHEAD: of the slowest), and of calls */
    double usual;     /* the same, outliers counted by star_usual; */
    double later;     /* with AHEAD of the later half: by so much the slowest rank came later in it */
    double apart;     /* with AHEAD: by which share less ranks took in the mean than the slowest one */
    double deviation; /* of calls, as a share of the mean; outliers left out */
    int32_t calls, visits, ever; /* VISITS since tuning has begun, or was resumed */
    struct star_evidence all;    /* what all visits, and its periods, told */
    struct star_tail tail;       /* and of long calls */
};

/* Notes what one more visit told: SAMPLES as in star_tuner_samples. */
void star_visit_note(struct star_visit *visit, const double *samples, int calls);
/* Notes CALLS calls that usually took USUAL seconds each, and EXCESS more in the mean, because of LONGER
 * ones; they are those that were timed of ROW calls. */
void star_tail_note(struct star_tail *tail, double calls, double row, double usual, double excess,
                    double longer);
