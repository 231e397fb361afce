/* SPDX-License-Identifier: BSD-3-Clause
 * What choices learn from earlier runs, and leave for later ones: between history.h, which lets problems
 * vote, and the wisdom, which keeps facts. A fact's operation is the problem's word, its method the
 * function's name. */
#ifndef STAR_PATTERNS_EXPERIENCE_H
#define STAR_PATTERNS_EXPERIENCE_H

#include "patterns/choice.h"
#include "functions/history.h"

struct star_past_problem {
    char word[STAR_FACT_OPERATION];
};

/* What the problems of PAST are to the one of CHOICE, whose kind they have: it fills in SIMILAR for each, and
 * returns false if that cannot be said. On rank 0 alone. */
typedef bool star_weigher(const struct star_choice *choice, const struct star_past *past,
                          const struct star_past_problem *problem, struct star_similar *similar,
                          const void *context);

/* Is there something to ask, and anybody who will be told? The same on all ranks. */
bool star_experience_is_open(const struct star_choice *choice);
/* Asks for a new choice. Collective. */
void star_experience_recall(struct star_choice *choice, star_weigher *weigh, const void *context);
/* Has what was measured of the choice anything to say to later runs? */
bool star_experience_teaches(const struct star_choice *choice);
/* On rank 0: what was seen of its functions. Local; elsewhere it does nothing. */
void star_experience_keep(const struct star_choice *choice);
/* How the wisdom calls function I: by its name, and, where another one has that too, its number. */
void star_experience_name(const struct star_fnctset *set, int i, char name[STAR_FACT_METHOD]);
/* The nodes of a choice's ranks; 0: they are not known. Local. */
int64_t star_experience_nodes(const struct star_choice *choice);

#endif
