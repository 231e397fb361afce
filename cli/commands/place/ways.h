/* SPDX-License-Identifier: BSD-3-Clause
 * The ways to place the ranks that startune place knows, and which of them is best: by what is expected, and
 * by what launches took. */
#pragma once

#include "hosts.h"
#include "inside.h"
#include "report/matrix.h"
#include "trials.h"
#include "util/scratch.h"

/* A way to place the ranks, and what it is expected to take. */
struct way {
    const char *name;
    int *machine;                  /* of each rank; NULL: the hosts are others */
    double cost, seconds, between; /* BETWEEN: bytes that go to another host */
};
enum { AS_IT_RAN, BY_SLOT, BY_NODE, MAPPED, EARLIER, WAYS };
/* What launches say of a change: nothing yet; it helped, or not; nothing clear. EARLIER_HELPS: what is there
 * has taken longer than an earlier placement. */
enum verdict { UNTRIED, HELPED, DID_NOT_HELP, NOT_CLEAR, EARLIER_HELPS };

struct cli_place {
    struct star_talk talk;
    struct cli_hosts hosts;
    struct star_cost_parameters parameters;
    struct way way[WAYS];
    int chosen, before; /* ways: what is best; with what it is compared */
    struct cli_inside inside;
    struct cli_inside_gain inside_gain;
    struct cli_trials trials;
    enum verdict verdict;
    int tried, launches; /* the way that it is about, and so many of it */
    struct cli_saved saved;
    const json_t *report;
    struct star_scratch memory;
};

/* Of the run. */
int cli_place_ranks(const struct cli_place *place);
/* Places the ranks in all ways, and chooses one by what is expected. STAR_EMEMORY, STAR_ELIMIT. */
int cli_place_find(struct cli_place *place, struct star_why *why);
/* What WAY is expected to take. STAR_EMEMORY. */
int cli_place_expect(const struct cli_place *place, struct way *way, struct star_why *why);
/* The core of each rank, as chosen, by what is in the hosts. STAR_EMEMORY. */
int cli_place_inside(struct cli_place *place, int *core, struct star_why *why);
/* Frees all but the report. */
void cli_place_free(struct cli_place *place);
