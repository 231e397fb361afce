/* SPDX-License-Identifier: BSD-3-Clause
 * What bench prints. */
#pragma once

#include "contender.h"
#include "util/text.h"

/* Before all sizes (KNOWN: with limits), of one size (its samples sorted; LIMIT: the least seconds
 * that the network allows, 0 where it is not known), and behind all. */
void figures_begin(struct star_text *text, const struct bench_question *question, int ranks, bool known);
void figures_add(struct star_text *text, const struct bench_question *question, int64_t bytes, double limit,
                 const struct contender *contenders, int count, int samples);
void figures_end(struct star_text *text, const struct bench_question *question);
