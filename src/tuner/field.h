/* SPDX-License-Identifier: BSD-3-Clause
 * The field of the race: what is expected of all candidates, who runs, and what may be spent. */
#pragma once

#include "tuner/decision.h"
#include "tuner/outlook.h"
#include "tuner/standing.h"
#include "tuner/tuning.h"

#include <stdbool.h>

/* Methods that are closer than this share are ties: the first one of them runs. */
#define STAR_TIE 0.01

struct star_field {
    struct star_standing *standing;
    const struct star_tuning *tuning;
    struct star_outlook expected[STAR_CANDIDATES_MAX];
    int best, first;       /* who runs; and native, or the first that was measured where that cannot run */
    double native, surely; /* seconds of a call of native: in the mean, and at least, as nearly as is known */
    double seconds;        /* of a call of the best */
    double occasion, left; /* what an agreement takes, and what may be spent */
    double to_come;        /* calls */
    double overlap, noise; /* star_usual_overlap, star_evidence_noise */
    bool other[STAR_CANDIDATES_MAX]; /* it is another name of one that was measured, or stands before it */
};

/* False: nothing was measured. */
bool star_field_look(struct star_field *field, struct star_standing *standing,
                     const struct star_tuning *tuning, const struct star_decision *course);
/* May a visit of it tell anything new? */
bool star_field_is_open(const struct star_field *field, int i);
/* What agreeing, or making a plan, takes where a call of native takes NATIVE seconds. */
double star_occasion(const struct star_standing *standing, double native);
bool star_agreeing_takes_long(const struct star_field *field);
