/* SPDX-License-Identifier: BSD-3-Clause
 * What a choice has measured, of each of its functions. */
#ifndef STAR_PATTERNS_CHOICE_FIGURES_H
#define STAR_PATTERNS_CHOICE_FIGURES_H

#include "patterns/choice.h"

/* Are functions being compared? */
bool star_choice_is_open(const struct star_choice *choice);
/* Of a function, as the tuner has them of its candidate: on rank 0 alone. */
const double *star_choice_samples(const struct star_choice *choice, int function, int *count);
double star_choice_estimate(const struct star_choice *choice, int function);
bool star_choice_is_left_out(const struct star_choice *choice, int function);

#endif
