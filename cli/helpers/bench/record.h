/* SPDX-License-Identifier: BSD-3-Clause
 * A trace of all calls, written at the end. */
#pragma once

#include "contender.h"

/* Where --record asks for no trace, nothing happens. Of each size all methods are named before the first
 * burst, and MAKING is what it took to make their plans; what the cost model says of them for SHAPE is
 * written, too, where ranks are on several nodes. */
void record_size(const struct bench_question *question, const struct ground *ground, int64_t bytes);
void record_method(const struct star_method *method, const struct star_shape *shape, double making);
/* TIMES: of this rank. Collective. */
void record_burst(int method, const double *times, int count);
/* False after saying why it could not be written; on rank 0. */
bool record_end(const struct bench_question *question);
