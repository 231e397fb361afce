/* SPDX-License-Identifier: BSD-3-Clause
 * What launches of a program took with its ranks placed in this way or that, as kept reports say: whatever
 * was expected, a placement that does not help is not worth having. */
#pragma once

#include "hosts.h"

#include <jansson.h>
#include <stdint.h>

/* Launches of one placement. */
struct cli_trial {
    uint64_t key; /* place/key.h */
    int *machine; /* of each rank, the topology's node */
    int launches;
    double sum, squares; /* of the logarithms of their seconds */
};

struct cli_trials {
    struct cli_trial *at;
    int count;
};

/* Those kept of the program, words and all, and MPI library of REPORT, on as many ranks, whose hosts are
 * among HOSTS. Where no folder can be read there are none. STAR_EMEMORY. */
int cli_trials_read(const json_t *report, const struct cli_hosts *hosts, struct cli_trials *trials,
                    struct star_why *why);
void cli_trials_free(struct cli_trials *trials);
/* Of such a placement; NULL: there is none. */
const struct cli_trial *cli_trial_of(const struct cli_trials *trials, const struct cli_hosts *hosts,
                                     const int *machine, int ranks);

/* In the geometric mean. */
double cli_trial_seconds(const struct cli_trial *trial);
/* The share of its time that AFTER saves over BEFORE, and its 95 % interval, by Welch's test on logarithms;
 * both have two launches at least. */
struct cli_saved {
    double share, low, high;
};
struct cli_saved cli_trial_saved(const struct cli_trial *before, const struct cli_trial *after);
