/* SPDX-License-Identifier: BSD-3-Clause
 * What choices learn from earlier runs, and leave for later ones: between history.h, which knows problems,
 * and the wisdom, which keeps facts. A fact's operation is the problem's word, its method the function's
 * name. */
#ifndef STAR_PATTERNS_EXPERIENCE_H
#define STAR_PATTERNS_EXPERIENCE_H

#include "patterns/choice.h"

/* Does the choice of a new request ask? */
bool star_experience_is_wanted(const struct star_choice *choice);
/* Asks for a new choice. Collective. */
void star_experience_recall(struct star_choice *choice);
/* On rank 0: what was seen of its functions. Local; elsewhere it does nothing. */
void star_experience_keep(const struct star_choice *choice);

#endif
