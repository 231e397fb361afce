/* SPDX-License-Identifier: BSD-3-Clause
 * What a run knows of its machine, from earlier runs and from itself, by points: an operation, with so many
 * ranks, nodes and bytes. It answers what methods may be expected to take at a point, and how sure that is;
 * also at one that nobody has seen, from the points near it. */
#pragma once

#include "wisdom/fact.h"

#include <stddef.h>

/* So many facts are kept; further ones are left out. */
enum { STAR_KNOWN_MOST = 4096 };

struct star_known_point;
struct star_known {
    struct star_known_point *point;
    size_t points, facts;
};

/* Adds the fact to what is known; for star_message_read, which hands it to KNOWN. STAR_EMEMORY. */
int star_known_add(const struct star_fact *fact, void *known);
/* Forgets the point of FACT. */
void star_known_forget(struct star_known *known, const struct star_fact *fact);
/* Calls VISIT for each fact; its machine is "". */
void star_known_each(const struct star_known *known,
                     void (*visit)(const struct star_fact *fact, void *context), void *context);
void star_known_free(struct star_known *known);

/* What is expected of a method. Count 0: nothing is known of it. */
struct star_expected {
    double count, mean, deviation; /* calls; seconds of one */
};
/* Of METHODS, COUNT of them, at POINT, of which the figures and the method do not matter. Returns how sure it
 * is that the least of them is the best, from 0 to 1. At a point that is known it is
 *
 *   s² c / (c + 2): s is the share of METHODS of which something is known, c the calls that were seen of the
 *   best: so half of the methods, or a single call, do not convince;
 *
 * at another one, from the four nearest points within a factor of 16, weighed by 2^-d, where d is how far
 * they are, in factors of 2 of bytes, ranks and nodes together:
 *
 *   s² a 2^(-d/2): a is the share of their weight that votes for the same method, d how far the nearest is.
 *   Half of that where all have one size and POINT another one: then nobody knows how times grow. */
double star_known_ask(const struct star_known *known, const struct star_fact *point,
                      const char *const *methods, int count, struct star_expected *expected);
