/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuner/turns.h"

#include <stddef.h>

/* Visits may take this much more than the current one does, of all that the calls take. */
static const double budget = 0.02;
/* Another one must be so much faster to become the current one: in hundredths. */
enum { FASTER = 95, WHOLE = 100 };
/* Idle stretches, first and at most, and those between two looks at what the budget has. */
enum { GAP_FIRST = 64, GAP_MOST = 1024, GAP_POOR = 4 };

void star_turns_begin(struct star_turns *turns, int count, const struct star_turns_pace *pace)
{
    *turns = (struct star_turns){.pace = *pace,
                                 .count = count < STAR_TURNS_MOST ? count : STAR_TURNS_MOST,
                                 .told = STAR_TURN_NONE,
                                 .telling = STAR_TURN_NONE,
                                 .visited = STAR_TURN_NONE,
                                 .next = STAR_TURN_NONE,
                                 .active = true,
                                 .stretch = -1,
                                 .gap = GAP_FIRST};
}

static void learn(struct star_turns *turns, const struct star_turns_word *sums, int ranks)
{
    for (int i = 0; i < turns->count; i++)
        if (sums->measured[i] == ranks)
            turns->nanoseconds[i] = sums->nanoseconds[i] > 0 ? sums->nanoseconds[i] : 1;
    turns->closed = sums->unable > 0 && turns->next == STAR_TURN_NONE;
}

/* So many percent of what the current one takes. */
static bool is_below(const struct star_turns *turns, int i, int percent)
{
    return turns->nanoseconds[i] > 0 &&
           turns->nanoseconds[i] < turns->nanoseconds[turns->current] * percent / WHOLE;
}

/* What all ranks lose together decides. Of the others only the one that was visited last has plans at hand.
 */
static void choose(struct star_turns *turns)
{
    if (turns->told != STAR_TURN_NONE && is_below(turns, turns->told, FASTER))
        turns->current = turns->told;
    if (is_below(turns, 0, WHOLE))
        turns->current = 0;
}

/* What a visit of candidate I costs, in calls of the current one; of one that was never seen, a quarter.
 */
static double price(const struct star_turns *turns, int i)
{
    double now = (double)turns->nanoseconds[turns->current], other = (double)turns->nanoseconds[i];
    if (other == 0)
        return now * turns->pace.visit / 4;
    return other > now ? (other - now) * turns->pace.visit : 0;
}

/* Those that were seen and took twice as long are not looked at again. */
static bool is_worth(const struct star_turns *turns, int i)
{
    return i != turns->current &&
           (turns->nanoseconds[i] == 0 || turns->nanoseconds[i] < 2 * turns->nanoseconds[turns->current]);
}

/* Of those not seen in this round, the one that was not for the longest time. */
static int find_next(const struct star_turns *turns)
{
    int next = STAR_TURN_NONE;
    for (int i = 0; i < turns->count; i++)
        if (is_worth(turns, i) && (turns->seen[i] == 0 || turns->seen[i] < turns->round) &&
            (next == STAR_TURN_NONE || turns->seen[i] < turns->seen[next]))
            next = i;
    return next;
}

static void account(struct star_turns *turns)
{
    double now = (double)turns->nanoseconds[turns->current];
    turns->earned += now * turns->pace.length;
    if (turns->told != STAR_TURN_NONE && turns->nanoseconds[turns->told] > 0)
        turns->spent += ((double)turns->nanoseconds[turns->told] - now) * turns->pace.visit -
                        turns->reserved[turns->told];
}

/* Whom to visit in the next stretch: nobody for a while, if all are seen or the budget is used up. */
static void plan(struct star_turns *turns)
{
    if (turns->nanoseconds[turns->current] == 0) { /* in the first stretch native is timed; if it ever is */
        if (turns->stretch > GAP_FIRST)
            turns->again = turns->stretch + GAP_MOST;
        return;
    }
    bool pending = turns->visited != STAR_TURN_NONE || turns->telling != STAR_TURN_NONE;
    if (pending && turns->spent >= 0)
        return; /* unless something was gained, one is not risked before the last one's cost is known */
    int next = find_next(turns);
    double earned = turns->earned + (double)turns->pace.before * (double)turns->nanoseconds[0];
    if (next == STAR_TURN_NONE) {
        turns->again = turns->round = turns->stretch + turns->gap;
        turns->gap = 2 * turns->gap < GAP_MOST ? 2 * turns->gap : GAP_MOST;
    } else if (turns->spent + price(turns, next) > budget * earned) {
        turns->again = turns->stretch + GAP_POOR;
    } else {
        turns->next = next;
        turns->reserved[next] = price(turns, next);
        turns->spent += turns->reserved[next];
    }
}

/* Each in some order, native too. */
static void rotate(struct star_turns *turns)
{
    if (turns->told != STAR_TURN_NONE)
        turns->current = turns->told;
    turns->next = (int)((turns->stretch * 5 + turns->stretch / 7) % turns->count);
}

static void force(struct star_turns *turns)
{
    if (turns->visited > 0)
        turns->current = turns->visited;
    if (turns->current == 0 && turns->count > 1 && turns->stretch < GAP_FIRST)
        turns->next = 1;
    else if (turns->count > 1 || turns->stretch >= GAP_FIRST)
        turns->again = INT64_MAX;
}

/* Is anything to be told at the end of this stretch? */
static bool is_active(const struct star_turns *turns)
{
    return turns->rotates || turns->stretch >= turns->again || turns->visited != STAR_TURN_NONE ||
           turns->telling != STAR_TURN_NONE;
}

static void close(struct star_turns *turns)
{
    turns->current = 0;
    turns->told = turns->telling = turns->visited = turns->next = STAR_TURN_NONE;
    turns->active = false;
}

void star_turns_end(struct star_turns *turns, const struct star_turns_word *sums, int ranks)
{
    turns->stretch++;
    if (turns->closed)
        return;
    bool visits = sums != NULL && turns->next != STAR_TURN_NONE && sums->unable == 0;
    if (sums != NULL)
        learn(turns, sums, ranks);
    if (turns->next != STAR_TURN_NONE)
        turns->seen[turns->next] = turns->stretch;
    if (turns->next != STAR_TURN_NONE && !visits)
        turns->spent -= turns->reserved[turns->next];
    turns->told = turns->telling;
    turns->telling = turns->visited;
    turns->visited = visits ? turns->next : STAR_TURN_NONE;
    turns->next = STAR_TURN_NONE;
    account(turns);
    if (turns->closed) {
        close(turns);
    } else if (turns->forced) {
        force(turns);
    } else if (turns->rotates) {
        rotate(turns);
    } else {
        choose(turns);
        if (turns->stretch >= turns->again)
            plan(turns);
    }
    turns->active = !turns->closed && is_active(turns);
}

int star_turns_candidate(const struct star_turns *turns, int64_t call, bool *timed)
{
    *timed = false;
    if (call < turns->pace.before)
        return 0;
    int64_t at = (call - turns->pace.before) % turns->pace.length;
    if (at < turns->pace.visit && turns->visited != STAR_TURN_NONE) {
        *timed = at > 0; /* ranks have to come out of step first */
        return turns->visited;
    }
    *timed = turns->active && at >= turns->pace.length - turns->pace.visit;
    return turns->current;
}
