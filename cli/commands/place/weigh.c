/* SPDX-License-Identifier: BSD-3-Clause */
#include "weigh.h"

enum { ENOUGH = 3 }; /* launches, to believe what they say */
static const double share_worth = 0.01;

const struct cli_trial *cli_place_trial(const struct cli_place *place, int way)
{
    const int *machine = place->way[way].machine;
    return machine ? cli_trial_of(&place->trials, &place->hosts, machine, cli_place_ranks(place)) : NULL;
}

static bool have_enough(const struct cli_trial *trial)
{
    return trial != NULL && trial->launches >= ENOUGH;
}

/* Launches of the chosen way, or of one that is expected to cost as much: what is counted, by which ways are
 * found, differs a little from run to run. */
static const struct cli_trial *tries_of(const struct cli_place *place, const struct cli_trial *before)
{
    const double near = 1.01;
    const struct cli_trial *same = cli_place_trial(place, place->chosen);
    for (int i = 0; same == NULL && i < place->trials.count; i++) {
        struct way way = {.machine = place->trials.at[i].machine};
        if (&place->trials.at[i] != before && cli_place_expect(place, &way, NULL) == 0 &&
            way.cost < near * place->way[place->chosen].cost)
            same = &place->trials.at[i];
    }
    return same;
}

/* A change that was tried enough, and does not take less time, is withdrawn. */
static void judge_chosen(struct cli_place *place)
{
    const struct cli_trial *before = cli_place_trial(place, place->before), *after = tries_of(place, before);
    if (!have_enough(before) || !have_enough(after) || before == after)
        return;
    place->tried = place->chosen;
    place->launches = after->launches;
    place->saved = cli_trial_saved(before, after);
    place->verdict = place->saved.share < share_worth ? DID_NOT_HELP
                     : place->saved.low > 0           ? HELPED
                                                      : NOT_CLEAR;
    if (place->verdict == DID_NOT_HELP)
        place->chosen = place->before;
}

/* Are there so many slots? As find_as_it_ran asks. */
static bool has_slots(struct cli_place *place, const int *machine)
{
    int *used = star_scratch(&place->memory, (size_t)place->hosts.topology->nodes, sizeof *used);
    for (int r = 0; used != NULL && r < cli_place_ranks(place); r++)
        if (++used[machine[r]] > place->hosts.slots[machine[r]])
            return false;
    return used != NULL;
}

/* Where nothing else is to be tried: did another placement clearly take less time than this one? */
static void look_back(struct cli_place *place)
{
    const struct cli_trial *now = cli_place_trial(place, place->before), *best = NULL;
    for (int i = 0; have_enough(now) && i < place->trials.count; i++) {
        const struct cli_trial *trial = &place->trials.at[i];
        if (trial != now && have_enough(trial) && has_slots(place, trial->machine) &&
            cli_trial_saved(now, trial).low > share_worth &&
            (best == NULL || cli_trial_seconds(trial) < cli_trial_seconds(best)))
            best = trial;
    }
    if (best == NULL)
        return;
    place->way[EARLIER].machine = best->machine;
    place->chosen = place->tried = EARLIER;
    place->launches = best->launches;
    place->saved = cli_trial_saved(now, best);
    place->verdict = EARLIER_HELPS;
}

/* What was measured counts more than what is expected. */
int cli_place_weigh(struct cli_place *place, struct star_why *why)
{
    int error = cli_trials_read(place->report, &place->hosts, &place->trials, why);
    if (error)
        return error;
    if (place->chosen != place->before)
        judge_chosen(place);
    if (place->chosen == place->before)
        look_back(place);
    struct way *earlier = &place->way[EARLIER];
    return earlier->machine != NULL ? cli_place_expect(place, earlier, why) : 0;
}
