/* SPDX-License-Identifier: BSD-3-Clause */
#include "schedule.h"
#include "plan/plan.h"
#include "topology/bundles.h"
#include "topology/needed.h"
#include "topology/schedule.h"
#include "util/text.h"
#include "util/why.h"

#include <stdlib.h>

struct line {
    int64_t phase;
    int from, to;
};

static int compare(const void *left, const void *right)
{
    const struct line *a = left, *b = right;
    if (a->phase != b->phase)
        return a->phase < b->phase ? -1 : 1;
    return a->from - b->from;
}

/* Does RANK send it? All do where that is negative. */
static bool is_from(int from, int rank)
{
    return rank < 0 || from == rank;
}

static int add_messages(const struct star_schedule *schedule, int rank, struct star_text *text,
                        struct star_why *why)
{
    size_t ranks = (size_t)schedule->ranks, count = 0;
    struct line *lines = malloc((ranks * ranks + 1) * sizeof *lines);
    if (lines == NULL)
        return star_because(why, STAR_EMEMORY, "out of memory for the messages of %d ranks", schedule->ranks);
    for (int from = 0; from < schedule->ranks; from++)
        for (int to = 0; to < schedule->ranks; to++)
            if (from != to && is_from(from, rank))
                lines[count++] = (struct line){star_schedule_phase(schedule, from, to), from, to};
    qsort(lines, count, sizeof *lines, compare);
    for (size_t i = 0; i < count; i++)
        star_text_add(text, "%lld %d %d\n", (long long)lines[i].phase, lines[i].from, lines[i].to);
    free(lines);
    return 0;
}

int cli_schedule_add(const struct star_method *method, const struct star_network *network, int rank,
                     struct star_text *text, struct star_why *why)
{
    struct star_schedule *schedule;
    struct star_needed *needed = NULL;
    int64_t sync = star_method_knob(method, "sync", STAR_SYNC_NONE);
    int count = 0,
        error = star_schedule_for(network, (int)star_method_knob(method, "bundle", 0), &schedule, why);
    if (error)
        return error;
    error = add_messages(schedule, rank, text, why);
    if (!error && (sync == STAR_SYNC_NEEDED || sync == STAR_SYNC_NEEDED_EAGER))
        error = star_schedule_needed(schedule, network,
                                     sync == STAR_SYNC_NEEDED ? STAR_RULE_RENDEZVOUS : STAR_RULE_EAGER, -1,
                                     &needed, &count, why);
    for (int i = 0; !error && i < count; i++)
        if (is_from(needed[i].from, rank))
            star_text_add(text, "sync %d %lld %d %lld\n", needed[i].from, (long long)needed[i].after,
                          needed[i].to, (long long)needed[i].before);
    free(needed);
    star_schedule_free(schedule);
    return error;
}
