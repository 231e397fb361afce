/* SPDX-License-Identifier: BSD-3-Clause
 * What a report says of who talks to whom. */
#pragma once

#include "place/matrix.h"

#include <jansson.h>
#include <stdbool.h>

struct star_talk {
    struct star_matrix *matrix;
    const char **host; /* of each rank, a word of the report; NULL: it told nothing */
    int hosts;
    double bytes, messages;
    double own, methods, estimated; /* bytes: of the program's calls, startune's methods, and MPI's */
    double left_out;                /* bytes that had no room */
    /* How far about the first half of what ranks send differs from the rest: 0, it goes alike, to 1, to other
     * ranks. NaN: not known. */
    double change;
    int cut, silent; /* ranks: that had no memory to count all; that told nothing */
};

/* STAR_ENEEDS: nobody counted. STAR_EINPUT, STAR_EMEMORY. NAME is for the reason. */
int star_talk_of(const json_t *report, const char *name, struct star_talk *talk, struct star_why *why);
/* False: some of what ranks sent is missing. */
bool star_talk_is_complete(const struct star_talk *talk);
/* Does it change with time, clearly? */
bool star_talk_changes(const struct star_talk *talk);
void star_talk_free(struct star_talk *talk);
