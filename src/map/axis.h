/* SPDX-License-Identifier: BSD-3-Clause
 * An axis of a map: from any number to the place of the nearest of some, by their ratio, without a branch.
 * A number's highest bits give a slot, the slot the first place that is possible, and at most a few
 * comparisons the place itself. */
#pragma once

#include "util/text.h"

struct star_axis {
    int count;     /* places */
    int64_t *last; /* the greatest number of each place; the last one's is INT64_MAX */
    int fine;      /* how many bits below a number's highest one make its slot */
    int steps;     /* comparisons in a slot */
    int slots;
    uint16_t *first; /* of each slot: the place of its least number */
};

enum { STAR_AXIS_MOST = 65535 };

/* The greatest number that is as near to BELOW as to ABOVE, by their ratio. */
int64_t star_axis_last(int64_t below, int64_t above);
/* VALUES ascend and are not negative. STAR_EMEMORY; STAR_ELIMIT: more than STAR_AXIS_MOST. */
int star_axis_make(const int64_t *values, int count, struct star_axis *axis);
/* The same from the greatest numbers of the places; the last one must be INT64_MAX. */
int star_axis_of_last(const int64_t *last, int count, struct star_axis *axis);
void star_axis_free(struct star_axis *axis);
size_t star_axis_bytes(const struct star_axis *axis);
/* The axis in C: arrays NAME_last and NAME_first, and a function NAME_place(long long). */
void star_axis_generate(const struct star_axis *axis, const char *name, struct star_text *text);

/* Up to here a double holds each number, so that its highest bits are those of the double. */
#define STAR_AXIS_FINE_MOST (INT64_C(1) << 53)

static inline int star_axis_slot(int64_t value, int fine)
{
    union {
        double number;
        uint64_t bits;
    } as = {.number = (double)(value < STAR_AXIS_FINE_MOST ? value : STAR_AXIS_FINE_MOST)};
    return value < 1 ? 0 : 1 + (int)(as.bits >> (52 - fine)) - (1023 << fine);
}

static inline int star_axis_place(const struct star_axis *axis, int64_t value)
{
    int slot = star_axis_slot(value, axis->fine);
    int place = axis->first[slot < axis->slots ? slot : axis->slots - 1];
    for (int i = 0; i < axis->steps; i++)
        place += value > axis->last[place];
    return place;
}
