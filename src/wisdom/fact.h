/* SPDX-License-Identifier: BSD-3-Clause
 * A fact of wisdom: how long a method took for some call on some machine. It is statistics, so that what two
 * runs learned is added up. Old knowledge fades: its weight halves in 90 days. Fading commutes with adding,
 * so the order in which facts are added does not matter, up to the weight that a fact may have; but where one
 * contradicts what is known, it takes its place, as that is wrong, or of another machine than it is now. */
#pragma once

#include "util/why.h"

#include <stdbool.h>
#include <stdint.h>

enum { STAR_FACT_MACHINE = 400, STAR_FACT_OPERATION = 256, STAR_FACT_METHOD = 128 };
/* Days in which a weight halves, and after which nothing is left. */
enum { STAR_FACT_HALF = 90, STAR_FACT_FORGOTTEN = 10 * STAR_FACT_HALF };
/* No fact weighs more calls than that, so that a machine that has changed is known anew after a few runs; and
 * so many are what one run says at most. */
enum { STAR_FACT_MOST = 1024, STAR_FACT_RUN = 256 };

struct star_figures {
    double count;   /* calls, less what has faded of them */
    double mean;    /* seconds of one */
    double squares; /* sum of the squares of the differences from the mean */
    double least;
    int64_t date; /* of the last call: seconds since 1970 */
};

struct star_fact {
    /* Of the machine: MPI library and version, nodes, ranks a node, the topology's hash: whatever its writer
     * calls it, in one line. */
    char machine[STAR_FACT_MACHINE];
    char operation[STAR_FACT_OPERATION], method[STAR_FACT_METHOD];
    int64_t ranks, nodes; /* of the communicator: how many, on so many nodes */
    int64_t bytes;        /* as the operation measures them; −1: unknown */
    bool commutative;     /* the operator; true where there is none */
    bool in_place;
    struct star_figures figures;
};

/* Before it, dates are those of a clock that was never set: 2020. */
enum { STAR_FACT_NEVER_SET = 1577836800 };
/* FIGURES with the date NOW where theirs is to come, or of a clock that was never set; but not where NOW
 * itself is of such a clock. */
struct star_figures star_figures_until(struct star_figures figures, int64_t now);
/* What is left of FIGURES at DATE; a date before theirs changes nothing. */
struct star_figures star_figures_fade(struct star_figures figures, int64_t date);
/* Of all calls of both, at the later date; of STAR_FACT_MOST calls, where they are more. B alone, where that
 * is so far from A that no noise explains it: by more than a factor of 3, and of few calls up to 30. */
struct star_figures star_figures_add(struct star_figures a, struct star_figures b);
/* The same with a weight of MOST calls at most. */
struct star_figures star_figures_limit(struct star_figures figures, double most);
/* What a run saw of a method. */
struct star_figures_seen {
    const double *samples; /* seconds of calls that were compared, means over ranks */
    int count;
    double mean;    /* of those of them that were not disturbed */
    double watched; /* seconds of calls as the chosen method, which count more than those */
    int64_t watched_calls;
};
/* As figures of DATE, of the weight that one run's word has. False: it was not measured. */
bool star_figures_of(const struct star_figures_seen *seen, int64_t date, struct star_figures *figures);
/* Are they numbers that calls may have? None takes weeks, and none has been called so often that a message's
 * whole numbers could not say it; what two such add up to is such. */
bool star_figures_are_possible(const struct star_figures *figures);
/* STAR_EINPUT names what is no word (of the machine: no line), no number, or impossible. */
int star_fact_check(const struct star_fact *fact, struct star_why *why);
