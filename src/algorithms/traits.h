/* SPDX-License-Identifier: BSD-3-Clause
 * What tells methods from each other: their algorithm, and the values of their knobs. */
#pragma once

#include "algorithms/methods.h"

/* A table of numbers, a row for each method; the algorithm is the first attribute, and each name of a knob is
 * one, in the order in which they first appear, if it has more than one value in the list. Algorithms are
 * numbered in the order of the list. The values of a knob are numbered by size; words are equal where they
 * read alike, whatever the algorithm. −1: the algorithm has no such knob. ATTRIBUTES is their number; no more
 * than MOST. NULL when out of memory; the caller frees it. */
int16_t *star_methods_traits(const struct star_methods *methods, int most, int *attributes);
