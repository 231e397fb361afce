/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuner/visit.h"
#include "tuner/sample.h"
#include "util/quantile.h"

#include <math.h>

/* What more calls than these told is halved. */
static const double calls_most = 4096;

void star_tail_note(struct star_tail *tail, double calls, double row, double usual, double excess,
                    double longer)
{
    if (tail->calls > calls_most) {
        tail->calls /= 2;
        tail->usual /= 2;
        tail->excess /= 2;
        tail->longer /= 2;
    }
    tail->calls += (float)calls;
    tail->ran += row;
    tail->usual += (float)(calls * usual);
    tail->excess += (float)(calls * fmax(excess, 0));
    tail->longer += (float)longer;
}

void star_visit_note(struct star_visit *visit, const double *samples, int calls)
{
    double least = INFINITY, squares = 0, all = 0;
    int kept = 0, longer;
    for (int i = 0; i < calls; i++) {
        least = fmin(least, samples[i]);
        all += samples[i];
    }
    visit->mean = star_filtered_mean(samples, calls);
    visit->usual = star_usual_mean(samples, calls, calls, &longer);
    star_tail_note(&visit->tail, calls, calls, visit->usual, all / calls - visit->usual, longer);
    for (int i = 0; i < calls; i++)
        if (visit->mean > 0 && !star_is_outlier(samples[i], least)) {
            squares += (samples[i] / visit->mean - 1) * (samples[i] / visit->mean - 1);
            kept++;
        }
    visit->deviation = kept > 1 ? sqrt(squares / (kept - 1)) : 0;
    visit->calls = calls;
    visit->visits++;
    visit->ever++;
}
