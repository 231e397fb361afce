/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/advice.h"
#include "place/gain.h"
#include "place/reorder.h"
#include "place/told.h"
#include "runtime/seats.h"
#include "runtime/session.h"
#include "util/clock.h"
#include "util/fpenv.h"
#include "util/voice.h"

#include <stdio.h>
#include <stdlib.h>

/* More are left to `startune place`, so that no program waits for longer at its end. */
enum { RANKS_MOST = 64, TEXT_MOST = 1 << 18 };

/* What another placement changes. */
struct change {
    struct star_reordered found;
    double before, after; /* bytes between hosts */
};

static bool find_change(const struct star_matrix *matrix, const struct star_ranks_seats *where,
                        struct change *change)
{
    int order[RANKS_MOST], machine[RANKS_MOST];
    const struct star_seats seats = {where->topology, where->machine, &star_runtime.assumed};
    if (star_reorder(matrix, &seats, 0, order, &change->found, NULL) || change->found.moved == 0)
        return false;
    for (int p = 0; p < matrix->ranks; p++)
        machine[order[p]] = where->machine[p];
    change->before = star_matrix_between(matrix, where->machine);
    change->after = star_matrix_between(matrix, machine);
    return true;
}

/* In time, where the links' speeds are known. */
static void say_time(const struct change *change)
{
    double seconds = (double)star_since(star_runtime.began) * 1e-9;
    struct star_gain gain = star_gain_of(seconds, change->found.before, change->found.after);
    if (star_gain_is_worth_telling(&gain, seconds))
        fprintf(star_voice(),
                "startune: ranks placed otherwise: %.0f ± %.0f %% less time expected; startune place says "
                "where\n",
                100 * gain.expected / seconds, 100 * gain.error / seconds);
}

static void say_bytes(const struct change *change)
{
    const double least = 0.3;
    if (change->before > 0 && change->after < (1 - least) * change->before)
        fprintf(star_voice(),
                "startune: ranks placed otherwise: %.0f %% fewer bytes between hosts; startune place says "
                "where\n",
                100 * (1 - change->after / change->before));
}

static void advise(const struct star_matrix *matrix, const struct star_ranks_seats *seats)
{
    struct change change;
    if (!find_change(matrix, seats, &change))
        return;
    if (seats->topology->has_speeds)
        say_time(&change);
    else
        say_bytes(&change);
}

void star_advice_say(const struct star_text *matrix)
{
    STAR_FPENV_DEFAULT;
    int ranks = star_runtime.world_size;
    struct star_matrix_entry *entries = NULL;
    struct star_matrix *made = NULL;
    struct star_ranks_seats seats;
    size_t count;
    if (!star_runtime.settings.advice || matrix->length == 0 || matrix->length > TEXT_MOST ||
        ranks > RANKS_MOST)
        return;
    if (star_seats_find(star_all(), ranks, &seats) && star_told_read(matrix, ranks, &entries, &count) &&
        star_matrix_make(ranks, entries, count, &made, NULL) == 0)
        advise(made, &seats);
    star_seats_free(&seats);
    star_matrix_free(made);
    free(entries);
}
