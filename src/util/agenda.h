/* SPDX-License-Identifier: BSD-3-Clause
 * An agenda: what happens when, the earliest first, and what was entered first of what happens at once. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct star_entry {
    double time;
    int64_t number; /* of entries so far */
    int kind, subject;
};

struct star_agenda {
    struct star_entry *at; /* a heap: none is later than those at 2 × its place + 1 and + 2 */
    int64_t count, room, numbers;
};

/* False when out of memory. */
bool star_agenda_add(struct star_agenda *agenda, double time, int kind, int subject);
/* INFINITY when there is nothing more. */
double star_agenda_next(const struct star_agenda *agenda);
/* Of an agenda that is not empty. */
struct star_entry star_agenda_take(struct star_agenda *agenda);
void star_agenda_free(struct star_agenda *agenda);
