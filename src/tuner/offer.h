/* SPDX-License-Identifier: BSD-3-Clause
 * Offers: what a visit of a candidate may save, and what it costs. */
#pragma once

#include "tuner/field.h"

/* Candidates in one list. */
enum { STAR_LIST_MOST = 4 };

struct star_offer {
    int candidate;
    int64_t calls;
    double cost;  /* seconds, beyond those of the best */
    double worth; /* the seconds that it may save, for each that it costs; 1 or less: not worth it */
    double price; /* what the budget must have, beyond what native would take */
};

/* Counted calls of its next visit. */
int64_t star_calls_of_visit(const struct star_field *field, int candidate);
/* Of a visit of CALLS calls: an agreement is before it, and one behind it. */
struct star_offer star_offer_of(const struct star_field *field, int candidate, int64_t calls);
/* The visit that is worth most; its candidate is −1 if none is worth it. */
struct star_offer star_offer_best(const struct star_field *field);
/* Decides for the visit of FIRST, and others of as many calls that can be paid as well. */
void star_offer_visit(struct star_field *field, const struct star_offer *first,
                      struct star_decision *decision);
