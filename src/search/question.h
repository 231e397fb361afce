/* SPDX-License-Identifier: BSD-3-Clause
 * What a search is asked for. */
#pragma once

#include "search/search.h"

struct star_question {
    struct star_grid grid; /* without communicators: `np` is resolved when the number of ranks is known */
    const char *np, *methods, *nodes, *topology, *output;
    const char *type;              /* of the elements of reductions: double, float or int */
    const char *search;            /* pruned or exhaustive */
    const char *start;             /* how the ranks begin a measured call together: auto, window, … */
    const char *crossovers;        /* off or on */
    double seconds, point_seconds; /* of all (0: no limit), of a point at most */
    double precision;
    int64_t samples, seed, root;
    double arrival; /* up to so many times the operation's time a rank comes late */
    bool resume, json;
};

void star_question_preset(struct star_question *question);
/* One option of more than a word or number, by its name without dashes. VALUE must last as long as QUESTION.
 * STAR_EINPUT; STAR_ENEEDS: it has no such option. */
int star_question_take(struct star_question *question, const char *name, const char *value,
                       struct star_why *why);
/* Once all are taken: do they fit together? Fills in what was left to be preset. STAR_EINPUT. */
int star_question_close(struct star_question *question, struct star_why *why);
/* The communicator sizes, for RANKS ranks. STAR_EINPUT: there are not so many. */
int star_question_communicators(struct star_question *question, int ranks, struct star_why *why);
/* "10m", "90s", "1.5h" or "90". */
bool star_parse_duration(const char *text, double *seconds);
